#include "server/net/access/line_pace.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class LinePaceTest : public testing::Test {
 protected:
  void fill() {
    for (std::size_t i = 0; i < LinePace::kBurst; i++) EXPECT_EQ(pace_.take(now_), 0u) << i;
  }

  AddressPace::Clock::time_point now_{1h};
  LinePace pace_;
};

TEST_F(LinePaceTest, SoManyLinesComeAtOnceAndNotOneMore) {
  fill();
  EXPECT_EQ(pace_.take(now_), std::nullopt);
}

TEST_F(LinePaceTest, OneMoreComesAfterAWhileAndTellsHowManyDidNot) {
  fill();
  for (int i = 0; i < 5; i++) EXPECT_EQ(pace_.take(now_), std::nullopt);
  EXPECT_EQ(pace_.take(now_ + LinePace::kRefill - 1ms), std::nullopt);
  EXPECT_EQ(pace_.take(now_ + LinePace::kRefill), 6u);
  EXPECT_EQ(pace_.take(now_ + LinePace::kRefill), std::nullopt);
  EXPECT_EQ(pace_.take(now_ + LinePace::kRefill * 2), 1u) << "only those since the last line";
}

}  // namespace
}  // namespace ptyd
