// When a peer's calls are carried out: what they wait for, and how long.
#include "server/net/websocket/calls.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <vector>

#include "tests/support/server/loop/loop_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class CallsTest : public LoopTest {
 protected:
  static Open open() {
    Open asked;
    asked.key = kKey;
    return asked;
  }
  void ask(Command command) { calls_.add(languages().front(), {++last_, std::move(command)}, 10); }
  /// The call that is carried out now; token 0: none.
  Calls::PendingReply next() {
    const auto found = calls_.next();
    return found ? found->pending : Calls::PendingReply{};
  }

  const inline static SessionKey kKey{"t", "default"};
  int turns_ = 0;
  bool all_is_taken_ = true;
  Calls calls_{loop_, {[this] { turns_++; }, [this] { return all_is_taken_; }}};
  CallToken last_ = 0;
};

TEST_F(CallsTest, ALargeAnswerIsWrittenBeforeTheNextIsMade) {
  ask(TakeSnapshot{});
  ask(List{});
  const auto one = next();
  EXPECT_EQ(one.token, 1u);
  EXPECT_EQ(next().token, 0u);
  calls_.answered(one, Calls::ReplyOutcome::sent);
  EXPECT_EQ(next().token, 0u) << "it has not been written";
  calls_.written(true, false);
  EXPECT_EQ(next().token, 2u);
}

TEST_F(CallsTest, AnAnswerThatIsNotSentIsNotWaitedFor) {
  ask(TakeSnapshot{});
  ask(Open{});
  calls_.answered(next(), Calls::ReplyOutcome::nothing);
  const auto open = next();
  EXPECT_EQ(open.token, 2u);
  EXPECT_TRUE(calls_.any_in_place());
  calls_.answered(open, Calls::ReplyOutcome::nothing);
  EXPECT_FALSE(calls_.any_in_place());
}

TEST_F(CallsTest, OneThatWaitsForADiskIsPassedByAfterATime) {
  ask(Open{});
  ask(List{});
  (void)next();
  pass(99ms);
  EXPECT_EQ(next().token, 0u);
  pass(1ms);
  pass(0ms);
  EXPECT_EQ(turns_, 1) << "told, once, that there is more to do";
  EXPECT_EQ(next().token, 2u);
}

TEST_F(CallsTest, OneThatMayWaitForThePeerItselfIsNotPassedBy) {
  ask(Open{});
  ask(List{});
  (void)next();
  all_is_taken_ = false;
  pass(1s);
  EXPECT_EQ(next().token, 0u);
  all_is_taken_ = true;
  pass(1s);
  EXPECT_EQ(next().token, 2u);
}

TEST_F(CallsTest, SoManyMayBeUnanswered) {
  for (std::size_t n = 0; n < Calls::kMost + 1; n++) ask(AckOutput{{"t", "default"}, 1});
  std::vector<Calls::PendingReply> under_way;
  while (under_way.size() < Calls::kMost) under_way.push_back(next());
  EXPECT_EQ(under_way.back().token, Calls::kMost);
  EXPECT_EQ(next().token, 0u);
  EXPECT_EQ(calls_.size(), Calls::kMost + 1);
  calls_.answered(under_way.front(), Calls::ReplyOutcome::sent);
  EXPECT_EQ(next().token, Calls::kMost + 1);
}

TEST_F(CallsTest, ThoseThatAreAnsweredLaterKeepBackNobodyOnceTheyAreCarriedOut) {
  for (std::size_t n = 0; n < 2 * Calls::kMost; n++) ask(AwaitExit{{"t", "default"}});
  EXPECT_EQ(calls_.size(), 2 * Calls::kMost);
  for (CallToken token = 1; token <= 2 * Calls::kMost; token++) EXPECT_EQ(next().token, token);
  EXPECT_EQ(calls_.size(), 0u);
  ask(AckOutput{{"t", "default"}, 1});
  EXPECT_EQ(next().kind, Answer::small);
  EXPECT_EQ(calls_.size(), 1u);
}

TEST_F(CallsTest, AnAnswerThatComesLaterIsNoLargeOne) {
  ask(AwaitExit{{"t", "default"}});
  ask(ReadOutput{{"t", "default"}});
  const auto later = next();
  EXPECT_EQ(next().kind, Answer::large);
  calls_.answered(later, Calls::ReplyOutcome::sent);
  EXPECT_EQ(calls_.size(), 1u) << "the other one";
}

TEST_F(CallsTest, ADetachWaitsForTheAnswerOfTheOpenBeforeIt) {
  ask(open());
  const auto entering = next();
  ask(Detach{kKey});
  EXPECT_EQ(next().token, 0u);
  calls_.answered(entering, Calls::ReplyOutcome::in_place);
  EXPECT_EQ(next().token, 2u) << "before the answer was written";
}

TEST_F(CallsTest, ADetachThatWaitsKeepsBackNothingElse) {
  ask(open());
  const auto entering = next();
  ask(Detach{kKey});
  ask(Write{kKey, "x"});
  EXPECT_EQ(next().token, 3u);
  ask(List{});
  EXPECT_EQ(next().token, 0u) << "the open has its answer first";
  pass(Calls::kPatience);
  EXPECT_EQ(next().token, 4u) << "the open waits for a disk";
  EXPECT_EQ(next().token, 0u);
  calls_.answered(entering, Calls::ReplyOutcome::in_place);
  EXPECT_EQ(next().token, 2u);
}

TEST_F(CallsTest, ADetachWaitsForTheAnswersOfAllOpensBeforeIt) {
  ask(open());
  ask(open());
  const auto first = next();
  pass(Calls::kPatience);
  const auto second = next();
  EXPECT_EQ(second.token, 2u);
  ask(Detach{kKey});
  calls_.answered(second, Calls::ReplyOutcome::nothing);
  EXPECT_EQ(next().token, 0u);
  calls_.answered(first, Calls::ReplyOutcome::nothing);
  EXPECT_EQ(next().token, 3u);
}

TEST_F(CallsTest, ADetachThatIsDroppedIsNotCarriedOut) {
  ask(open());
  const auto entering = next();
  ask(Detach{kKey});
  EXPECT_TRUE(calls_.drop(languages().front(), 2));
  calls_.answered(entering, Calls::ReplyOutcome::nothing);
  EXPECT_EQ(next().token, 0u);
}

TEST_F(CallsTest, NothingIsEnteredOnceAllIsCleared) {
  ask(open());
  const auto entering = next();
  ask(Detach{kKey});
  calls_.clear();
  calls_.answered(entering, Calls::ReplyOutcome::nothing);
  EXPECT_EQ(next().token, 0u);
  ask(Detach{kKey});
  EXPECT_EQ(next().token, 3u);
}

TEST_F(CallsTest, WhatIsClearedAsksForNoTurn) {
  ask(Open{});
  ask(List{});
  (void)next();
  calls_.go_on_later();
  calls_.clear();
  pass(1s);
  EXPECT_EQ(turns_, 0);
  EXPECT_EQ(calls_.bytes(), 0u);
}

}  // namespace
}  // namespace ptyd
