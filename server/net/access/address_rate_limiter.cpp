#include "server/net/access/address_rate_limiter.hpp"

#include <algorithm>
#include <cstdint>

namespace ptyd {

std::optional<std::chrono::milliseconds> AddressRateLimiter::take(const std::string& address, Clock::time_point now) {
  if (!spent_until_.contains(address) && spent_until_.size() >= kMaxAddresses) forget(now);
  auto& until = spent_until_.try_emplace(address, now).first->second;
  until = std::max(until, now);
  const auto turn = until + limits_.interval - limits_.interval * static_cast<std::int64_t>(limits_.burst);
  const auto wait = std::chrono::ceil<std::chrono::milliseconds>(std::max(turn - now, Clock::duration(0)));
  if (wait > limits_.patience) return std::nullopt;
  until += limits_.interval;
  return wait;
}

/// Drops those that are forgiven; when there is none, the one that will be first.
void AddressRateLimiter::forget(Clock::time_point now) {
  std::erase_if(spent_until_, [now](const auto& entry) { return entry.second <= now; });
  if (spent_until_.size() < kMaxAddresses) return;
  spent_until_.erase(std::min_element(spent_until_.begin(), spent_until_.end(),
                                      [](const auto& a, const auto& b) { return a.second < b.second; }));
}

}  // namespace ptyd
