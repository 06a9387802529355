// From where the journal is held for lossless viewers, from one server to the next.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string_view>

#include "server/session/audience.hpp"
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
  void print(std::string_view text) {
    journal_.append(text);
    journal_.commit();
    audience_.pump(now_);
  }
  /// Of the next server.
  std::unique_ptr<Audience> next_audience(std::chrono::milliseconds linger = flow::kLinger) {
    auto next = std::make_unique<Audience>(
        journal_, source_, [](Position, std::size_t, std::size_t) { return "the present"; }, linger);
    next->await_left_behind(now_);
    return next;
  }
  /// Two viewers have not proved the last eleven bytes.
  void leave_two_behind() {
    journal_.append("proved, or lost on its way");
    journal_.hold({journal_.head() - 11, 2});
  }
  std::size_t all_but_eleven() const { return journal_.capacity() - 11; }

  ManualClock clock_;
  Loop loop_{0, clock_};
  Journal journal_ = *Journal::create({}, "test");
  EventSource source_{{"thread", "terminal"}, journal_, clock_};
  Audience audience_{journal_, source_, [](Position, std::size_t, std::size_t) { return "the present"; }};
  TimePoint now_{};

 private:
  SubscriptionId last_ = 0;
};

TEST_F(HeldTest, ItIsHeldFromWhatWasProved) {
  print("before it came");
  const auto begin = journal_.head();
  const auto& subscription = join_lossless();
  EXPECT_EQ(journal_.held(), (Held{begin, 1}));
  print("text");
  EXPECT_EQ(journal_.held(), (Held{begin, 1})) << "it has proved nothing";
  audience_.on_returned(subscription.id, 4, now_);
  audience_.pump(now_);
  EXPECT_EQ(journal_.held(), (Held{begin + 4, 1}));
}

TEST_F(HeldTest, ItIsHeldForTheHindmostOfAll) {
  join_lossless();
  const auto begin = journal_.head();
  print("text");
  join_lossless();
  EXPECT_EQ(journal_.held(), (Held{begin, 2}));
}

TEST_F(HeldTest, ItIsHeldForWhoWentUntilTheLingerIsOver) {
  const auto id = join_lossless().id;
  audience_.remove(id, now_);
  print("text");
  EXPECT_EQ(journal_.held(), (Held{0, 1}));
  EXPECT_FALSE(audience_.would_overrun_lossless(1, now_ + flow::kLinger));
  EXPECT_EQ(journal_.held(), Held{});
}

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
  next->go_on(next->add(1, std::make_shared<FakeViewer>(loop_, "one")), journal_.head() - 3);
  EXPECT_TRUE(next->would_overrun_lossless(all_but_eleven() + 1, now_)) << "the other one has not come back";
  next->go_on(next->add(2, std::make_shared<FakeViewer>(loop_, "two")), journal_.head() - 11);
  EXPECT_FALSE(next->would_overrun_lossless(all_but_eleven() + 1, now_)) << "who came back wants the latest";
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
