// AddressRateLimiter: limits the rate of an action per address.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

namespace ptyd {

/// Each address has a burst at once, then one turn after each interval. Turns beyond the burst are waited for.
///
/// Thread  one. No clock of its own.
class AddressRateLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  struct Limits {
    std::size_t burst;
    std::chrono::milliseconds interval;
    std::chrono::milliseconds patience;  ///< longer than this nothing waits
  };
  static constexpr std::size_t kMaxAddresses = 1024;  ///< remembered at once; some 100 KB

  explicit AddressRateLimiter(Limits limits) : limits_(limits) {}

  /// Takes the next turn of `address`, and tells in how much time it comes: 0 within the burst. Nothing when that is
  /// longer than the patience; then no turn is taken.
  std::optional<std::chrono::milliseconds> take(const std::string& address, Clock::time_point now);
  /// Addresses that are remembered.
  std::size_t size() const { return spent_until_.size(); }

 private:
  void forget(Clock::time_point now);

  Limits limits_;
  std::unordered_map<std::string, Clock::time_point> spent_until_;  // when all turns that were taken are forgiven
};

}  // namespace ptyd
