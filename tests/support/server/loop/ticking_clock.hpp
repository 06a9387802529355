// TickingClock: time that passes whenever somebody looks.
#pragma once

#include <chrono>
#include <memory>

#include "server/loop/clock.hpp"

namespace ptyd {

/// Each look at now() finds it `tick` later than the one before, so that work which is bounded in time has an end that
/// does not hang on the machine. Timers are the machine's.
///
/// Thread  one.
class TickingClock final : public Clock {
 public:
  explicit TickingClock(std::chrono::milliseconds tick) : tick_(tick) {}

  TimePoint now() const override {
    ++looks;
    return now_ += tick_;
  }
  UnixMillis unix_now() const override { return machine_clock().unix_now(); }
  std::unique_ptr<Timer> make_timer(boost::asio::io_context& context) override {
    return machine_clock().make_timer(context);
  }

  mutable int looks = 0;  ///< at now()

 private:
  std::chrono::milliseconds tick_;
  mutable TimePoint now_ = machine_clock().now();
};

}  // namespace ptyd
