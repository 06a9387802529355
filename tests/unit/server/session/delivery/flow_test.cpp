#include "server/session/delivery/flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

const TimePoint kStart{1000s};

TEST(Credit, HasRoomForItsWindowAndNotForOneByteMore) {
  Credit credit;
  EXPECT_EQ(credit.room(), flow::kMinWindow);
  credit.on_sent(flow::kMinWindow - 1, kStart);
  EXPECT_EQ(credit.room(), 1u);
  credit.on_sent(1, kStart + 1ms);
  EXPECT_EQ(credit.room(), 0u);
  EXPECT_EQ(credit.room_for(1), 0u);
  EXPECT_EQ(credit.starved_since(), kStart) << "since there was no room worth a frame";
}

TEST(Credit, StarvesWhenItsRoomIsNotWorthAFrame) {
  Credit credit;
  credit.on_sent(flow::kMinWindow - 2, kStart);
  EXPECT_EQ(credit.starved_since(), kStart) << "text is cut between characters";
  EXPECT_EQ(credit.room_for(3), 0u);
  EXPECT_EQ(credit.room_for(2), 2u) << "but it is enough for all there is";
  credit.on_returned(flow::kMinWindow / 2, {}, kStart + 1ms);
  EXPECT_FALSE(credit.starved_since());
  EXPECT_GT(credit.room_for(flow::kMinWindow), 0u);
}

TEST(Credit, NoFrameIsLongerThanTheWindowHasRoomFor) {
  Credit credit;
  EXPECT_EQ(credit.room_for(flow::kMaxFrame), flow::kMinWindow / 2) << "the next one is sent while it is on its way";
  credit.on_sent(flow::kMinWindow / 2 + 1, kStart);
  EXPECT_EQ(credit.room_for(flow::kMaxFrame), flow::kMinWindow / 2 - 1);
}

TEST(Credit, WhatWasNotSentAfterAllSaysNothingAboutTheLine) {
  Credit credit;
  credit.on_sent(flow::kMinWindow, kStart);
  credit.take_back(flow::kMinWindow);
  EXPECT_EQ(credit.room(), flow::kMinWindow);
  EXPECT_FALSE(credit.starved_since());
  EXPECT_EQ(credit.window(), flow::kMinWindow);
}

TEST(Credit, TakesBackNoMoreThanWasSent) {
  Credit credit;
  credit.on_sent(10, kStart);
  credit.on_returned(1000, {}, kStart);
  EXPECT_EQ(credit.in_flight(), 0u);
  EXPECT_EQ(credit.room(), flow::kMinWindow);
}

TEST(Credit, StartsAfreshWithAWholeWindow) {
  Credit credit;
  credit.on_sent(flow::kMinWindow, kStart);
  credit.reset();
  EXPECT_EQ(credit.room(), flow::kMinWindow);
  EXPECT_FALSE(credit.starved_since());
}

/// A link that carries so many bytes per second, there and back in 1 ms: each frame is acked when it has come.
class Carrier {
 public:
  explicit Carrier(double rate) : rate_(rate) {}

  /// More is always waiting.
  void flood(std::chrono::milliseconds time) {
    for (const auto end = now_ + time; now_ < end; now_ += 1ms) {
      ack();
      for (auto bytes = credit_.room_for(flow::kMaxFrame); bytes > 0; bytes = credit_.room_for(flow::kMaxFrame))
        send(bytes);
    }
  }
  void send(std::size_t bytes) {
    credit_.on_sent(bytes, now_);
    const auto takes = std::chrono::duration<double>(static_cast<double>(bytes) / rate_);
    free_at_ = std::max(free_at_, now_) + std::chrono::duration_cast<TimePoint::duration>(takes);
    under_way_.push_back({free_at_ + 1ms, now_, bytes});
  }
  void wait(std::chrono::milliseconds time) {
    now_ += time;
    ack();
  }
  const Credit& credit() const { return credit_; }

 private:
  struct Frame {
    TimePoint acked, sent;
    std::size_t bytes;
  };
  void ack() {
    for (; !under_way_.empty() && under_way_.front().acked <= now_; under_way_.pop_front())
      credit_.on_returned(under_way_.front().bytes, under_way_.front().sent, now_);
  }

  double rate_;
  Credit credit_;
  TimePoint now_ = kStart, free_at_ = kStart;
  std::deque<Frame> under_way_;
};

TEST(Credit, AWindowIsWhatASlowLineCarriesInItsQueueTime) {
  Carrier link(200'000);
  link.flood(3s);
  EXPECT_GE(link.credit().window(), 12'000u);
  EXPECT_LE(link.credit().window(), 28'000u);
}

TEST(Credit, AWindowNeverShrinksBelowItsMinimum) {
  Carrier link(1'000);
  link.flood(60s);
  EXPECT_EQ(link.credit().window(), flow::kMinWindow);
}

TEST(Credit, AWindowGrowsToItsMaximumOnAFastLine) {
  Carrier link(50'000'000);
  link.flood(1s);
  EXPECT_EQ(link.credit().window(), flow::kMaxWindow);
}

TEST(Credit, AProgramThatPrintsLittleSaysNothingAboutTheLine) {
  Carrier link(50'000'000);
  for (int i = 0; i < 1000; i++) {
    link.send(10);
    link.wait(30ms);
  }
  EXPECT_EQ(link.credit().window(), flow::kMinWindow);
  EXPECT_FALSE(link.credit().is_overrun_by(flow::kBudget));
}

// --- overrun

TEST(Credit, OfALineThatIsNotKnownNothingIsThoughtButTheBest) {
  const Credit credit;
  EXPECT_FALSE(credit.is_known());
  EXPECT_FALSE(credit.is_overrun_by(flow::kBudget));
  EXPECT_TRUE(credit.is_overrun_by(flow::kBudget + 1));
}

TEST(Credit, WhatALineDoesNotCarryInTheBudgetIsTooMuch) {
  Carrier link(100'000);
  link.flood(3s);
  const auto& credit = link.credit();
  EXPECT_TRUE(credit.is_known());
  EXPECT_FALSE(credit.is_overrun_by(4'000));
  EXPECT_TRUE(credit.is_overrun_by(26'000));
}

TEST(Credit, AScreenfulIsNeverTooMuch) {
  Carrier link(10'000);
  link.flood(5s);
  link.wait(5s);
  EXPECT_EQ(link.credit().in_flight(), 0u);
  EXPECT_FALSE(link.credit().is_overrun_by(flow::kMinBudget));
  EXPECT_TRUE(link.credit().is_overrun_by(flow::kMinBudget + 1));
}

TEST(Credit, WhoSetsThePaceIsNotOverrunByWhatThePaceLetsTheChildBeAhead) {
  Carrier link(512 << 10);
  link.flood(3s);
  EXPECT_TRUE(link.credit().is_known());
  EXPECT_FALSE(link.credit().is_overrun_by(flow::kPaceBudget));
  EXPECT_TRUE(link.credit().is_overrun_by(flow::kPaceBudget + 1));
}

TEST(Credit, OfWhatWasSkippedGoesAsMuchAsTheLineCarriesWithinBounds) {
  Carrier slow(1'000), middle(512 << 10), fast(50'000'000);
  for (auto* link : {&slow, &middle, &fast}) link->flood(20s);
  EXPECT_EQ(slow.credit().worth_of_skipped(), flow::kMinSkipped);
  EXPECT_NEAR(static_cast<double>(middle.credit().worth_of_skipped()), 52'000.0, 10'000.0);
  EXPECT_EQ(fast.credit().worth_of_skipped(), flow::kMaxSkipped);
}

TEST(Pacer, AChildWithoutViewersIsReadFreely) {
  Pacer pace;
  EXPECT_TRUE(pace.may_read(1 << 30, std::nullopt, kStart));
}

Pacer::Leader at(Position cursor) {
  return {cursor, true};
}

TEST(Pacer, AChildMayBeLessThanTheLeadAheadOfItsFastestViewer) {
  Pacer pace;
  EXPECT_TRUE(pace.may_read(100 + flow::kLead - 1, at(100), kStart));
  EXPECT_FALSE(pace.may_read(100 + flow::kLead, at(100), kStart));
}

TEST(Pacer, AfterItsPatienceTheChildGoesOnByOneLead) {
  Pacer pace;
  const Position head = 100 + flow::kLead;
  EXPECT_FALSE(pace.may_read(head, at(100), kStart));
  EXPECT_EQ(pace.retry_at(), kStart + flow::kPatience);
  EXPECT_FALSE(pace.may_read(head, at(100), kStart + flow::kPatience - 1us));
  EXPECT_TRUE(pace.may_read(head, at(100), kStart + flow::kPatience));
  EXPECT_TRUE(pace.may_read(head + flow::kLead - 1, at(100), kStart + flow::kPatience));
  EXPECT_FALSE(pace.may_read(head + flow::kLead, at(100), kStart + flow::kPatience));
}

TEST(Pacer, WithAViewerWhoseLineIsNotKnownItIsPatientForLonger) {
  Pacer pace;
  const Pacer::Leader unknown{0, false};
  EXPECT_FALSE(pace.may_read(flow::kLead, unknown, kStart));
  EXPECT_EQ(pace.retry_at(), kStart + flow::kPatienceWithNew * flow::kPatience);
  EXPECT_FALSE(pace.may_read(flow::kLead, unknown, pace.retry_at() - 1us));
  EXPECT_TRUE(pace.may_read(flow::kLead, unknown, kStart + flow::kPatienceWithNew * flow::kPatience));
}

TEST(Pacer, AViewerThatTakesNothingHoldsTheChildToNoLessThanPromised) {
  Pacer pace;
  Position head = flow::kLead;
  auto now = kStart;
  while (now < kStart + 10s) {
    if (pace.may_read(head, at(0), now))
      head += 16 << 10;
    else
      now = pace.retry_at();
  }
  EXPECT_GE(head, 10u * (450 << 10));
  EXPECT_LE(head, 10u * (460 << 10) + 3 * flow::kLead);
}

TEST(Pacer, NorDoesOneThatTakesALittleNowAndThen) {
  Pacer pace;
  Position head = flow::kLead, cursor = 0;
  for (auto now = kStart; now < kStart + 10s; now += 10ms) {
    cursor += 300;
    for (int reads = 0; reads < 8 && pace.may_read(head, at(cursor), now); reads++) head += 16 << 10;
  }
  EXPECT_GE(head, 9u * (450 << 10));
}

TEST(Pacer, AViewerThatCatchesUpFreesTheChildAtOnce) {
  Pacer pace;
  EXPECT_FALSE(pace.may_read(flow::kLead, at(0), kStart));
  EXPECT_TRUE(pace.may_read(flow::kLead, at(1), kStart + 1ms));
}

// --- what is not acked

TEST(InFlight, WhatIsTakenBackIsTheNewest) {
  InFlight in_flight;
  in_flight.on_sent(100, 4, {});
  in_flight.on_sent(104, 6, {});
  in_flight.take_back(2);
  EXPECT_EQ(in_flight.oldest(), 100u);
  in_flight.take_back(4);
  EXPECT_TRUE(in_flight.on_returned(4));
  EXPECT_EQ(in_flight.oldest(), std::nullopt) << "nothing is left of the newer one";
  in_flight.take_back(1);
}

TEST(InFlight, TheOldestIsTheFirstFrameThatIsNotAckedToItsEnd) {
  InFlight in_flight;
  EXPECT_FALSE(in_flight.oldest());
  in_flight.on_sent(100, 10, kStart);
  in_flight.on_sent(200, 10, kStart + 1ms);
  EXPECT_FALSE(in_flight.on_returned(9));
  EXPECT_EQ(in_flight.oldest(), 100u);
  EXPECT_EQ(in_flight.on_returned(1), kStart);
  EXPECT_EQ(in_flight.oldest(), 200u);
  in_flight.on_returned(1000);
  EXPECT_FALSE(in_flight.oldest());
}

TEST(InFlight, ManyFramesAreHeldFromTheFirstOfThoseThatCountAsOne) {
  InFlight in_flight;
  for (Position from = 0; from <= InFlight::kMost; from++) in_flight.on_sent(from, 1, kStart);
  in_flight.on_returned(InFlight::kMost);
  EXPECT_EQ(in_flight.oldest(), InFlight::kMost - 1);
  in_flight.on_returned(1);
  EXPECT_FALSE(in_flight.oldest());
}

TEST(InFlight, NothingIsLeftOfWhatNeedsNoAck) {
  InFlight in_flight;
  in_flight.on_sent(100, 10, kStart);
  in_flight.reset();
  EXPECT_FALSE(in_flight.oldest());
}

}  // namespace
}  // namespace ptyd
