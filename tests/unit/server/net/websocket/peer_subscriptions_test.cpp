// Subscriptions of a peer, and which ack of their output comes to the session as credit.
#include "server/net/websocket/peer_subscriptions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/delivery/fake_publisher.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t kMuch = AckTracker::kMinAck;  // an ack is asked for

class PeerSubscriptionsTest : public testing::Test {
 protected:
  PeerSubscriptionsTest() {
    for (const SubscriptionId id : {1, 2}) subscriptions_.add({id, key(id), loop_, session_});
  }
  static SessionKey key(SubscriptionId id) { return {"thread", std::to_string(id)}; }
  void write(SubscriptionId id, std::size_t bytes) {
    const std::array parts{Outbox::Outgoing::Part{id, bytes}};
    subscriptions_.written(parts, AckKind::pong);
  }
  /// Calls that came to the session since the last time.
  std::vector<std::string> told() {
    loop_.context().restart();
    loop_.context().poll();
    return session_->take();
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
  std::shared_ptr<FakePublisher> session_ = std::make_shared<FakePublisher>();
  std::vector<std::uint64_t> pings_;
  PeerSubscriptions subscriptions_{loop_, [this](std::uint64_t number) { pings_.push_back(number); }};
};

TEST_F(PeerSubscriptionsTest, AnEventIsTakenWhenItIsWrittenAndCreditedWhenItIsAcked) {
  write(1, kMuch);
  EXPECT_THAT(told(), ElementsAre("taken 1"));
  ASSERT_EQ(pings_.size(), 1u);
  subscriptions_.pong(pings_[0]);
  EXPECT_THAT(told(), ElementsAre("returned 1: " + std::to_string(kMuch)));
}

TEST_F(PeerSubscriptionsTest, AnAckIsAskedForWhenTheLineIsQuiet) {
  auto& ack_tracker = subscriptions_.ack_tracker();
  const auto first = ack_tracker.ping();
  ack_tracker.sent(3, 2 * AckTracker::kMaxAck, AckKind::pong);
  ack_tracker.ping();
  ack_tracker.pong(first);
  write(1, kMuch);
  EXPECT_THAT(pings_, IsEmpty()) << "a round trip carries more";
  clock_.advance(4ms);
  told();
  EXPECT_THAT(pings_, IsEmpty());
  clock_.advance(1ms);
  told();
  EXPECT_EQ(pings_.size(), 1u);
}

TEST_F(PeerSubscriptionsTest, AcksTakeThePlaceOfPongsForTheirTerminalAndAckNoMoreThanWasWritten) {
  write(1, kMuch);
  write(2, kMuch);
  subscriptions_.acked({key(1), 100});
  subscriptions_.acked({key(1), 1 << 20});
  subscriptions_.acked({{"thread", "unknown"}, 1});
  EXPECT_THAT(told(),
              ElementsAre("taken 1", "taken 2", "returned 1: 100", "returned 1: " + std::to_string(kMuch - 100)));
  for (const auto number : pings_) subscriptions_.pong(number);
  EXPECT_THAT(told(), ElementsAre("returned 2: " + std::to_string(kMuch)));
}

TEST_F(PeerSubscriptionsTest, BetweenAReplyThatWaitsAndItsBeginNothingIsCredited) {
  write(1, kMuch);
  subscriptions_.await_reply(key(1));
  subscriptions_.pong(pings_.at(0));
  EXPECT_THAT(told(), ElementsAre("taken 1"));
  subscriptions_.reset_credit(key(1));
  write(1, kMuch);
  subscriptions_.pong(pings_.at(1));
  EXPECT_THAT(told(), ElementsAre("taken 1", "reply arrived 1", "returned 1: " + std::to_string(kMuch)));
}

TEST_F(PeerSubscriptionsTest, AReplyIsAckedWhenTheLineIsQuietHoweverItsClientAcksOutput) {
  subscriptions_.acked({key(1), 1});
  subscriptions_.await_reply(key(1));
  subscriptions_.reset_credit(key(1));
  told();
  EXPECT_THAT(pings_, IsEmpty());
  clock_.advance(5ms);
  told();
  ASSERT_EQ(pings_.size(), 1u);
  subscriptions_.acked({key(1), 1});
  EXPECT_THAT(told(), ElementsAre("returned 1: 0")) << "of output from before the reply";
  subscriptions_.pong(pings_[0]);
  EXPECT_THAT(told(), ElementsAre("reply arrived 1"));
}

TEST_F(PeerSubscriptionsTest, AReplyBehindWhichAnotherOneWaitsIsNotTheLast) {
  subscriptions_.reset_credit(key(1));
  clock_.advance(5ms);
  told();
  subscriptions_.await_reply(key(1));
  subscriptions_.pong(pings_.at(0));
  EXPECT_THAT(told(), IsEmpty());
}

TEST_F(PeerSubscriptionsTest, AnEventThatIsNotSentNeedsNoAck) {
  subscriptions_.passed_over(1, kMuch);
  subscriptions_.passed_over(3, kMuch);
  EXPECT_THAT(told(), ElementsAre("passed over 1: " + std::to_string(kMuch)));
  EXPECT_THAT(pings_, IsEmpty());
}

TEST_F(PeerSubscriptionsTest, LeavesOneTerminalOrAllOfThem) {
  subscriptions_.leave(key(1));
  subscriptions_.leave(key(1));
  EXPECT_FALSE(subscriptions_.is_subscribed(1));
  EXPECT_FALSE(subscriptions_.is_subscribed(key(1)));
  EXPECT_TRUE(subscriptions_.is_subscribed(key(2)));
  EXPECT_THAT(told(), ElementsAre("cancelled 1"));
  subscriptions_.cancel();
  EXPECT_FALSE(subscriptions_.is_subscribed(2));
  EXPECT_THAT(told(), ElementsAre("cancelled 2"));
}

TEST_F(PeerSubscriptionsTest, WhatTheSessionEndedIsForgottenWithoutAWord) {
  subscriptions_.forget(1);
  subscriptions_.forget(1);
  write(1, kMuch);
  EXPECT_THAT(told(), IsEmpty());
}

}  // namespace
}  // namespace ptyd
