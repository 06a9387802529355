#include "server/net/access/failure_limiter.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(FailureLimiter, ABurstIsDelayedAndMoreIsRefused) {
  FailureLimiter limiter;
  const FailureLimiter::Clock::time_point now{};
  for (std::size_t i = 0; i < FailureLimiter::kBurst; i++) EXPECT_TRUE(limiter.on_failure("a", now)) << i;
  EXPECT_FALSE(limiter.on_failure("a", now));
  EXPECT_TRUE(limiter.on_failure("b", now)) << "others are not held for it";
}

TEST(FailureLimiter, ForgivesOneAtATime) {
  FailureLimiter limiter;
  FailureLimiter::Clock::time_point now{};
  while (limiter.on_failure("a", now)) {
  }
  now += FailureLimiter::kRefill;
  EXPECT_TRUE(limiter.on_failure("a", now));
  EXPECT_FALSE(limiter.on_failure("a", now));
}

TEST(FailureLimiter, RemembersABoundedNumberOfAddresses) {
  FailureLimiter limiter;
  FailureLimiter::Clock::time_point now{};
  while (limiter.on_failure("worst", now)) {
  }
  for (std::size_t i = 0; i < 3 * FailureLimiter::kMaxAddresses; i++) {
    now += std::chrono::microseconds(1);
    limiter.on_failure("address " + std::to_string(i), now);
    ASSERT_LE(limiter.size(), FailureLimiter::kMaxAddresses);
  }
}

TEST(FailureLimiter, ForgetsFirstWhoIsForgiven) {
  FailureLimiter limiter;
  FailureLimiter::Clock::time_point now{};
  for (std::size_t i = 0; i + 1 < FailureLimiter::kMaxAddresses; i++) limiter.on_failure(std::to_string(i), now);
  while (limiter.on_failure("worst", now)) {
  }
  now += FailureLimiter::kRefill;
  limiter.on_failure("new", now);
  EXPECT_EQ(limiter.size(), 2U);
}

}  // namespace
}  // namespace ptyd
