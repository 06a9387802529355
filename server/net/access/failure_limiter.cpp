#include "server/net/access/failure_limiter.hpp"

#include <algorithm>

namespace ptyd {
namespace {

double forgiven(FailureLimiter::Clock::duration passed) {
  return std::chrono::duration<double>(passed) / std::chrono::duration<double>(FailureLimiter::kRefill);
}

}  // namespace

bool FailureLimiter::on_failure(const std::string& address, Clock::time_point now) {
  if (!buckets_.contains(address) && buckets_.size() >= kMaxAddresses) forget(now);
  auto& bucket = buckets_.try_emplace(address, Bucket{0, now}).first->second;
  bucket.spent = std::max(0.0, bucket.spent - forgiven(now - bucket.at));
  bucket.at = now;
  if (bucket.spent + 1 > static_cast<double>(kBurst)) return false;
  bucket.spent += 1;
  return true;
}

/// Drops who is forgiven; when that is nobody, the one who failed longest ago.
void FailureLimiter::forget(Clock::time_point now) {
  std::erase_if(buckets_, [&](const auto& entry) { return entry.second.spent <= forgiven(now - entry.second.at); });
  if (buckets_.size() < kMaxAddresses) return;
  buckets_.erase(std::min_element(buckets_.begin(), buckets_.end(),
                                  [](const auto& a, const auto& b) { return a.second.at < b.second.at; }));
}

}  // namespace ptyd
