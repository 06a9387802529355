#include "server/net/access/log_rate_limiter.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class LogRateLimiterTest : public testing::Test {
 protected:
  void fill() {
    for (std::size_t i = 0; i < LogRateLimiter::kBurst; i++) EXPECT_EQ(pace_.take(now_), 0u) << i;
  }

  AddressRateLimiter::Clock::time_point now_{1h};
  LogRateLimiter pace_;
};

TEST_F(LogRateLimiterTest, SoManyLinesComeAtOnceAndNotOneMore) {
  fill();
  EXPECT_EQ(pace_.take(now_), std::nullopt);
}

TEST_F(LogRateLimiterTest, OneMoreComesAfterAWhileAndTellsHowManyDidNot) {
  fill();
  for (int i = 0; i < 5; i++) EXPECT_EQ(pace_.take(now_), std::nullopt);
  EXPECT_EQ(pace_.take(now_ + LogRateLimiter::kRefill - 1ms), std::nullopt);
  EXPECT_EQ(pace_.take(now_ + LogRateLimiter::kRefill), 6u);
  EXPECT_EQ(pace_.take(now_ + LogRateLimiter::kRefill), std::nullopt);
  EXPECT_EQ(pace_.take(now_ + LogRateLimiter::kRefill * 2), 1u) << "only those since the last line";
}

}  // namespace
}  // namespace ptyd
