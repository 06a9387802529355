#include "server/loop/loop_lag.hpp"

#include "tests/support/server/loop/loop_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class LoopLagTest : public LoopTest {
 protected:
  LoopLagTest() { lag_.start(); }
  /// The loop is busy for so long beyond its alarm.
  void be_late(std::chrono::milliseconds time) { pass(std::chrono::milliseconds(LoopLag::kEvery) + time); }
  std::uint64_t within(std::size_t bound) const { return lag_.times().within.at(bound); }

  LoopLag lag_{loop_};
};

TEST_F(LoopLagTest, ALoopThatIsInTimeHasNone) {
  for (int i = 0; i < 3; i++) be_late(0ms);
  EXPECT_EQ(lag_.times().count, 3u);
  EXPECT_EQ(lag_.times().sum_us, 0);
  EXPECT_EQ(lag_.times().longest_us, 0);
  EXPECT_EQ(within(0), 3u);
}

TEST_F(LoopLagTest, EachIsCountedAtItsBoundAndAboveIt) {
  for (const auto bound : LagTimes::kBounds) be_late(bound);
  for (std::size_t i = 0; i < LagTimes::kBounds.size(); i++) EXPECT_EQ(within(i), i + 1);
  be_late(LagTimes::kBounds.back() + 1ms);
  EXPECT_EQ(within(LagTimes::kBounds.size() - 1), LagTimes::kBounds.size()) << "that one is in no bound";
  EXPECT_EQ(lag_.times().count, LagTimes::kBounds.size() + 1);
  EXPECT_EQ(lag_.times().sum_us, (1 + 5 + 10 + 50 + 100 + 500 + 2000 + 2001) * 1000);
}

TEST_F(LoopLagTest, TheLongestIsForgottenAfterOneToTwoMinutes) {
  be_late(700ms);
  EXPECT_EQ(lag_.times().longest_us, 700'000);
  be_late(300ms);
  EXPECT_EQ(lag_.times().longest_us, 700'000);
  for (int i = 0; i < 60; i++) be_late(0ms);
  EXPECT_EQ(lag_.times().longest_us, 700'000) << "it was in the minute before";
  for (int i = 0; i < 60; i++) be_late(0ms);
  EXPECT_EQ(lag_.times().longest_us, 0);
}

}  // namespace
}  // namespace ptyd
