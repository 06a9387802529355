// When the next large answer may be made.
#include "server/net/websocket/large_answers.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(LargeAnswers, TheNextIsMadeOnceTheOneBeforeHasBeenWritten) {
  LargeAnswers answers;
  const auto one = answers.begin(Answer::large);
  EXPECT_FALSE(answers.may_be_asked_for());
  answers.made(one);
  EXPECT_FALSE(answers.may_be_asked_for());
  answers.written();
  EXPECT_TRUE(answers.may_be_asked_for());
}

TEST(LargeAnswers, SmallOnesCountForNothing) {
  LargeAnswers answers;
  const auto small = answers.begin(Answer::small);
  EXPECT_TRUE(answers.may_be_asked_for());
  answers.dropped(small);
  answers.made(small);
  EXPECT_TRUE(answers.may_be_asked_for());
}

TEST(LargeAnswers, OneThatIsNotWrittenKeepsBackNobody) {
  LargeAnswers answers;
  answers.dropped(answers.begin(Answer::large));
  EXPECT_TRUE(answers.may_be_asked_for());
}

TEST(LargeAnswers, OneThatIsPassedByKeepsBackTheNextAgainOnceItIsMade) {
  LargeAnswers answers;
  const auto slow = answers.begin(Answer::large);
  answers.pass_by();
  EXPECT_TRUE(answers.may_be_asked_for());
  answers.made(slow);
  EXPECT_FALSE(answers.may_be_asked_for());
  answers.written();
  EXPECT_TRUE(answers.may_be_asked_for());
}

TEST(LargeAnswers, OneThatWasPassedByAndIsNotWrittenLeavesTheOthersAsTheyAre) {
  LargeAnswers answers;
  const auto slow = answers.begin(Answer::large);
  answers.pass_by();
  const auto next = answers.begin(Answer::large);
  answers.dropped(slow);
  EXPECT_EQ(answers.awaited(), next);
  EXPECT_FALSE(answers.may_be_asked_for());
  answers.dropped(next);
  EXPECT_TRUE(answers.may_be_asked_for());
}

TEST(LargeAnswers, APlaceIsAwaitedThoughItsAnswerIsPassedBy) {
  LargeAnswers answers;
  answers.begin(Answer::in_place);
  answers.pass_by();
  EXPECT_TRUE(answers.any_in_place());
  answers.left_place();
  EXPECT_FALSE(answers.any_in_place());
}

}  // namespace
}  // namespace ptyd
