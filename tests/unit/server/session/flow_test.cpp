#include "server/session/flow.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

const TimePoint kStart{1000s};

TEST(Credit, HasRoomForItsWindowAndNotForOneByteMore) {
  Credit credit;
  EXPECT_EQ(credit.room(), flow::kInitialWindow);
  credit.on_sent(flow::kInitialWindow - 1, kStart);
  EXPECT_EQ(credit.room(), 1u);
  EXPECT_FALSE(credit.starved_since());
  credit.on_sent(1, kStart + 1ms);
  EXPECT_EQ(credit.room(), 0u);
  EXPECT_EQ(credit.starved_since(), kStart + 1ms);
}

TEST(Credit, StarvesNoLongerOnceAnythingCameBack) {
  Credit credit;
  credit.on_sent(flow::kInitialWindow, kStart);
  credit.on_returned(1, kStart + 1ms);
  EXPECT_FALSE(credit.starved_since());
  EXPECT_EQ(credit.room(), 1u);
}

TEST(Credit, TakesBackNoMoreThanWasSent) {
  Credit credit;
  credit.on_sent(10, kStart);
  credit.on_returned(1000, kStart);
  EXPECT_EQ(credit.in_flight(), 0u);
  EXPECT_EQ(credit.room(), flow::kInitialWindow);
}

TEST(Credit, StartsAfreshWithAWholeWindow) {
  Credit credit;
  credit.on_sent(flow::kInitialWindow, kStart);
  credit.start_afresh();
  EXPECT_EQ(credit.room(), flow::kInitialWindow);
  EXPECT_FALSE(credit.starved_since());
}

/// Sends whatever there is room for and gets it back at `rate` bytes per second, in steps of 10 ms.
void run_at(Credit& credit, std::size_t rate, std::chrono::milliseconds time) {
  auto now = kStart;
  for (auto spent = 0ms; spent < time; spent += 10ms) {
    if (credit.room() > 0) credit.on_sent(credit.room(), now);
    now += 10ms;
    credit.on_returned(rate / 100, now);
  }
}

TEST(Credit, AWindowShrinksToAQuarterSecondOfASlowLine) {
  Credit credit;
  run_at(credit, 100'000, 3s);
  EXPECT_GE(credit.window(), 20'000u);
  EXPECT_LE(credit.window(), 30'000u);
}

TEST(Credit, AWindowNeverShrinksBelowItsMinimum) {
  Credit credit;
  run_at(credit, 1'000, 10s);
  EXPECT_EQ(credit.window(), flow::kMinWindow);
}

TEST(Credit, AWindowGrowsToItsMaximumOnAFastLine) {
  Credit credit;
  run_at(credit, 50'000'000, 1s);
  EXPECT_EQ(credit.window(), flow::kMaxWindow);
}

TEST(Credit, AProgramThatPrintsLittleSaysNothingAboutTheLine) {
  Credit credit;
  auto now = kStart;
  for (int i = 0; i < 1000; i++) {
    credit.on_sent(10, now);
    now += 30ms;
    credit.on_returned(10, now);
  }
  EXPECT_EQ(credit.window(), flow::kInitialWindow);
}

TEST(Pace, AChildWithoutViewersIsReadFreely) {
  Pace pace;
  EXPECT_TRUE(pace.may_read(1 << 30, std::nullopt, kStart));
}

TEST(Pace, AChildMayBeLessThanTheLeadAheadOfItsFastestViewer) {
  Pace pace;
  EXPECT_TRUE(pace.may_read(100 + flow::kLead - 1, 100, kStart));
  EXPECT_FALSE(pace.may_read(100 + flow::kLead, 100, kStart));
}

TEST(Pace, AfterItsPatienceTheChildGoesOnByOneLead) {
  Pace pace;
  const Position head = 100 + flow::kLead;
  EXPECT_FALSE(pace.may_read(head, 100, kStart));
  EXPECT_EQ(pace.retry_at(), kStart + flow::kPatience);
  EXPECT_FALSE(pace.may_read(head, 100, kStart + flow::kPatience - 1us));
  EXPECT_TRUE(pace.may_read(head, 100, kStart + flow::kPatience));
  EXPECT_TRUE(pace.may_read(head + flow::kLead - 1, 100, kStart + flow::kPatience));
  EXPECT_FALSE(pace.may_read(head + flow::kLead, 100, kStart + flow::kPatience));
}

TEST(Pace, AViewerThatTakesNothingHoldsTheChildToNoLessThanThreeMegabytesASecond) {
  Pace pace;
  Position head = flow::kLead;
  auto now = kStart;
  while (now < kStart + 1s) {
    if (pace.may_read(head, 0, now))
      head += 16 << 10;
    else
      now = pace.retry_at();
  }
  EXPECT_GE(head, 3'000'000u);
  EXPECT_LE(head, 3'500'000u);
}

TEST(Pace, AViewerThatCatchesUpFreesTheChildAtOnce) {
  Pace pace;
  EXPECT_FALSE(pace.may_read(flow::kLead, 0, kStart));
  EXPECT_TRUE(pace.may_read(flow::kLead, 1, kStart + 1ms));
}

// --- what is not proved

TEST(Unproved, TheOldestIsTheFirstFrameThatIsNotProvedToItsEnd) {
  Unproved unproved;
  EXPECT_FALSE(unproved.oldest());
  unproved.on_sent(100, 10);
  unproved.on_sent(200, 10);
  unproved.on_returned(9);
  EXPECT_EQ(unproved.oldest(), 100u);
  unproved.on_returned(1);
  EXPECT_EQ(unproved.oldest(), 200u);
  unproved.on_returned(1000);
  EXPECT_FALSE(unproved.oldest());
}

TEST(Unproved, ManyFramesAreHeldFromTheFirstOfThoseThatCountAsOne) {
  Unproved unproved;
  for (Position from = 0; from <= Unproved::kMost; from++) unproved.on_sent(from, 1);
  unproved.on_returned(Unproved::kMost);
  EXPECT_EQ(unproved.oldest(), Unproved::kMost - 1);
  unproved.on_returned(1);
  EXPECT_FALSE(unproved.oldest());
}

TEST(Unproved, NothingIsLeftOfWhatNeedsNoProof) {
  Unproved unproved;
  unproved.on_sent(100, 10);
  unproved.start_afresh();
  EXPECT_FALSE(unproved.oldest());
}

}  // namespace
}  // namespace ptyd
