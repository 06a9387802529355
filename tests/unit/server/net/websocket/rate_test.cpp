#include "server/net/websocket/rate.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(Rate, AllowsSoManyPerSecondAndNoMore) {
  Rate rate(3);
  const Rate::Clock::time_point now{std::chrono::hours(1)};
  for (int i = 0; i < 3; i++) EXPECT_TRUE(rate.take(now)) << i;
  EXPECT_FALSE(rate.take(now));
  EXPECT_FALSE(rate.take(now + std::chrono::milliseconds(999)));
  EXPECT_TRUE(rate.take(now + std::chrono::seconds(1)));
}

}  // namespace
}  // namespace ptyd
