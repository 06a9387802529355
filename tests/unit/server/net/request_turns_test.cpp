// When requests go on that are not judged yet.
#include "server/net/request_turns.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "tests/support/server/loop/loop_test.hpp"
#include "tests/support/server/loop/ticking_clock.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class RequestTurnsTest : public LoopTest {
 protected:
  static constexpr int kInAWindow = MessageTime::kOfViewers / RequestTurns::kCost;

  /// So many requests come; they are numbered as they come.
  void come(int count) {
    for (int n = 0; n < count; n++) {
      came_++;
      if (turns_.take()) {
        let_in_.push_back(came_);
      } else {
        numbers_.push_back(turns_.wait([this, number = came_] { let_in_.push_back(number); }));
      }
    }
  }
  /// All that came go on in their order, up to this one.
  void expect_in(int last) {
    std::vector<int> all;
    for (int n = 1; n <= last; n++) all.push_back(n);
    EXPECT_EQ(let_in_, all);
  }

  MessageTime time_{MessageTime::kOfViewers, {}};
  RequestTurns turns_{loop_, time_};
  int came_ = 0;
  std::vector<int> let_in_;
  std::vector<RequestTurns::Number> numbers_;  // of those that wait
};

TEST_F(RequestTurnsTest, AWindowHasSoManyAndNotOneMore) {
  come(kInAWindow + 1);
  expect_in(kInAWindow);
  pass(MessageTime::kWindow - 1ms);
  expect_in(kInAWindow);
  pass(1ms);
  expect_in(kInAWindow + 1);
}

TEST_F(RequestTurnsTest, ThoseThatWaitedAreNotAllLetInByTheNextWindow) {
  come(3 * kInAWindow + 10);
  pass(MessageTime::kWindow);
  expect_in(2 * kInAWindow);
  pass(MessageTime::kWindow - 1ms);
  expect_in(2 * kInAWindow);
  pass(1ms);
  expect_in(3 * kInAWindow);
  pass(MessageTime::kWindow);
  expect_in(3 * kInAWindow + 10);
  come(kInAWindow - 10);
  expect_in(4 * kInAWindow);
  come(1);
  expect_in(4 * kInAWindow);
}

TEST_F(RequestTurnsTest, ANewOneWaitsBehindThoseThatWait) {
  come(kInAWindow + 1);
  clock_.advance(MessageTime::kWindow);
  come(1);
  expect_in(kInAWindow);
  settle();
  expect_in(kInAWindow + 2);
}

TEST_F(RequestTurnsTest, WorkOnThemAndWhatViewersTakeCounts) {
  MessageTime::Share viewer;
  come(1);
  turns_.spend(MessageTime::kOfViewers - 2 * RequestTurns::kCost);
  come(2);
  expect_in(2);
  clock_.advance(MessageTime::kWindow);
  time_.take(viewer, MessageTime::kOfViewers, clock_.now());
  come(2);
  settle();
  expect_in(3);
  pass(MessageTime::kWindow);
  expect_in(5);
}

TEST_F(RequestTurnsTest, OneThatLeavesIsToldAtOnceAndTakesNoTurn) {
  come(2 * kInAWindow + 1);
  let_in_.clear();
  turns_.leave(numbers_[1]);
  EXPECT_EQ(let_in_, std::vector{kInAWindow + 2});
  turns_.leave(numbers_[1]);
  turns_.leave(0);
  EXPECT_EQ(let_in_.size(), 1u) << "once";
  pass(MessageTime::kWindow);
  EXPECT_EQ(let_in_.size(), 1u + kInAWindow);
}

TEST_F(RequestTurnsTest, WaitsAgainAfterAllHaveLeft) {
  come(kInAWindow + 2);
  for (const auto number : numbers_) turns_.leave(number);
  come(1);
  EXPECT_EQ(let_in_.size(), kInAWindow + 2u);
  pass(MessageTime::kWindow);
  expect_in(kInAWindow + 3);
}

TEST(RequestTurnsOnAClockThatRuns, ARequestForWhichThereIsTimeGoesOn) {
  TickingClock clock(1ms);
  Loop loop{0, clock};
  MessageTime time{MessageTime::kOfViewers, {}};
  RequestTurns turns{loop, time};
  EXPECT_TRUE(turns.take());
  EXPECT_TRUE(turns.take());
}

}  // namespace
}  // namespace ptyd
