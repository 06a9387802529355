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
  ledger_.sent(1, 100, Language::envelope);
  ledger_.sent(2, 50, Language::envelope);
  const auto number = ledger_.ping();
  ledger_.sent(1, 7, Language::envelope);
  ledger_.pong(number);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_EQ(credited_[2], 50u);
}

TEST_F(LedgerTest, APongNobodyAskedForProvesNothing) {
  ledger_.sent(1, 100, Language::envelope);
  ledger_.pong(1);
  EXPECT_TRUE(credited_.empty());
  const auto number = ledger_.ping();
  ledger_.pong(number + 1);
  EXPECT_TRUE(credited_.empty());
}

TEST_F(LedgerTest, AProofIsAskedForAtTheThresholdAndSoonerOnAQuietLine) {
  ledger_.sent(1, Ledger::kMinProve - 1, Language::envelope);
  EXPECT_FALSE(ledger_.wants_ping(true));
  ledger_.sent(1, 1, Language::envelope);
  EXPECT_TRUE(ledger_.wants_ping(true));
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.sent(1, Ledger::kMaxProve, Language::envelope);
  EXPECT_TRUE(ledger_.wants_ping(false));
}

TEST_F(LedgerTest, OnlyOnePingIsOnItsWay) {
  ledger_.sent(1, Ledger::kMaxProve, Language::envelope);
  const auto number = ledger_.ping();
  ledger_.sent(1, Ledger::kMaxProve, Language::envelope);
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.pong(number);
  EXPECT_TRUE(ledger_.wants_ping(false));
}

TEST_F(LedgerTest, ConfirmationsProveFramesOfEffectRpcInTheirOrder) {
  ledger_.rely_on_confirmations();
  ledger_.sent(1, 100, Language::effect_rpc);
  ledger_.sent(0, 0, Language::effect_rpc);  // an event that is no output is confirmed like any other
  ledger_.sent(2, 30, Language::effect_rpc);
  ledger_.confirmed(2);
  EXPECT_EQ(credited_[1], 100u);
  EXPECT_FALSE(credited_.contains(2));
  ledger_.confirmed(1);
  EXPECT_EQ(credited_[2], 30u);
}

TEST_F(LedgerTest, AClientThatConfirmsIsNotBelievedByItsPongs) {
  ledger_.rely_on_confirmations();
  ledger_.sent(1, Ledger::kMaxProve, Language::effect_rpc);
  EXPECT_FALSE(ledger_.wants_ping(false));
  ledger_.pong(ledger_.ping());
  EXPECT_TRUE(credited_.empty());
}

TEST_F(LedgerTest, WhatNobodyWaitsForAnyMoreIsProvedAsSoonAsItIsSent) {
  ledger_.rely_on_confirmations();
  ledger_.confirmed(1);
  ledger_.sent(1, 100, Language::effect_rpc);
  ledger_.sent(1, 30, Language::effect_rpc);
  ledger_.settle();
  EXPECT_EQ(credited_[1], 100u);
}

}  // namespace
}  // namespace ptyd
