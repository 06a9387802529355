// StandingClock: no time passes, for tests of several loops.
#pragma once

#include <memory>

#include "server/loop/clock.hpp"

namespace ptyd {

/// Nothing that waits for its time is ever done.
///
/// Thread  any.
class StandingClock final : public Clock {
 public:
  TimePoint now() const override { return TimePoint{std::chrono::hours(1)}; }
  UnixMillis unix_now() const override { return 1'750'000'000'000; }
  std::unique_ptr<Timer> make_timer(boost::asio::io_context&) override { return std::make_unique<StandingTimer>(); }

 private:
  class StandingTimer final : public Timer {
   public:
    void wait_until(TimePoint, Work work) override { work_ = std::move(work); }
    void cancel() override { work_ = nullptr; }

   private:
    Work work_;
  };
};

}  // namespace ptyd
