// LogRateLimiter: limits the lines of one kind in the log.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <utility>

#include "server/net/access/address_rate_limiter.hpp"

namespace ptyd {

/// Lines that strangers can cause a thousand times a second are not to fill the disk: 5 MB a day at most on each event
/// loop.
///
/// Thread  one. No clock of its own.
class LogRateLimiter {
 public:
  static constexpr std::size_t kBurst = 20;          ///< a person who looks into the log sees a page of them
  static constexpr std::chrono::seconds kRefill{3};  ///< for one more

  /// For a line at `now`: how many were left out since the last. Nothing: it is to be left out.
  std::optional<std::size_t> take(AddressRateLimiter::Clock::time_point now) {
    if (!pace_.take("", now)) return left_out_++, std::nullopt;
    return std::exchange(left_out_, 0);
  }

 private:
  AddressRateLimiter pace_{{kBurst, kRefill, std::chrono::milliseconds(0)}};
  std::size_t left_out_ = 0;
};

}  // namespace ptyd
