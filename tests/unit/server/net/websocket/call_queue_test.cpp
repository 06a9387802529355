// In which order calls are carried out, and which of them wait.
#include "server/net/websocket/call_queue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace ptyd {
namespace {

class CallQueueTest : public testing::Test {
 protected:
  static SessionKey key(const std::string& thread) { return {thread, "default"}; }
  static Open open(const std::string& thread) {
    Open asked;
    asked.key = key(thread);
    return asked;
  }
  static Open attach(const std::string& thread) {
    auto asked = open(thread);
    asked.attach = true;
    return asked;
  }
  /// The n-th call has the token n.
  void add(Command command) { queue_.add(languages().front(), {++last_, std::move(command)}, 10); }
  CallToken take(bool may_be_large) {
    const auto next = queue_.take(may_be_large);
    return next ? next->token : 0;
  }

  CallQueue queue_;
  CallToken last_ = 0;
};

TEST_F(CallQueueTest, HandsOutWhatHasSmallAnswersInItsOrder) {
  add(Write{key("a"), "x"});
  add(Close{});
  add(AckOutput{key("a"), 1});
  for (CallToken token = 1; token <= 3; token++) EXPECT_EQ(take(false), token);
  EXPECT_TRUE(queue_.empty());
}

TEST_F(CallQueueTest, WhatHasALargeAnswerWaitsUntilOneMayBeMade) {
  for (const Command& command : {Command(open("a")), Command(Restart{}), Command(TakeSnapshot{}), Command(List{})}) {
    add(command);
    EXPECT_EQ(take(false), 0u);
    EXPECT_EQ(take(true), last_);
  }
}

TEST_F(CallQueueTest, WhatComesAfterACallThatWaitsIsBehindIt) {
  add(List{});
  add(open("a"));
  add(Write{key("a"), "x"});
  add(Clear{key("b")});
  EXPECT_EQ(take(false), 0u);
  EXPECT_EQ(take(true), 1u);
  EXPECT_EQ(take(false), 0u);
  EXPECT_EQ(take(true), 2u);
  EXPECT_EQ(take(false), 3u);
  EXPECT_EQ(take(false), 4u);
}

TEST_F(CallQueueTest, ADetachDoesNotOvertakeTheOpenBeforeIt) {
  add(open("a"));
  add(Detach{key("a")});
  add(Detach{key("b")});
  EXPECT_EQ(take(false), 3u);
  EXPECT_EQ(take(false), 0u);
  EXPECT_EQ(take(true), 1u);
  EXPECT_EQ(take(false), 2u);
}

TEST_F(CallQueueTest, ADetachWaitsUntilTheTerminalHasBeenEntered) {
  queue_.entering(1, key("a"));
  add(Detach{key("a")});
  EXPECT_EQ(take(true), 0u);
  queue_.entered(1);
  EXPECT_EQ(take(false), 1u);
}

TEST_F(CallQueueTest, ADetachGoesAfterItsAttachAndNotBefore) {
  add(attach("a"));
  add(Detach{key("a")});
  EXPECT_EQ(take(false), 0u);
  EXPECT_EQ(take(true), 1u);
  queue_.entering(1, key("a"));
  EXPECT_EQ(take(true), 0u);
  queue_.entered(1);
  EXPECT_EQ(take(false), 2u);
}

TEST_F(CallQueueTest, ADetachWaitsForEachCallThatEntersItsTerminal) {
  queue_.entering(1, key("a"));
  queue_.entering(2, key("a"));
  queue_.entering(3, key("b"));
  add(Detach{key("a")});
  queue_.entered(2);
  queue_.entered(2);
  EXPECT_EQ(take(true), 0u) << "it is entered twice";
  queue_.entered(1);
  EXPECT_EQ(take(false), 1u) << "the other terminal is not waited for";
}

TEST_F(CallQueueTest, ADetachThatWaitsKeepsNothingElseBack) {
  queue_.entering(1, key("a"));
  add(Detach{key("a")});
  add(open("b"));
  add(List{});
  add(Clear{key("a")});
  add(TakeSnapshot{key("a"), SnapshotFormat::vt, {}});
  EXPECT_EQ(take(false), 0u) << "the open waits for itself";
  EXPECT_EQ(take(true), 2u);
  EXPECT_EQ(take(true), 3u);
  EXPECT_EQ(take(false), 4u);
  add(Write{key("b"), "x"});
  EXPECT_EQ(take(false), 6u);
  EXPECT_EQ(take(true), 5u);
  add(Write{key("a"), "x"});
  EXPECT_EQ(take(false), 7u) << "of its own thread";
  queue_.entered(1);
  EXPECT_EQ(take(false), 1u);
  EXPECT_TRUE(queue_.empty());
}

TEST_F(CallQueueTest, ATerminalIsNotEnteredAgainBeforeItWasLeft) {
  queue_.entering(1, key("a"));
  add(Detach{key("a")});
  add(attach("a"));
  add(Write{key("a"), "x"});
  add(Write{key("b"), "x"});
  EXPECT_EQ(take(true), 4u);
  EXPECT_EQ(take(true), 0u);
  queue_.entered(1);
  EXPECT_EQ(take(true), 1u);
  EXPECT_EQ(take(true), 2u);
  EXPECT_EQ(take(false), 3u);
}

TEST_F(CallQueueTest, ADetachThatIsDroppedIsWaitedForNoMore) {
  queue_.entering(1, key("a"));
  add(Detach{key("a")});
  add(open("a"));
  add(Write{key("a"), "x"});
  EXPECT_TRUE(queue_.drop(languages().front(), 1));
  EXPECT_EQ(take(false), 0u) << "the order of the others stays";
  EXPECT_EQ(take(true), 2u);
  EXPECT_EQ(take(false), 3u);
  EXPECT_EQ(queue_.bytes(), 0u);
}

TEST_F(CallQueueTest, NothingIsEnteredOnceAllIsCleared) {
  queue_.entering(1, key("a"));
  add(Detach{key("a")});
  queue_.clear();
  EXPECT_TRUE(queue_.empty());
  add(Detach{key("a")});
  EXPECT_EQ(take(false), 2u);
}

TEST_F(CallQueueTest, InputOfOtherThreadsAndAcksGoAheadOfACallThatWaits) {
  add(open("a"));
  add(Write{key("b"), "x"});
  add(Resize{key("b"), {80, 24}});
  add(AckOutput{key("a"), 1});
  for (CallToken token = 2; token <= 4; token++) EXPECT_EQ(take(false), token);
  EXPECT_EQ(take(false), 0u);
  EXPECT_EQ(take(true), 1u);
}

TEST_F(CallQueueTest, InputGoesAheadAgainOnceNothingOfItsThreadWaits) {
  add(open("a"));
  add(open("b"));
  EXPECT_EQ(take(true), 1u);
  add(Write{key("a"), "x"});
  EXPECT_EQ(take(false), 3u);
}

TEST_F(CallQueueTest, WhatIsAnsweredLaterWaitsForNothingButItsOwnTerminals) {
  add(ReadOutput{key("a")});
  add(AwaitExit{key("b")});
  add(Kill{key("a")});
  EXPECT_EQ(take(false), 2u);
  EXPECT_EQ(take(false), 0u);
  EXPECT_EQ(take(true), 1u);
  EXPECT_EQ(take(false), 3u);
}

TEST_F(CallQueueTest, WhatIsDroppedIsNotHandedOut) {
  add(AwaitExit{key("a")});
  add(List{});
  add(AwaitExit{key("")});
  EXPECT_TRUE(queue_.drop(languages().front(), 1));
  EXPECT_FALSE(queue_.drop(languages().front(), 1));
  EXPECT_FALSE(queue_.drop(languages().back(), 2)) << "the same number in another language";
  EXPECT_TRUE(queue_.drop(languages().front(), 3));
  EXPECT_EQ(queue_.size(), 1u);
  EXPECT_EQ(queue_.bytes(), 10u);
  EXPECT_EQ(take(true), 2u);
}

TEST_F(CallQueueTest, InputGoesAheadAgainOnceWhatItWaitedForIsDropped) {
  add(open("a"));
  EXPECT_TRUE(queue_.drop(languages().front(), 1));
  add(List{});
  add(Write{key("a"), "x"});
  EXPECT_EQ(take(false), 3u);
}

TEST_F(CallQueueTest, CountsCallsAndBytesThatWait) {
  add(open("a"));
  add(Write{key("b"), "x"});
  EXPECT_EQ(queue_.size(), 2u);
  EXPECT_EQ(queue_.bytes(), 20u);
  take(true);
  EXPECT_EQ(queue_.bytes(), 10u);
  queue_.clear();
  EXPECT_EQ(queue_.size(), 0u);
  EXPECT_EQ(queue_.bytes(), 0u);
}

}  // namespace
}  // namespace ptyd
