#include "server/net/websocket/ack_tracker.hpp"

#include <gtest/gtest.h>

#include <map>

namespace ptyd {
namespace {

class AckTrackerTest : public testing::Test {
 protected:
  /// A round trip in which so much was sent.
  void carry(std::size_t bytes) {
    const auto before = ack_tracker_.ping();
    ack_tracker_.sent(1, bytes, AckKind::pong);
    ack_tracker_.ping();
    ack_tracker_.pong(before);
  }

  std::map<SubscriptionId, std::size_t> credited_;
  AckTracker ack_tracker_{[this](SubscriptionId id, std::size_t bytes) { credited_[id] += bytes; }};
};

TEST_F(AckTrackerTest, APongAcksEverythingSentBeforeItsPing) {
  ack_tracker_.sent(1, 100, AckKind::pong);
  ack_tracker_.sent(2, 50, AckKind::pong);
  const auto number = ack_tracker_.ping();
  ack_tracker_.sent(1, 7, AckKind::pong);
  ack_tracker_.pong(number);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_EQ(credited_[2], 50u);
}

TEST_F(AckTrackerTest, APongNobodyAskedForAcksNothing) {
  ack_tracker_.sent(1, 100, AckKind::pong);
  ack_tracker_.pong(1);
  EXPECT_TRUE(credited_.empty());
  const auto number = ack_tracker_.ping();
  ack_tracker_.pong(number + 1);
  EXPECT_TRUE(credited_.empty());
}

TEST_F(AckTrackerTest, AnAckIsAskedForAtTheThresholdAndSoonerOnAQuietLine) {
  carry(2 * AckTracker::kMaxAck);
  ack_tracker_.sent(1, AckTracker::kMinAck - 1, AckKind::pong);
  EXPECT_FALSE(ack_tracker_.wants_ping(true));
  ack_tracker_.sent(1, 1, AckKind::pong);
  EXPECT_TRUE(ack_tracker_.wants_ping(true));
  EXPECT_FALSE(ack_tracker_.wants_ping(false));
  ack_tracker_.sent(1, AckTracker::kMaxAck, AckKind::pong);
  EXPECT_TRUE(ack_tracker_.wants_ping(false));
}

TEST_F(AckTrackerTest, NoMorePingsAreOnTheirWayThanAllowed) {
  std::uint64_t first = 0;
  for (std::size_t n = 0; n < AckTracker::kMaxPings; n++) {
    ack_tracker_.sent(1, AckTracker::kMaxAck, AckKind::pong);
    EXPECT_TRUE(ack_tracker_.wants_ping(false)) << n;
    const auto number = ack_tracker_.ping();
    if (n == 0) first = number;
  }
  ack_tracker_.sent(1, AckTracker::kMaxAck, AckKind::pong);
  EXPECT_FALSE(ack_tracker_.wants_ping(false));
  EXPECT_FALSE(ack_tracker_.wants_ping(true));
  ack_tracker_.pong(first);
  EXPECT_TRUE(ack_tracker_.wants_ping(false));
}

TEST_F(AckTrackerTest, APongAnswersThePingsBeforeIt) {
  ack_tracker_.sent(1, 100, AckKind::pong);
  const auto first = ack_tracker_.ping();
  ack_tracker_.sent(1, 30, AckKind::pong);
  ack_tracker_.pong(ack_tracker_.ping());
  EXPECT_EQ(credited_[1], 130u);
  ack_tracker_.pong(first);
  EXPECT_EQ(credited_[1], 130u);
}

TEST_F(AckTrackerTest, TheFirstAckIsAskedForAsSoonAsAny) {
  ack_tracker_.sent(1, AckTracker::kMinAck - 1, AckKind::pong);
  EXPECT_FALSE(ack_tracker_.wants_ping(false));
  ack_tracker_.sent(1, 1, AckKind::pong);
  EXPECT_TRUE(ack_tracker_.wants_ping(false));
}

TEST_F(AckTrackerTest, AcksAreAskedForAboutTwiceInWhatARoundTripCarries) {
  const auto before = ack_tracker_.ping();
  ack_tracker_.sent(1, 40'000, AckKind::pong);
  ack_tracker_.pong(before);
  ack_tracker_.ping();
  ack_tracker_.sent(1, 19'999, AckKind::pong);
  EXPECT_FALSE(ack_tracker_.wants_ping(false));
  ack_tracker_.sent(1, 1, AckKind::pong);
  EXPECT_TRUE(ack_tracker_.wants_ping(false));
}

TEST_F(AckTrackerTest, ConfirmationsAckFramesOfEffectRpcInTheirOrder) {
  ack_tracker_.sent(1, 100, AckKind::confirmation);
  ack_tracker_.sent(0, 0, AckKind::confirmation);  // an event that is no output is confirmed like any other
  ack_tracker_.sent(2, 30, AckKind::confirmation);
  ack_tracker_.confirmed(2);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_FALSE(credited_.contains(2));
  ack_tracker_.confirmed(1);
  EXPECT_EQ(credited_[2], 30u);
}

TEST_F(AckTrackerTest, WhatIsToBeConfirmedIsNeverAckedByAPongNotEvenBeforeTheFirstConfirmation) {
  ack_tracker_.sent(1, AckTracker::kMaxAck, AckKind::confirmation);
  EXPECT_FALSE(ack_tracker_.wants_ping(false));
  ack_tracker_.pong(ack_tracker_.ping());
  EXPECT_TRUE(credited_.empty());
}

TEST_F(AckTrackerTest, WhatIsNotConfirmedKeepsBackNothingThatPongsAck) {
  ack_tracker_.sent(1, 100, AckKind::confirmation);
  ack_tracker_.sent(2, 30, AckKind::pong);
  ack_tracker_.pong(ack_tracker_.ping());
  EXPECT_EQ(credited_[2], 30u);
  EXPECT_FALSE(credited_.contains(1));
  ack_tracker_.sent(2, 7, AckKind::pong);
  ack_tracker_.confirmed(1);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_EQ(credited_[2], 30u) << "nor the other way round";
}

TEST_F(AckTrackerTest, WhatIsAccountedForElsewhereGivesNoCredit) {
  ack_tracker_.sent(1, 100, AckKind::confirmation);
  ack_tracker_.sent(1, 30, AckKind::pong);
  ack_tracker_.drop(1);
  ack_tracker_.confirmed(1);
  ack_tracker_.pong(ack_tracker_.ping());
  EXPECT_TRUE(credited_.empty());
}

TEST_F(AckTrackerTest, WhatNobodyWaitsForAnyMoreIsAckedAsSoonAsItIsSent) {
  ack_tracker_.confirmed(1);
  ack_tracker_.sent(1, 100, AckKind::confirmation);
  ack_tracker_.sent(1, 30, AckKind::confirmation);
  ack_tracker_.settle();
  EXPECT_EQ(credited_[1], 100u);
}

TEST_F(AckTrackerTest, EventsOfOneFrameAreConfirmedTogether) {
  ack_tracker_.sent(1, 100, AckKind::confirmation);
  ack_tracker_.sent_along(2, 30, AckKind::confirmation);
  ack_tracker_.sent(3, 7, AckKind::confirmation);
  ack_tracker_.confirmed(1);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_EQ(credited_[2], 30u);
  EXPECT_FALSE(credited_.contains(3));
}

TEST_F(AckTrackerTest, AClientThatConfirmsNothingIsFullAfterItsFirstWindow) {
  ack_tracker_.begun(AckTracker::kFirstUnconfirmed - 1);
  EXPECT_FALSE(ack_tracker_.is_full());
  ack_tracker_.begun(1);
  EXPECT_TRUE(ack_tracker_.is_full());
  ack_tracker_.pong(ack_tracker_.ping());
  EXPECT_TRUE(ack_tracker_.is_full());
}

TEST_F(AckTrackerTest, AClientThatConfirmsMayBeSentMoreAndIsFullToo) {
  ack_tracker_.begun(1);
  ack_tracker_.confirmed(1);
  ack_tracker_.begun(AckTracker::kMaxUnconfirmed - 1);
  EXPECT_FALSE(ack_tracker_.is_full());
  ack_tracker_.begun(1);
  ack_tracker_.begun(1);  // sent all the same; these two are counted together
  EXPECT_TRUE(ack_tracker_.is_full());
  ack_tracker_.confirmed(1);
  EXPECT_FALSE(ack_tracker_.is_full());
}

TEST_F(AckTrackerTest, WhatNobodyWaitsForAnyMoreFillsNothing) {
  ack_tracker_.confirmed(1);
  ack_tracker_.begun(AckTracker::kMaxUnconfirmed);
  EXPECT_FALSE(ack_tracker_.is_full());
}

}  // namespace
}  // namespace ptyd
