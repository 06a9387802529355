// TlsRateLimiter: limits the rate of a loop's TLS handshakes with strangers.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "server/net/access/address_rate_limiter.hpp"

namespace ptyd {

/// A handshake costs 1 to 2 ms of the loop that terminals share, and its peer next to nothing. One address gets a sixth
/// of a loop for it, all together less than a half; a page that is loaded, and a crowd that comes back after a restart,
/// are within the bursts.
///
/// Thread  the loop's.
class TlsRateLimiter {
 public:
  static constexpr AddressRateLimiter::Limits kOfOne{128, std::chrono::milliseconds(10), std::chrono::seconds(5)};
  static constexpr AddressRateLimiter::Limits kOfAll{256, std::chrono::milliseconds(4), std::chrono::seconds(5)};

  /// The time until a handshake with `address` may begin. Nothing: that would be too long, and the
  /// connection is to be cut.
  std::optional<std::chrono::milliseconds> take(const std::string& address, AddressRateLimiter::Clock::time_point now) {
    const auto own = by_address_.take(address, now);
    if (!own) return std::nullopt;
    const auto common = all_.take("", now);
    if (!common) return std::nullopt;
    return std::max(*own, *common);
  }

 private:
  AddressRateLimiter by_address_{kOfOne}, all_{kOfAll};
};

}  // namespace ptyd
