// BroadcastBatcher: holds broadcasts to one peer back for a moment, so that several go together.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <utility>

#include "server/loop/loops.hpp"

namespace ptyd {

/// With hundreds of connections, each start of a terminal is broadcast to all of them, and no user sees a side list
/// change sooner. A frame that is written earlier takes the broadcasts along.
///
/// Owns    its timer.
/// Thread  the loop's.
class BroadcastBatcher {
 public:
  static constexpr std::chrono::milliseconds kTime{20};
  /// And so long behind the last ones, while there are more and more: a write costs either side ten times what one more
  /// event in it does, and a thousand connections that are written to at each start would make the next one slow.
  static constexpr std::chrono::milliseconds kSpacing{200};

  explicit BroadcastBatcher(Loop& loop) : loop_(loop), timer_(loop.make_timer()) {}

  /// `is_over` is called once; one that is asked for meanwhile is part of it.
  void begin(std::function<void()> is_over) {
    if (std::exchange(gathering_, true)) return;
    const auto due = std::max(loop_.clock().now() + kTime, told_at_ + kSpacing);
    timer_->wait_until(due, [this, is_over = std::move(is_over)] {
      gathering_ = false;
      told_at_ = loop_.clock().now();
      is_over();
    });
  }
  void cancel() { timer_->cancel(); }

 private:
  Loop& loop_;
  std::unique_ptr<Timer> timer_;
  bool gathering_ = false;
  TimePoint told_at_ = TimePoint::min();  // the last ones
};

}  // namespace ptyd
