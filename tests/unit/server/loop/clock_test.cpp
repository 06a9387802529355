#include "server/loop/clock.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <memory>
#include <string>

#include "server/machine_clock.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

TEST(MachineTimer, DoesItsWorkWhenTheTimeHasCome) {
  boost::asio::io_context context;
  const auto timer = machine_clock().make_timer(context);
  const auto when = machine_clock().now() + 1ms;
  bool in_time = false;
  timer->wait_until(when, [&] { in_time = machine_clock().now() >= when; });
  context.run();
  EXPECT_TRUE(in_time);
}

TEST(MachineTimer, DoesNothingThatWasCancelledOrReplaced) {
  boost::asio::io_context context;
  const auto timer = machine_clock().make_timer(context);
  std::string done;
  timer->wait_until(machine_clock().now(), [&] { done += "cancelled "; });
  timer->cancel();
  timer->wait_until(machine_clock().now(), [&] { done += "replaced "; });
  timer->wait_until(machine_clock().now(), [&] { done += "last"; });
  context.run();
  EXPECT_EQ(done, "last");
}

TEST(MachineTimer, DropsItsWorkWhenItGoes) {
  boost::asio::io_context context;
  bool done = false;
  machine_clock().make_timer(context)->wait_until(machine_clock().now(), [&] { done = true; });
  context.run();
  EXPECT_FALSE(done);
}

/// Between the end of its time and its turn others run.
TEST(MachineTimer, DropsAlsoWhatWaitsForItsTurn) {
  boost::asio::io_context context;
  auto timer = machine_clock().make_timer(context);
  bool done = false;
  timer->wait_until(machine_clock().now(), [&] { done = true; });
  // The loop looks at its timers once there is work, and what has run out stands behind that work.
  boost::asio::post(context, [&] { timer.reset(); });
  context.run();
  EXPECT_FALSE(done);
}

TEST(MachineTimer, LetsGoOfWhatItHasDone) {
  boost::asio::io_context context;
  const auto timer = machine_clock().make_timer(context);
  auto held = std::make_shared<int>();
  timer->wait_until(machine_clock().now(), [held] {});
  context.run();
  EXPECT_EQ(held.use_count(), 1);
}

/// Two timers whose work leaves its letter, on a clock that stands still.
class ManualClockTest : public testing::Test {
 protected:
  void leave(Timer& timer, std::chrono::milliseconds in, char letter) {
    timer.wait_until(clock_.now() + in, [this, letter] { done_ += letter; });
  }
  std::string done_by(std::chrono::milliseconds time) {
    clock_.advance(time);
    context_.restart();
    context_.poll();
    return done_;
  }

  ManualClock clock_;
  boost::asio::io_context context_;
  const std::unique_ptr<Timer> one_ = clock_.make_timer(context_), other_ = clock_.make_timer(context_);
  std::string done_;
};

TEST_F(ManualClockTest, DoesWhatIsDueInTheOrderInWhichItIsDue) {
  leave(*one_, 20ms, 'b');
  leave(*other_, 10ms, 'a');
  EXPECT_EQ(done_by(9ms), "");
  EXPECT_EQ(done_by(1ms), "a");
  leave(*other_, 0ms, 'A');
  EXPECT_EQ(done_by(10ms), "aAb");
}

TEST_F(ManualClockTest, DropsWhatIsCancelledAlsoWhenItsTimeHasCome) {
  leave(*one_, 10ms, 'a');
  clock_.advance(10ms);
  one_->cancel();
  leave(*other_, 10ms, 'b');
  leave(*other_, 20ms, 'c');
  EXPECT_EQ(done_by(20ms), "c");
}

TEST_F(ManualClockTest, TheTimeOfDayPassesWithIt) {
  const auto before = clock_.unix_now();
  clock_.advance(1500ms);
  EXPECT_EQ(clock_.unix_now(), before + 1500);
}

}  // namespace
}  // namespace ptyd
