#include "server/net/access/tls_rate_limiter.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class TlsRateLimiterTest : public testing::Test {
 protected:
  auto take(const std::string& address) { return pace_.take(address, now_); }

  TlsRateLimiter pace_;
  AddressRateLimiter::Clock::time_point now_{1h};
};

TEST_F(TlsRateLimiterTest, AnAddressShakesHandsInABurstAndThenAHundredTimesASecond) {
  for (std::size_t i = 0; i < TlsRateLimiter::kOfOne.burst; i++) EXPECT_EQ(take("a"), 0ms) << i;
  for (int i = 1; i <= 500; i++) EXPECT_EQ(take("a"), 10ms * i);
  EXPECT_EQ(take("a"), std::nullopt) << "it would wait for more than 5 s";
  EXPECT_LT(take("b"), 2s) << "of those that wait each takes a part of what there is for all";
}

TEST_F(TlsRateLimiterTest, AFewOfOneAddressDelayNoOther) {
  for (std::size_t i = 0; i < TlsRateLimiter::kOfOne.burst; i++) (void)take("a");
  EXPECT_EQ(take("b"), 0ms);
  EXPECT_EQ(take("a"), 10ms);
}

TEST_F(TlsRateLimiterTest, AllTogetherShakeHandsInABurstAndThenSoManyTimesASecond) {
  for (std::size_t i = 0; i < TlsRateLimiter::kOfAll.burst; i++) EXPECT_EQ(take(std::to_string(i)), 0ms);
  EXPECT_EQ(take("one more"), 4ms);
  now_ += 8ms;
  EXPECT_EQ(take("later"), 0ms);
  EXPECT_EQ(take("and another"), 4ms);
}

}  // namespace
}  // namespace ptyd
