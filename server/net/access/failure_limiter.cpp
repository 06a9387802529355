#include "server/net/access/failure_limiter.hpp"

#include <utility>

namespace ptyd {

FailureLimiter::Penalty FailureLimiter::on_failure(const std::string& address, Clock::time_point now) {
  const auto wait = pace_.take(address, now);
  const auto unreported = report(address, now);
  if (!wait) return {std::chrono::milliseconds(0), true, unreported};
  if (wait->count() > 0) return {*wait, true, unreported};
  return {kAnswerDelay, false, unreported};
}

std::optional<std::size_t> FailureLimiter::report(const std::string& address, Clock::time_point now) {
  const auto is_over = [now](const auto& entry) { return now - entry.second.at >= kReportEvery; };
  const auto known = reports_.find(address);
  if (known != reports_.end() && !is_over(*known)) {
    known->second.unreported++;
    return std::nullopt;
  }
  if (known == reports_.end() && reports_.size() >= AddressRateLimiter::kMaxAddresses) {
    std::erase_if(reports_, [&](const auto& entry) {
      if (is_over(entry)) unreported_ += entry.second.unreported;
      return is_over(entry);
    });
    if (reports_.size() >= AddressRateLimiter::kMaxAddresses) return unreported_++, std::nullopt;
  }
  auto& report = reports_[address];
  report.at = now;
  return std::exchange(report.unreported, 0) + std::exchange(unreported_, 0);
}

}  // namespace ptyd
