// Cork: holds short frames of one connection back for those behind them.
#pragma once

#include <chrono>

#include "server/loop/clock.hpp"

namespace ptyd {

/// Frames that are written together are one packet. On a busy loop another one may always be behind the last: so frames
/// wait for kTime, and the rest of the turn in which it ends, at most.
class Cork {
 public:
  /// A few turns of a busy loop; people see no shorter delay.
  static constexpr std::chrono::milliseconds kTime{5};

  /// Whether a frame that is written `now` waits for the next one. `has_more`: others are behind it.
  bool holds(bool has_more, TimePoint now) {
    if (!is_holding_) since_ = now;
    is_holding_ = has_more && now - since_ < kTime;
    return is_holding_;
  }

 private:
  bool is_holding_ = false;
  TimePoint since_;  // while it holds
};

}  // namespace ptyd
