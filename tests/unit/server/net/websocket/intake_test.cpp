#include "server/net/websocket/intake.hpp"

#include <gtest/gtest.h>

#include <deque>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class IntakeTest : public testing::Test {
 protected:
  struct FakeSender final : Sender {
    void on_no_room() override { given_up++; }
    int given_up = 0;
  };

  Intake intake_;
  FakeSender first_, second_, third_;
};

TEST_F(IntakeTest, TakesSoManyBytesAndNotOneMore) {
  intake_.hold(first_, 1);
  intake_.hold(second_, Intake::kMost - 1);
  EXPECT_EQ(first_.given_up + second_.given_up, 0);
  intake_.hold(third_, 1);
  EXPECT_EQ(first_.given_up, 1) << "it began first";
  EXPECT_EQ(second_.given_up + third_.given_up, 0);
  EXPECT_EQ(intake_.bytes(), Intake::kMost);
}

TEST_F(IntakeTest, GivesUpAsManyAsItTakesTheOldestFirst) {
  intake_.hold(first_, 10);
  intake_.hold(second_, 20);
  intake_.hold(first_, 15);
  intake_.hold(third_, Intake::kMost - 10);
  EXPECT_EQ(first_.given_up, 1);
  EXPECT_EQ(second_.given_up, 1);
  EXPECT_EQ(third_.given_up, 0);
  EXPECT_EQ(intake_.bytes(), Intake::kMost - 10);
}

TEST_F(IntakeTest, AMessageAloneThatIsTooLongIsGivenUp) {
  intake_.hold(first_, Intake::kMost + 1);
  EXPECT_EQ(first_.given_up, 1);
  EXPECT_EQ(intake_.bytes(), 0u);
}

TEST_F(IntakeTest, AMessageThatHasEndedHoldsNothing) {
  intake_.hold(first_, 10);
  intake_.hold(first_, 0);
  intake_.hold(first_, 0);
  EXPECT_EQ(intake_.bytes(), 0u);
  intake_.hold(second_, Intake::kMost);
  intake_.hold(first_, 1);
  EXPECT_EQ(second_.given_up, 1) << "its message began before the second of the other";
}

class MessageTimeTest : public testing::Test {
 protected:
  bool may_go_on(MessageTime::Share& share, MessageTime::Duration time) {
    time_.take(share, time, now_);
    return time_.next_turn(share, now_) == now_;
  }

  MessageTime time_;
  TimePoint now_{1h};
  MessageTime::Share greedy_, modest_;
};

TEST_F(MessageTimeTest, OneConnectionMayTakeWhatAllMayIfNoOtherWantsIt) {
  EXPECT_TRUE(may_go_on(greedy_, MessageTime::kOfAll - 1ns));
  EXPECT_FALSE(may_go_on(greedy_, 1ns));
}

TEST_F(MessageTimeTest, EachHasItsPartWhateverOthersTook) {
  EXPECT_FALSE(may_go_on(greedy_, 1s));
  EXPECT_TRUE(may_go_on(modest_, MessageTime::kOfOne - 1ns));
  EXPECT_FALSE(may_go_on(modest_, 1ns));
}

TEST(MessageTimeOfViewers, IsForAllTogetherAndForEachOnceInAnyCase) {
  MessageTime time(MessageTime::kOfViewers, {});
  MessageTime::Share first, second;
  const TimePoint now{1h};
  time.take(first, MessageTime::kOfViewers - 1ns, now);
  EXPECT_EQ(time.next_turn(first, now), now);
  time.take(first, 1ns, now);
  EXPECT_EQ(time.next_turn(first, now), now + MessageTime::kWindow);
  EXPECT_EQ(time.next_turn(second, now), now) << "it has taken nothing in this window";
  time.take(second, 1ns, now);
  EXPECT_EQ(time.next_turn(second, now), now + MessageTime::kWindow);
}

TEST_F(MessageTimeTest, GoesOnInTheNextWindow) {
  EXPECT_FALSE(may_go_on(greedy_, MessageTime::kOfAll));
  const auto next = now_ + MessageTime::kWindow;
  EXPECT_EQ(time_.next_turn(greedy_, now_), next);
  EXPECT_EQ(time_.next_turn(greedy_, next - 1ns), next);
  EXPECT_EQ(time_.next_turn(greedy_, next), next);
  now_ = next;
  EXPECT_TRUE(may_go_on(greedy_, MessageTime::kOfOne)) << "what it took before is forgotten";
}

}  // namespace
}  // namespace ptyd
