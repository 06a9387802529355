// Clock, Timer: the time of a loop and everything on it, and work done later.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "pty/types.hpp"

namespace ptyd {

using TimePoint = std::chrono::steady_clock::time_point;

/// One thing that is done later, on the loop it was made for; dropped when the timer goes.
///
/// Thread  its loop.
class Timer {
 public:
  using Work = std::function<void()>;

  virtual ~Timer() = default;
  /// Does `work` at `when`, or soon when that has passed; in place of what waited until now.
  virtual void wait_until(TimePoint when, Work work) = 0;
  /// Drops what waits.
  virtual void cancel() = 0;
};

/// The machine's clock (server/machine_clock.hpp), or in tests one that is set by hand.
///
/// Thread  any, for the machine's; a test says what it allows.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Never goes back.
  virtual TimePoint now() const = 0;
  /// The time of day, as marks and events carry it.
  virtual UnixMillis unix_now() const = 0;
  /// Does its work on `context`, which outlives it.
  virtual std::unique_ptr<Timer> make_timer(boost::asio::io_context& context) = 0;
};

}  // namespace ptyd
