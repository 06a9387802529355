// RequestTurns: the time that a loop gives to requests, until it is known what they may.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "server/loop/loops.hpp"
#include "server/net/websocket/intake.hpp"

namespace ptyd {

/// All requests of a loop that are not judged yet have one part of its time together. One for which there is none now
/// waits behind those that wait already. When the next window begins, as many go on as it has time for, and the others
/// wait for the window after that.
///
/// Thread  the loop's.
class RequestTurns {
 public:
  /// Names a request that waits; none has 0.
  using Number = std::uint64_t;
  using Duration = MessageTime::Duration;

  /// Of the loop's time, for each request whatever it asks for.
  static constexpr std::chrono::microseconds kCost{100};

  /// Both outlive it.
  RequestTurns(Loop& loop, MessageTime& time) : loop_(loop), time_(time), timer_(loop.make_timer()) {}
  RequestTurns(const RequestTurns&) = delete;
  RequestTurns& operator=(const RequestTurns&) = delete;

  /// A request goes on now; false: it has to wait.
  bool take();
  /// Calls `go` once, when the request that has to wait goes on. `go` asks nothing of this.
  Number wait(std::function<void()> go);
  /// This one waits no more: its `go` is called now, unless that was done.
  void leave(Number number);
  /// Work on requests that are not judged yet took so much more.
  void spend(Duration time) { time_.take(share_, time, loop_.clock().now()); }

 private:
  TimePoint next() const { return time_.next_turn(share_, loop_.clock().now()); }
  bool has_turn() const;
  void let_in();

  Loop& loop_;
  MessageTime& time_;
  MessageTime::Share share_;
  std::unique_ptr<Timer> timer_;                     // runs while any request waits
  std::map<Number, std::function<void()>> waiting_;  // the one that came first comes first
  Number last_ = 0;
};

}  // namespace ptyd
