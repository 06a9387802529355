// FailureLimiter: slows down an address that shows wrong credentials.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/net/access/address_rate_limiter.hpp"

namespace ptyd {

/// Wrong credentials of one address: those of a burst are answered with a delay. More wait for their turn, are told
/// that they are too many, and lose their connection. Right ones are never held back: behind a proxy all people share
/// one address, and a 256-bit token cannot be found by trying.
///
/// Thread  one. No clock of its own.
class FailureLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kBurst = 10;                      ///< a user that pastes old tokens
  static constexpr std::chrono::seconds kRefill{3};              ///< for one more after the burst
  static constexpr std::chrono::milliseconds kAnswerDelay{300};  ///< of each 401
  static constexpr std::chrono::seconds kPatience{9};            ///< a request has 10 s
  /// Between two lines of the log about one address.
  static constexpr std::chrono::seconds kReportEvery{60};

  struct Penalty {
    std::chrono::milliseconds delay{};  ///< before the answer
    bool is_too_many = false;           ///< 429, and the end of the connection, in place of the answer
    /// A line of the log is due: it tells how many failures have had none.
    std::optional<std::size_t> unreported = {};
  };
  Penalty on_failure(const std::string& address, Clock::time_point now);

 private:
  struct Report {
    Clock::time_point at;
    std::size_t unreported = 0;
  };
  std::optional<std::size_t> report(const std::string& address, Clock::time_point now);

  AddressRateLimiter pace_{{kBurst, kRefill, kPatience}};
  std::unordered_map<std::string, Report> reports_;  // at most AddressRateLimiter::kMaxAddresses
  std::size_t unreported_ = 0;                       // of addresses for which there was no place
};

}  // namespace ptyd
