// When a child has to wait for those who hear it.
#include "server/session/delivery/backpressure.hpp"

#include <gtest/gtest.h>

#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/session_bench.hpp"

namespace ptyd {
namespace {

class BackpressureTest : public testing::Test {
 protected:
  Subscription& join(DeliveryPolicy policy = DeliveryPolicy::latest) {
    auto viewer = std::make_shared<FakeViewer>(loop_, "viewer");
    viewer->takes = false;
    auto& made = audience_.add(++last_, std::move(viewer));
    made.policy = policy;
    return made;
  }
  void print(std::size_t bytes) {
    journal_.append(std::string(bytes, 'x'));
    journal_.commit();
  }
  bool may_read(std::size_t bytes = 1) { return backpressure_.may_read(journal_, audience_, bytes, now_); }
  bool has_room() { return backpressure_.has_room(journal_, audience_, 1, now_); }
  /// Everything whose time has come: now_ is long past for the timer.
  void settle() {
    loop_.context().restart();
    loop_.context().run();
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
  Journal journal_ = *Journal::create({}, "test");
  EventSource source_{{"thread", "terminal"}, journal_, clock_};
  Audience audience_{loop_, journal_, source_, [](Position, std::size_t, std::size_t) { return Repaint{}; }};
  int retries_ = 0;
  Backpressure backpressure_{loop_, [this] { retries_++; }};
  TimePoint now_{};

 private:
  SubscriptionId last_ = 0;
};

TEST_F(BackpressureTest, AChildThatNobodyHearsIsNotHeld) {
  print(10 * flow::kLead);
  EXPECT_TRUE(may_read());
  EXPECT_FALSE(backpressure_.holds());
}

TEST_F(BackpressureTest, AChildWaitsForItsViewerUntilTheCursorMoves) {
  auto& subscription = join();
  print(flow::kLead);
  EXPECT_FALSE(may_read());
  EXPECT_TRUE(backpressure_.holds());
  subscription.cursor = 1;
  EXPECT_TRUE(may_read());
  EXPECT_FALSE(backpressure_.holds());
}

TEST_F(BackpressureTest, NoLongerThanItsPatience) {
  join();
  print(flow::kLead);
  EXPECT_FALSE(may_read());
  now_ += flow::kPatienceWithNew * flow::kPatience;
  EXPECT_TRUE(may_read());
}

TEST_F(BackpressureTest, ALosslessViewerIsWaitedForHoweverLongThatTakes) {
  join(DeliveryPolicy::lossless);
  print(journal_.capacity() - 1);
  EXPECT_TRUE(may_read(1));
  EXPECT_FALSE(may_read(2)) << "the first byte would be lost";
  now_ += std::chrono::hours(1);
  EXPECT_FALSE(may_read(2));
}

TEST_F(BackpressureTest, AChildThatIsGoneWaitsForALosslessViewerOnly) {
  join();
  print(2 * flow::kLead);
  EXPECT_TRUE(has_room());
  EXPECT_FALSE(backpressure_.holds());
  join(DeliveryPolicy::lossless);
  print(journal_.capacity());
  EXPECT_FALSE(has_room());
  EXPECT_TRUE(backpressure_.holds());
  settle();
  EXPECT_EQ(retries_, 1);
}

TEST_F(BackpressureTest, WhoIsHeldIsCalledWhenItIsTimeToAskAgain) {
  join();
  print(flow::kLead);
  EXPECT_FALSE(may_read());
  settle();
  EXPECT_EQ(retries_, 1);
}

TEST_F(BackpressureTest, NobodyIsCalledWhoAskedAgainOrIsReleased) {
  join();
  print(flow::kLead);
  EXPECT_FALSE(may_read());
  EXPECT_FALSE(may_read());
  settle();
  EXPECT_EQ(retries_, 1) << "one time to ask again, however often was asked";
  EXPECT_FALSE(may_read());
  backpressure_.release();
  EXPECT_FALSE(backpressure_.holds());
  settle();
  EXPECT_EQ(retries_, 1);
}

}  // namespace
}  // namespace ptyd
