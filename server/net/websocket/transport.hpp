// Transport: a Peer's interface to the socket under it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "server/loop/clock.hpp"

namespace ptyd {

/// One message to write: head, shared text, tail; written as one WebSocket text message.
struct Frame {
  std::string head;
  std::shared_ptr<const std::string> body;  ///< may be null
  std::string tail;
  std::size_t size() const { return head.size() + (body ? body->size() : 0) + tail.size(); }
};

/// The needs of a Peer from the socket under it; the Connection implements it, tests have a fake.
class Transport {
 public:
  /// take_frame() has something; told when it had nothing at the last asking. May be called from inside a Peer's call.
  virtual void wake() = 0;
  /// Send a WebSocket ping carrying `number` as decimal digits; its pong comes back by on_pong(). Numbers
  /// rise; of several that are asked for before one can be written the transport sends the last, which acks all.
  virtual void ping(std::uint64_t number) = 0;
  /// Close the connection with this WebSocket code and reason, after the frame being written.
  virtual void close(std::uint16_t code, std::string_view reason) = 0;
  /// may_read() has become true again.
  virtual void resume_reading() = 0;
  /// Work on messages took so long, in a turn of the peer's own.
  virtual void spent(TimePoint::duration /*time*/) {}
  /// When such work may go on: not in the future, unless messages of this peer have taken their part of the loop's
  /// time.
  virtual TimePoint next_turn() const { return TimePoint::min(); }

 protected:
  ~Transport() = default;
};

}  // namespace ptyd
