#include "server/net/access/failure_limiter.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class FailureLimiterTest : public testing::Test {
 protected:
  FailureLimiter::Penalty fail(const std::string& address = "a") { return limiter_.on_failure(address, now_); }
  void spend_burst() {
    for (std::size_t i = 0; i < FailureLimiter::kBurst; i++) EXPECT_FALSE(fail().is_too_many) << i;
  }

  FailureLimiter limiter_;
  FailureLimiter::Clock::time_point now_{1h};
};

TEST_F(FailureLimiterTest, ABurstIsAnsweredLate) {
  for (std::size_t i = 0; i < FailureLimiter::kBurst; i++) {
    const auto penalty = fail();
    EXPECT_EQ(penalty.delay, FailureLimiter::kAnswerDelay);
    EXPECT_FALSE(penalty.is_too_many);
  }
  EXPECT_TRUE(fail().is_too_many);
  EXPECT_FALSE(fail("b").is_too_many) << "others are not held for it";
}

TEST_F(FailureLimiterTest, BeyondTheBurstEachWaitsForItsTurnAndSomeDoNotEvenWait) {
  spend_burst();
  for (const auto delay : {3s, 6s, 9s}) EXPECT_EQ(fail().delay, delay);
  const auto refused = fail();
  EXPECT_TRUE(refused.is_too_many);
  EXPECT_EQ(refused.delay, 0s) << "it would have to wait longer than a request may take";
}

TEST_F(FailureLimiterTest, ForgivesOneAtATime) {
  spend_burst();
  now_ += FailureLimiter::kRefill;
  EXPECT_FALSE(fail().is_too_many);
  EXPECT_TRUE(fail().is_too_many);
}

TEST_F(FailureLimiterTest, ReportsAnAddressOnceAMinuteWithWhatCameMeanwhile) {
  EXPECT_EQ(fail().unreported, 0u);
  for (int i = 0; i < 1000; i++) EXPECT_EQ(fail().unreported, std::nullopt);
  EXPECT_EQ(fail("b").unreported, 0u);
  now_ += FailureLimiter::kReportEvery - 1ms;
  EXPECT_EQ(fail().unreported, std::nullopt);
  now_ += 1ms;
  EXPECT_EQ(fail().unreported, 1001u);
  EXPECT_EQ(fail().unreported, std::nullopt);
}

TEST_F(FailureLimiterTest, ReportsABoundedNumberOfAddressesAMinute) {
  std::size_t lines = 0;
  for (std::size_t i = 0; i < 3 * AddressRateLimiter::kMaxAddresses; i++)
    lines += fail(std::to_string(i)).unreported ? 1 : 0;
  EXPECT_EQ(lines, AddressRateLimiter::kMaxAddresses);
  now_ += FailureLimiter::kReportEvery;
  EXPECT_EQ(fail("new").unreported, 2 * AddressRateLimiter::kMaxAddresses) << "no failure is left out";
}

}  // namespace
}  // namespace ptyd
