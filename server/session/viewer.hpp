// Viewer: somebody who hears sessions, as sessions see him.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "protocol/messages.hpp"
#include "protocol/output.hpp"
#include "server/loops.hpp"

namespace ptyd {

/// What a session said, ready to be sent to anybody; made once on the session's loop and never changed.
struct Publication {
  Event event;     ///< for Output without its data, which is in `text`
  EventText text;
};

/// Names one subscription among those of a viewer; never reused.
using SubscriptionId = std::uint64_t;

/// A peer as sessions see it. Peers implement it; tests have a fake with memory.
///
/// Thread  all methods are called on loop().
/// Order   of one subscription: as the session said it.
class Viewer {
 public:
  virtual ~Viewer() = default;

  virtual Loop& loop() = 0;
  /// For logs and /debug/sessions.
  virtual const std::string& name() const = 0;

  /// Something of a subscribed session. The session sends no further Output on this subscription until
  /// Subscription::on_taken() says that this one was handed to the kernel.
  virtual void on_event(SubscriptionId subscription, std::shared_ptr<const Publication> publication) = 0;
  /// A lifecycle event of any session; ignored by viewers which hear that session by subscription.
  virtual void on_lifecycle(std::shared_ptr<const Publication> publication) = 0;
};

}  // namespace ptyd
