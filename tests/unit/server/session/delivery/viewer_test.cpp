// Subscription handles: what a viewer says of what it was sent comes to the session, on its loop.
#include "server/session/delivery/viewer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/delivery/fake_publisher.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class FeedTest : public testing::Test {
 protected:
  ManualClock clock_;
  Loop loop_{0, clock_};
  std::shared_ptr<FakePublisher> session_ = std::make_shared<FakePublisher>();
  SubscriptionHandle handle_{7, {"thread", "terminal"}, loop_, session_};
};

TEST_F(FeedTest, TellsTheSessionOnItsLoop) {
  handle_.taken();
  handle_.passed_over(10);
  handle_.returned(20);
  EXPECT_THAT(session_->heard, IsEmpty()) << "this is not the loop's thread";
  loop_.context().poll();
  EXPECT_THAT(session_->heard, ElementsAre("taken 7", "passed over 7: 10", "returned 7: 20"));
}

TEST_F(FeedTest, EndsInALaterTurnAlsoOnTheLoopItself) {
  loop_.post([&] {
    handle_.taken();
    handle_.cancel();
    EXPECT_THAT(session_->heard, ElementsAre("taken 7"));
  });
  loop_.context().poll();
  EXPECT_THAT(session_->heard, ElementsAre("taken 7", "cancelled 7"));
}

TEST_F(FeedTest, OfASessionThatIsGoneDoesNothing) {
  session_.reset();
  handle_.taken();
  handle_.cancel();
  loop_.context().poll();
  SubscriptionHandle().cancel();
  EXPECT_EQ(handle_.id(), 7u);
}

}  // namespace
}  // namespace ptyd
