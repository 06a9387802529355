#include "server/net/websocket/ledger.hpp"

#include <gtest/gtest.h>

#include <map>

namespace ptyd {
namespace {

class LedgerTest : public testing::Test {
 protected:
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
  ledger_.sent(1, Ledger::kMinProve - 1, Proof::pong);
  EXPECT_FALSE(ledger_.wants_ping(true));
  ledger_.sent(1, 1, Proof::pong);
  EXPECT_TRUE(ledger_.wants_ping(true));
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.sent(1, Ledger::kMaxProve, Proof::pong);
  EXPECT_TRUE(ledger_.wants_ping(false));
}

TEST_F(LedgerTest, OnlyOnePingIsOnItsWay) {
  ledger_.sent(1, Ledger::kMaxProve, Proof::pong);
  const auto number = ledger_.ping();
  ledger_.sent(1, Ledger::kMaxProve, Proof::pong);
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.pong(number);
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
