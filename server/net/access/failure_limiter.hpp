// FailureLimiter: how many wrong credentials an address may show.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <unordered_map>

namespace ptyd {

/// Wrong credentials of one address: a burst is answered with a delay, more are refused at once. Right ones are never
/// held back: behind a proxy all people share one address, and a 256-bit token cannot be found by trying.
///
/// Thread  one. No clock of its own.
class FailureLimiter {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kBurst = 10;                      ///< somebody pasting old tokens
  static constexpr std::chrono::seconds kRefill{3};              ///< for one more after the burst
  static constexpr std::chrono::milliseconds kAnswerDelay{300};  ///< of each 401
  static constexpr std::size_t kMaxAddresses = 1024;             ///< remembered at once; some 100 KB

  /// True: answer 401 after kAnswerDelay. False: answer 429 now.
  bool on_failure(const std::string& address, Clock::time_point now);
  std::size_t size() const { return buckets_.size(); }

 private:
  struct Bucket {
    double spent = 0;  ///< failures not yet forgiven
    Clock::time_point at;
  };
  void forget(Clock::time_point now);

  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace ptyd
