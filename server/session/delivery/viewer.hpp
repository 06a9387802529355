// Viewer: a client with subscriptions, as sessions see it; SubscriptionHandle: a subscription, as its viewer sees it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "protocol/messages.hpp"
#include "protocol/output.hpp"
#include "server/loop/loops.hpp"
#include "server/policy/access.hpp"

namespace ptyd {

/// An event of a session, ready to be sent to any client; made once on the session's loop and never changed.
struct EncodedEvent {
  Event event;  ///< for Output without its data, which is in `text`; but see EventSource::keep_bytes()
  EventText text;
  bool is_output() const { return std::holds_alternative<Output>(event.body); }
};

/// Names one subscription in the whole server; never reused.
using SubscriptionId = std::uint64_t;

/// A session as its viewers' handles see it: what came of the events that it sent.
///
/// Thread  the session's loop.
class Publisher {
 public:
  /// The last event was handed to the kernel.
  virtual void on_taken(SubscriptionId id) = 0;
  /// As on_taken(), but the client was not sent the event, of which `bytes` were output.
  virtual void on_passed_over(SubscriptionId id, std::size_t bytes) = 0;
  /// The client has acked `bytes` of output.
  virtual void on_returned(SubscriptionId id, std::size_t bytes) = 0;
  /// The client has acked the last reply that shows the session, and all before it.
  virtual void on_reply_arrived(SubscriptionId id) = 0;
  virtual void on_cancelled(SubscriptionId id) = 0;

 protected:
  ~Publisher() = default;
};

/// A viewer's end of one subscription.
///
/// Thread  the viewer's loop; what it does happens on the session's. A session that is gone makes every call a no-op.
class SubscriptionHandle {
 public:
  SubscriptionHandle() = default;
  SubscriptionHandle(SubscriptionId id, SessionKey key, Loop& loop, std::weak_ptr<Publisher> session)
      : id_(id), key_(std::move(key)), loop_(&loop), session_(std::move(session)) {}

  SubscriptionId id() const { return id_; }
  const SessionKey& key() const { return key_; }

  /// The last event was handed to the kernel: the session may send the next.
  void taken() const;
  /// As taken(), but the client is not sent the last event, of which `bytes` were output; they need no ack. A viewer
  /// that passes output over sets no pace until it takes something again.
  void passed_over(std::size_t bytes) const;
  /// The client has acked `bytes` of output (units of EventText::byte_length).
  void returned(std::size_t bytes) const;
  /// The client has acked the last reply that shows the session, and waits for no other.
  void reply_arrived() const;
  /// Ends the subscription, in a later turn of the session's loop: a viewer may cancel while it is told something.
  /// on_unsubscribed() is not told.
  void cancel() const;
  /// As cancel(), but before anything that the viewer asks the session for afterwards. Not from inside a session's
  /// call.
  void leave() const;

 private:
  template <class... Told>
  auto call(void (Publisher::*told)(SubscriptionId, Told...), Told... of_it) const;

  SubscriptionId id_ = 0;
  SessionKey key_;
  Loop* loop_ = nullptr;
  std::weak_ptr<Publisher> session_;
};

/// A peer as sessions see it. Peers implement it; tests have a fake with memory.
///
/// Thread  all methods are called on loop(), from inside a session's call where that is the session's loop too. A
///         viewer may then ask and cancel as it likes: what ends or starts something is a later turn.
/// Order   of one subscription: on_subscribed(), then as the session said it, then on_unsubscribed().
class Viewer {
 public:
  virtual ~Viewer() = default;

  virtual Loop& loop() = 0;
  /// For logs and /debug/sessions.
  virtual const std::string& name() const = 0;
  /// On any loop, always the same. A session notices nothing of a viewer that may only view.
  virtual Access access() const = 0;
  /// A name of the credential that it showed, which tells nothing of it. On any loop, always the same.
  virtual const std::string& credential() const = 0;

  virtual void on_subscribed(const SubscriptionHandle& handle) = 0;
  /// The session has been closed. Not told of a subscription that the viewer itself has ended.
  virtual void on_unsubscribed(SubscriptionId subscription) = 0;
  /// Something of a subscribed session, which waits for SubscriptionHandle::taken() before it says more: a viewer holds
  /// at most one.
  virtual void on_event(SubscriptionId subscription, std::shared_ptr<const EncodedEvent> encoded) = 0;
  /// A lifecycle event of any session; where it has_place(), to be ignored by a viewer that hears that session by
  /// subscription.
  virtual void on_lifecycle(std::shared_ptr<const EncodedEvent> encoded) = 0;
};

}  // namespace ptyd
