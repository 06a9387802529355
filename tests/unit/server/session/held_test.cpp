// From where the journal is held for lossless viewers, from one server to the next.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/session/delivery/audience.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/session_bench.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using Held = Journal::Held;

class HeldTest : public testing::Test {
 protected:
  Subscription& join_lossless() {
    auto someone = std::make_shared<FakeViewer>(loop_, "viewer");
    someone->takes = false;
    auto& subscription = audience_.add(++last_, std::move(someone));
    subscription.policy = DeliveryPolicy::lossless;
    audience_.pump(now_);
    return subscription;
  }
  Subscription& join_lossless(HoldName name) {
    auto& subscription = join_lossless();
    audience_.take_up(subscription, name, std::nullopt);
    return subscription;
  }
  Subscription& join_latest() {
    auto& subscription = join_lossless();
    subscription.policy = DeliveryPolicy::latest;
    return subscription;
  }
  void print(std::string_view text) {
    journal_.append(text);
    pump();
  }
  void pump() {
    journal_.commit();
    audience_.pump(now_);
  }
  /// It has taken what it holds, and acked nothing.
  void take(const Subscription& subscription) {
    audience_.on_taken(subscription.id);
    audience_.pump(now_);
  }
  void ack(const Subscription& subscription, std::size_t bytes) {
    audience_.on_returned(subscription.id, bytes, now_);
    audience_.pump(now_);
  }
  /// A reply that shows the present.
  void answer(Subscription& subscription) {
    audience_.answer_in_place(subscription, [](Subscription::Barrier::Reached) {});
    audience_.pump(now_);
  }
  /// Of the next server.
  std::unique_ptr<Audience> next_audience(std::chrono::milliseconds linger = flow::kLinger) {
    auto next = std::make_unique<Audience>(
        loop_, journal_, source_,
        [](Position, std::size_t, std::size_t) {
          return Repaint{"the present", 0};
        },
        linger);
    next->await_left_behind(now_);
    return next;
  }
  /// Two viewers have not acked the last eleven bytes.
  void leave_two_behind() {
    journal_.append("proved, or lost on its way");
    journal_.hold({journal_.head() - 11, 2});
  }
  /// A lossless viewer, which has all but the last `missed` bytes.
  void come_back(Audience& to, SubscriptionId id, Position missed, HoldName name = 0) {
    auto& back = to.add(id, std::make_shared<FakeViewer>(loop_, "back"));
    back.policy = DeliveryPolicy::lossless;
    to.take_up(back, name, journal_.head() - missed);
    to.go_on(back, journal_.head() - missed);
  }
  std::size_t all_but_eleven() const { return journal_.capacity() - 11; }

  ManualClock clock_;
  Loop loop_{0, clock_};
  Journal journal_ = *Journal::create({}, "test");
  EventSource source_{{"thread", "terminal"}, journal_, clock_};
  Audience audience_{loop_, journal_, source_, [](Position, std::size_t, std::size_t) {
                       return Repaint{"the present", 0};
                     }};
  TimePoint now_ = clock_.now();

 private:
  SubscriptionId last_ = 0;
};

TEST_F(HeldTest, ItIsHeldFromWhatWasAcked) {
  print("before it came");
  const auto begin = journal_.head();
  const auto& subscription = join_lossless();
  EXPECT_EQ(journal_.held(), (Held{begin, 1}));
  print("text");
  EXPECT_EQ(journal_.held(), (Held{begin, 1})) << "it has acked nothing";
  audience_.on_returned(subscription.id, 4, now_);
  audience_.pump(now_);
  EXPECT_EQ(journal_.held(), (Held{begin + 4, 1}));
}

TEST_F(HeldTest, AnAckThatWasOnItsWayWhenAReplyWasMadeAcksNothingBehindTheReply) {
  auto& subscription = join_lossless();
  print("1234");
  take(subscription);
  answer(subscription);
  print("5678");
  ack(subscription, 4);
  EXPECT_EQ(journal_.held(), (Held{0, 1}));
  take(subscription);
  ack(subscription, 4);
  EXPECT_EQ(journal_.held(), (Held{8, 1}));
}

TEST_F(HeldTest, NorDoesAnAckOfAnEventThatWasInFlightThen) {
  auto& subscription = join_lossless();
  print("1234");
  answer(subscription);
  take(subscription);
  print("5678");
  ack(subscription, 4);
  EXPECT_EQ(journal_.held(), (Held{0, 1}));
  take(subscription);
  ack(subscription, 4);
  EXPECT_EQ(journal_.held(), (Held{8, 1}));
}

TEST_F(HeldTest, ItIsHeldForTheHindmostOfAll) {
  join_lossless();
  const auto begin = journal_.head();
  print("text");
  join_lossless();
  EXPECT_EQ(journal_.held(), (Held{begin, 2}));
}

TEST_F(HeldTest, RoomForMarksIsCountedAsWell) {
  join_lossless();
  const std::string longest(Journal::kMaxPayload, 'x');
  for (int i = 0; i < 11; ++i) journal_.mark(MarkKind::warning, 0, longest);
  EXPECT_FALSE(audience_.would_overrun_lossless(1, now_));
  journal_.mark(MarkKind::warning, 0, longest);
  EXPECT_TRUE(audience_.would_overrun_lossless(1, now_)) << "three quarters of 64 KiB";
}

TEST_F(HeldTest, ItIsHeldForWhoWentUntilTheLingerIsOver) {
  const auto id = join_lossless().id;
  audience_.remove(id, now_);
  print("text");
  EXPECT_EQ(journal_.held(), (Held{0, 1}));
  EXPECT_FALSE(audience_.would_overrun_lossless(1, now_ + flow::kLinger));
  EXPECT_EQ(journal_.held(), Held{});
}

TEST_F(HeldTest, AtAQuietTerminalTheLingerEndsByItself) {
  audience_.remove(join_lossless().id, now_);
  clock_.advance(flow::kLinger - 1ms);
  loop_.context().poll();
  EXPECT_EQ(journal_.held(), (Held{0, 1}));
  clock_.advance(1ms);
  loop_.context().restart();
  loop_.context().poll();
  EXPECT_TRUE(audience_.holds().empty());
  EXPECT_EQ(journal_.held(), Held{});
}

// --- whose it is

TEST_F(HeldTest, WhoComesBackForTheLatestTakesNoRecordersHold) {
  const auto id = join_lossless().id;
  print("lost on its way");
  audience_.remove(id, now_);
  auto& page = join_latest();
  audience_.take_up(page, 0, 4);
  audience_.go_on(page, 4);
  pump();
  EXPECT_EQ(journal_.held(), (Held{0, 1}));
}

TEST_F(HeldTest, WhatIsHeldUnderANameIsTakenByThatNameAlone) {
  const auto id = join_lossless(7).id;
  print("lost on its way");
  audience_.remove(id, now_);
  for (const HoldName other : {HoldName{0}, HoldName{8}}) {
    auto& back = join_lossless();
    audience_.take_up(back, other, 4);
    audience_.go_on(back, 4);
    pump();
    EXPECT_EQ(journal_.held().from, 0u) << other;
  }
  auto& back = join_lossless();
  audience_.take_up(back, 7, 4);
  audience_.go_on(back, 4);
  pump();
  EXPECT_EQ(journal_.held(), (Held{4, 3, {8, 7}}));
}

TEST_F(HeldTest, WhoOpensItOnceMoreOnItsConnectionTakesNoOthersHold) {
  const auto id = join_lossless().id;
  print("lost on its way");
  audience_.remove(id, now_);
  auto& here = join_lossless();
  here.is_opened = true;
  audience_.take_up(here, 0, 4);
  EXPECT_EQ(audience_.holds().size(), 1u);
}

TEST_F(HeldTest, WhoTellsTheNameAndWantsTheLatestEndsTheHold) {
  audience_.remove(join_lossless(7).id, now_);
  audience_.take_up(join_latest(), 7, std::nullopt);
  pump();
  EXPECT_EQ(journal_.held(), Held{});
}

TEST_F(HeldTest, WhoIsBackBeforeItsOldConnectionIsKnownToBeLostTakesTheHoldFromThat) {
  auto& old = join_lossless(7);
  print("lost on its way");
  auto& back = join_lossless();
  audience_.take_up(back, 7, 0);
  audience_.go_on(back, 0);
  EXPECT_EQ(old.policy, DeliveryPolicy::latest);
  pump();
  take(back);
  ack(back, 15);
  EXPECT_EQ(journal_.held(), (Held{15, 1, {7}})) << "the old connection acks nothing any more";
  audience_.remove(old.id, now_);
  EXPECT_TRUE(audience_.holds().empty());
}

TEST_F(HeldTest, TheNextServerKnowsThemByTheirNames) {
  audience_.remove(join_lossless(7).id, now_);
  print("lost on its way");
  ASSERT_EQ(journal_.held(), (Held{0, 1, {7}}));
  const auto next = next_audience();
  come_back(*next, 1, 0);
  next->pump(now_);
  EXPECT_EQ(journal_.held().from, 0u) << "it has another owner";
  come_back(*next, 2, 0, 7);
  next->pump(now_);
  EXPECT_EQ(journal_.held(), (Held{15, 2, {7}}));
}

// --- what ends it

TEST_F(HeldTest, AReplyThatWasMadeAcksNothing) {
  auto& subscription = join_lossless();
  print("lost on its way");
  take(subscription);
  answer(subscription);
  EXPECT_EQ(journal_.held(), (Held{0, 1})) << "the reply may be lost as well";
  print("behind it");
  take(subscription);
  ack(subscription, 8);
  EXPECT_EQ(journal_.held(), (Held{0, 1})) << "not to its end";
  ack(subscription, 1);
  EXPECT_EQ(journal_.held(), (Held{journal_.head(), 1}));
}

TEST_F(HeldTest, WhoIsCutBeforeItsReplyHasThatHeldFromBefore) {
  auto& subscription = join_lossless();
  print("lost on its way");
  take(subscription);
  answer(subscription);
  print("behind it");
  audience_.remove(subscription.id, now_);
  pump();
  EXPECT_EQ(journal_.held(), (Held{0, 1}));
}

TEST_F(HeldTest, WhoTellsItsNameAndIsShownThePresentHasItHeldUntilItAcksSomethingBehindThat) {
  audience_.remove(join_lossless(7).id, now_);
  print("missed");
  auto& back = join_lossless(7);
  answer(back);
  EXPECT_EQ(journal_.held(), (Held{0, 1, {7}}));
  print("behind it");
  take(back);
  ack(back, 9);
  EXPECT_EQ(journal_.held(), (Held{journal_.head(), 1, {7}}));
}

TEST_F(HeldTest, WhatComesWhileAReplyIsAwaitedAcksNothingOfIt) {
  audience_.remove(join_lossless(7).id, now_);
  print("missed");
  auto& here = join_lossless();
  print("held");
  print("before the reply");
  audience_.take_up(here, 7, std::nullopt);
  audience_.answer_in_place(here, [](Subscription::Barrier::Reached) {});
  ack(here, 4);
  EXPECT_EQ(journal_.held(), (Held{0, 1, {7}}));
}

TEST_F(HeldTest, WhatComesWhileTheShellOfAnOpenStartsAcksNothingOfItsReply) {
  const auto name = hold_name("recorder");
  audience_.remove(join_lossless(name).id, now_);
  print("missed");
  auto& here = join_lossless();
  Open asked;
  asked.policy = DeliveryPolicy::lossless;
  asked.hold = "recorder";
  EXPECT_EQ(audience_.open(here, asked), Audience::GoesOn::anew);
  print("before the reply");
  ack(here, 16);
  EXPECT_EQ(journal_.held(), (Held{0, 1, {name}}));
  take(here);
  answer(here);
  print("behind it");
  take(here);
  ack(here, 9);
  EXPECT_EQ(journal_.held(), (Held{journal_.head(), 1, {name}}));
}

TEST_F(HeldTest, WhatIsPassedOverIsTheNewestAndTheOldestStaysHeld) {
  auto& subscription = join_lossless();
  print("sent");
  take(subscription);
  print("passed over");
  audience_.on_passed_over(subscription.id, 11);
  pump();
  EXPECT_EQ(journal_.held(), (Held{0, 1}));
  ack(subscription, 4);
  EXPECT_EQ(journal_.held(), (Held{journal_.head(), 1}));
}

// --- what is not held

TEST_F(HeldTest, ForWhoAsksForTheLatestNothingIsHeld) {
  join_lossless().policy = DeliveryPolicy::latest;
  audience_.pump(now_);
  EXPECT_EQ(journal_.held(), Held{});
}

TEST_F(HeldTest, ForWhoIsSentNoOutputNothingIsHeld) {
  join_lossless().stream_output = false;
  audience_.pump(now_);
  EXPECT_EQ(journal_.held(), Held{});
}

TEST_F(HeldTest, OnceTheTerminalIsClosedNothingIsHeld) {
  join_lossless();
  audience_.clear();
  EXPECT_EQ(journal_.held(), Held{});
}

// --- from one server to the next

TEST_F(HeldTest, TheNextServerWaitsForThemAsIfTheyWentNow) {
  leave_two_behind();
  const auto next = next_audience();
  EXPECT_EQ(next->viewers(), 0u);
  EXPECT_FALSE(next->would_overrun_lossless(all_but_eleven(), now_));
  EXPECT_TRUE(next->would_overrun_lossless(all_but_eleven() + 1, now_ + flow::kLinger - 1ms));
  EXPECT_FALSE(next->would_overrun_lossless(all_but_eleven() + 1, now_ + flow::kLinger));
  EXPECT_EQ(journal_.held(), Held{});
}

TEST_F(HeldTest, EachOneThatComesBackIsWaitedForNoMore) {
  leave_two_behind();
  const auto next = next_audience();
  come_back(*next, 1, 3);
  EXPECT_TRUE(next->would_overrun_lossless(all_but_eleven() + 1, now_)) << "the other one has not come back";
  come_back(*next, 2, 10);
  EXPECT_FALSE(next->would_overrun_lossless(all_but_eleven() + 1, now_));
}

TEST_F(HeldTest, WhereNothingIsHeldNobodyIsWaitedFor) {
  print("text");
  EXPECT_TRUE(next_audience()->all().empty());
}

TEST_F(HeldTest, ALingerIsAsLongAsItWasGiven) {
  leave_two_behind();
  const auto next = next_audience(70ms);
  EXPECT_TRUE(next->would_overrun_lossless(all_but_eleven() + 1, now_ + 69ms));
  EXPECT_FALSE(next->would_overrun_lossless(all_but_eleven() + 1, now_ + 70ms));
}

}  // namespace
}  // namespace ptyd
