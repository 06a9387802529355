#include "server/loop/loop_lag.hpp"

#include <algorithm>
#include <utility>

namespace ptyd {
namespace {

/// Adds to a number that only one thread writes.
template <class Number, class More>
void add(std::atomic<Number>& to, More more) {
  to.store(to.load(std::memory_order_relaxed) + static_cast<Number>(more), std::memory_order_relaxed);
}

}  // namespace

void LoopLag::start() {
  minute_ = loop_.clock().now();
  due_ = minute_ + kEvery;
  timer_->wait_until(due_, [this] { on_alarm(); });
}

void LoopLag::on_alarm() {
  const auto now = loop_.clock().now();
  note(std::chrono::duration_cast<Lag>(std::max(now - due_, TimePoint::duration(0))), now);
  due_ = now + kEvery;
  timer_->wait_until(due_, [this] { on_alarm(); });
}

void LoopLag::note(Lag lag, TimePoint now) {
  for (std::size_t i = 0; i < LagTimes::kBounds.size(); i++)
    if (lag <= LagTimes::kBounds[i]) add(times_.within[i], 1);
  add(times_.count, 1);
  add(times_.sum_us, lag.count());
  if (now - minute_ >= kMinute) {
    longest_before_ = std::exchange(longest_, Lag(0));
    minute_ = now;
  }
  longest_ = std::max(longest_, lag);
  times_.longest_us.store(std::max(longest_, longest_before_).count(), std::memory_order_relaxed);
}

}  // namespace ptyd
