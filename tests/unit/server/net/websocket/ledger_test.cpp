#include "server/net/websocket/ledger.hpp"

#include <gtest/gtest.h>

#include <map>

namespace ptyd {
namespace {

class LedgerTest : public testing::Test {
 protected:
  /// A round trip in which so much was sent.
  void carry(std::size_t bytes) {
    const auto before = ledger_.ping();
    ledger_.sent(1, bytes, Proof::pong);
    ledger_.ping();
    ledger_.pong(before);
  }

  std::map<SubscriptionId, std::size_t> credited_;
  Ledger ledger_{[this](SubscriptionId id, std::size_t bytes) { credited_[id] += bytes; }};
};

TEST_F(LedgerTest, APongProvesEverythingSentBeforeItsPing) {
  ledger_.sent(1, 100, Proof::pong);
  ledger_.sent(2, 50, Proof::pong);
  const auto number = ledger_.ping();
  ledger_.sent(1, 7, Proof::pong);
  ledger_.pong(number);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_EQ(credited_[2], 50u);
}

TEST_F(LedgerTest, APongNobodyAskedForProvesNothing) {
  ledger_.sent(1, 100, Proof::pong);
  ledger_.pong(1);
  EXPECT_TRUE(credited_.empty());
  const auto number = ledger_.ping();
  ledger_.pong(number + 1);
  EXPECT_TRUE(credited_.empty());
}

TEST_F(LedgerTest, AProofIsAskedForAtTheThresholdAndSoonerOnAQuietLine) {
  carry(2 * Ledger::kMaxProve);
  ledger_.sent(1, Ledger::kMinProve - 1, Proof::pong);
  EXPECT_FALSE(ledger_.wants_ping(true));
  ledger_.sent(1, 1, Proof::pong);
  EXPECT_TRUE(ledger_.wants_ping(true));
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.sent(1, Ledger::kMaxProve, Proof::pong);
  EXPECT_TRUE(ledger_.wants_ping(false));
}

TEST_F(LedgerTest, NoMorePingsAreOnTheirWayThanAllowed) {
  std::uint64_t first = 0;
  for (std::size_t n = 0; n < Ledger::kMaxPings; n++) {
    ledger_.sent(1, Ledger::kMaxProve, Proof::pong);
    EXPECT_TRUE(ledger_.wants_ping(false)) << n;
    const auto number = ledger_.ping();
    if (n == 0) first = number;
  }
  ledger_.sent(1, Ledger::kMaxProve, Proof::pong);
  EXPECT_FALSE(ledger_.wants_ping(false));
  EXPECT_FALSE(ledger_.wants_ping(true));
  ledger_.pong(first);
  EXPECT_TRUE(ledger_.wants_ping(false));
}

TEST_F(LedgerTest, APongAnswersThePingsBeforeIt) {
  ledger_.sent(1, 100, Proof::pong);
  const auto first = ledger_.ping();
  ledger_.sent(1, 30, Proof::pong);
  ledger_.pong(ledger_.ping());
  EXPECT_EQ(credited_[1], 130u);
  ledger_.pong(first);
  EXPECT_EQ(credited_[1], 130u);
}

TEST_F(LedgerTest, TheFirstProofIsAskedForAsSoonAsAny) {
  ledger_.sent(1, Ledger::kMinProve - 1, Proof::pong);
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.sent(1, 1, Proof::pong);
  EXPECT_TRUE(ledger_.wants_ping(false));
}

TEST_F(LedgerTest, ProofsAreAskedForAboutTwiceInWhatARoundTripCarries) {
  const auto before = ledger_.ping();
  ledger_.sent(1, 40'000, Proof::pong);
  ledger_.pong(before);
  ledger_.ping();
  ledger_.sent(1, 19'999, Proof::pong);
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.sent(1, 1, Proof::pong);
  EXPECT_TRUE(ledger_.wants_ping(false));
}

TEST_F(LedgerTest, ConfirmationsProveFramesOfEffectRpcInTheirOrder) {
  ledger_.sent(1, 100, Proof::confirmation);
  ledger_.sent(0, 0, Proof::confirmation);  // an event that is no output is confirmed like any other
  ledger_.sent(2, 30, Proof::confirmation);
  ledger_.confirmed(2);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_FALSE(credited_.contains(2));
  ledger_.confirmed(1);
  EXPECT_EQ(credited_[2], 30u);
}

TEST_F(LedgerTest, WhatIsToBeConfirmedIsNeverProvedByAPongNotEvenBeforeTheFirstConfirmation) {
  ledger_.sent(1, Ledger::kMaxProve, Proof::confirmation);
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.pong(ledger_.ping());
  EXPECT_TRUE(credited_.empty());
}

TEST_F(LedgerTest, WhatIsNotConfirmedKeepsBackNothingThatPongsProve) {
  ledger_.sent(1, 100, Proof::confirmation);
  ledger_.sent(2, 30, Proof::pong);
  ledger_.pong(ledger_.ping());
  EXPECT_EQ(credited_[2], 30u);
  EXPECT_FALSE(credited_.contains(1));
  ledger_.sent(2, 7, Proof::pong);
  ledger_.confirmed(1);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_EQ(credited_[2], 30u) << "nor the other way round";
}

TEST_F(LedgerTest, WhatIsAccountedForElsewhereGivesNoCredit) {
  ledger_.sent(1, 100, Proof::confirmation);
  ledger_.sent(1, 30, Proof::pong);
  ledger_.drop(1);
  ledger_.confirmed(1);
  ledger_.pong(ledger_.ping());
  EXPECT_TRUE(credited_.empty());
}

TEST_F(LedgerTest, WhatNobodyWaitsForAnyMoreIsProvedAsSoonAsItIsSent) {
  ledger_.confirmed(1);
  ledger_.sent(1, 100, Proof::confirmation);
  ledger_.sent(1, 30, Proof::confirmation);
  ledger_.settle();
  EXPECT_EQ(credited_[1], 100u);
}

TEST_F(LedgerTest, EventsOfOneFrameAreConfirmedTogether) {
  ledger_.sent(1, 100, Proof::confirmation);
  ledger_.sent_along(2, 30, Proof::confirmation);
  ledger_.sent(3, 7, Proof::confirmation);
  ledger_.confirmed(1);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_EQ(credited_[2], 30u);
  EXPECT_FALSE(credited_.contains(3));
}

TEST_F(LedgerTest, AClientThatConfirmsNothingIsFullAfterItsFirstWindow) {
  ledger_.begun(Ledger::kFirstUnconfirmed - 1);
  EXPECT_FALSE(ledger_.is_full());
  ledger_.begun(1);
  EXPECT_TRUE(ledger_.is_full());
  ledger_.pong(ledger_.ping());
  EXPECT_TRUE(ledger_.is_full());
}

TEST_F(LedgerTest, AClientThatConfirmsMayBeSentMoreAndIsFullToo) {
  ledger_.begun(1);
  ledger_.confirmed(1);
  ledger_.begun(Ledger::kMaxUnconfirmed - 1);
  EXPECT_FALSE(ledger_.is_full());
  ledger_.begun(1);
  ledger_.begun(1);  // sent all the same; these two are counted together
  EXPECT_TRUE(ledger_.is_full());
  ledger_.confirmed(1);
  EXPECT_FALSE(ledger_.is_full());
}

TEST_F(LedgerTest, WhatNobodyWaitsForAnyMoreFillsNothing) {
  ledger_.confirmed(1);
  ledger_.begun(Ledger::kMaxUnconfirmed);
  EXPECT_FALSE(ledger_.is_full());
}

}  // namespace
}  // namespace ptyd
