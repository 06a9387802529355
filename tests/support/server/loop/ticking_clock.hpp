// TickingClock: time that passes with each look at it.
#pragma once

#include <chrono>
#include <memory>

#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {

/// Each look at now() finds it `tick` later than the one before, so that work which is bounded in time has an end that
/// does not hang on the machine. Timers wait until `timers` is advanced.
///
/// Thread  one.
class TickingClock final : public Clock {
 public:
  explicit TickingClock(std::chrono::milliseconds tick) : tick_(tick) {}

  TimePoint now() const override {
    ++looks;
    return now_ += tick_;
  }
  UnixMillis unix_now() const override { return timers.unix_now(); }
  std::unique_ptr<Timer> make_timer(boost::asio::io_context& context) override { return timers.make_timer(context); }

  ManualClock timers;
  mutable int looks = 0;  ///< at now()

 private:
  std::chrono::milliseconds tick_;
  mutable TimePoint now_ = timers.now();
};

}  // namespace ptyd
