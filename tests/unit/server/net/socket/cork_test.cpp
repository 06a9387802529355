// How long short frames wait for those behind them.
#include "server/net/socket/cork.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kBegin{std::chrono::seconds(100)};

TEST(Cork, HoldsFramesBehindWhichOthersWait) {
  Cork cork;
  EXPECT_FALSE(cork.holds(false, kBegin));
  EXPECT_TRUE(cork.holds(true, kBegin + 1s));
  EXPECT_TRUE(cork.holds(true, kBegin + 1s));
  EXPECT_FALSE(cork.holds(false, kBegin + 1s));
}

TEST(Cork, LetsThemGoWhenTheFirstHasWaitedLongEnough) {
  Cork cork;
  EXPECT_TRUE(cork.holds(true, kBegin));
  EXPECT_TRUE(cork.holds(true, kBegin + Cork::kTime - 1ns));
  EXPECT_FALSE(cork.holds(true, kBegin + Cork::kTime));
}

TEST(Cork, TheTimeBeginsAgainBehindThoseThatWent) {
  Cork cork;
  EXPECT_TRUE(cork.holds(true, kBegin));
  EXPECT_FALSE(cork.holds(true, kBegin + 1s));
  EXPECT_TRUE(cork.holds(true, kBegin + 2s));
  EXPECT_FALSE(cork.holds(true, kBegin + 3s));
}

}  // namespace
}  // namespace ptyd
