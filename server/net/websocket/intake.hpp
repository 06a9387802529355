// Intake: messages of one loop's WebSockets that hold memory, and the time that messages take.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "server/loop/clock.hpp"

namespace ptyd {

/// A connection whose message is under way.
class Sender {
 public:
  /// Its message was there first, and there is no room for all: it is to be given up.
  virtual void on_no_room() = 0;

 protected:
  ~Sender() = default;
};

/// Bytes of messages that are not whole yet, or not decoded to their end. Beyond a number of them the message that
/// began first is given up: one that is left lying makes room for those that move.
///
/// Owns    nothing: a sender has no bytes any more before it goes.
/// Thread  the loop's.
class Intake {
 public:
  /// Bytes on one loop: nine messages of the longest kind, or a thousand of 64 KiB.
  static constexpr std::size_t kMost = 64 << 20;

  /// The message of `sender` holds so many bytes now; 0: it has none. May tell it, or another, on_no_room().
  void hold(Sender& sender, std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

 private:
  using Number = std::uint64_t;
  struct Held {
    Sender* sender;
    std::size_t bytes;
  };
  void let_go(Number number);

  Number last_ = 0;
  std::map<Number, Held> held_;  // the one that began first comes first
  std::unordered_map<Sender*, Number> numbers_;
  std::size_t bytes_ = 0;
};

/// The time that a loop gives to messages, so that the terminals and the people on it have the rest. A
/// connection that takes more than its part goes on in the next window.
///
/// Thread  the loop's. No clock of its own.
class MessageTime {
 public:
  using Duration = TimePoint::duration;

  static constexpr std::chrono::milliseconds kWindow{100};
  static constexpr std::chrono::milliseconds kOfAll{50};  ///< of a window, for all connections
  static constexpr std::chrono::milliseconds kOfOne{2};   ///< of a window, for each connection in any case
  /// Of a window, for all connections that may only view and for requests that are not judged yet: those with full
  /// access hardly feel them. Each goes on once in a window in any case.
  static constexpr std::chrono::milliseconds kOfViewers{5};

  /// The time that one connection has taken.
  struct Share {
    TimePoint window{};
    Duration taken{};
  };

  /// So much of a window for all, and for each in any case.
  explicit MessageTime(Duration of_all = kOfAll, Duration of_one = kOfOne) : of_all_(of_all), of_one_(of_one) {}

  /// `share` has taken `time` more, until `now`.
  void take(Share& share, Duration time, TimePoint now);
  /// When it may take more: at `now`, or in the next window.
  TimePoint next_turn(const Share& share, TimePoint now) const;

 private:
  const Duration of_all_, of_one_;
  TimePoint window_{};  // its begin
  Duration taken_{};
};

}  // namespace ptyd
