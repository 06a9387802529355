// Whose answers may take long, and who no longer waits for one.
#include "server/net/websocket/later_calls.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ptyd {
namespace {

class LaterCallsTest : public testing::Test {
 protected:
  /// On a loop that has stopped nobody has to be answered.
  LaterCallsTest() { loop_.context().stop(); }
  /// The n-th call has the token n.
  Caller add(Answer kind = Answer::later) {
    Caller caller(loop_, nullptr, [](const Result<Reply>&) {});
    later_.add(language_, ++last_, kind, caller);
    return caller;
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
  const Language& language_ = languages().front();
  const Language& other_ = languages().back();
  LaterCalls later_;
  CallToken last_ = 0;
};

TEST_F(LaterCallsTest, EachIsAnsweredOnce) {
  add();
  EXPECT_FALSE(later_.take(other_, 1)) << "the same number in another language";
  EXPECT_TRUE(later_.take(language_, 1));
  EXPECT_FALSE(later_.take(language_, 1));
}

TEST_F(LaterCallsTest, WhatIsGivenUpIsAnsweredForWhoCarriesItOutAndAwaitedByNobody) {
  const auto caller = add(), other = add();
  EXPECT_TRUE(later_.give_up(language_, 1));
  EXPECT_TRUE(caller.is_answered());
  EXPECT_FALSE(other.is_answered());
  EXPECT_FALSE(later_.take(language_, 1));
  EXPECT_FALSE(later_.give_up(language_, 1));
}

TEST_F(LaterCallsTest, WhatIsCancelledIsAnsweredAllTheSame) {
  const auto caller = add(), other = add();
  later_.cancel(other_, 1);
  EXPECT_FALSE(caller.is_cancelled()) << "the same number in another language";
  later_.cancel(language_, 1);
  EXPECT_TRUE(caller.is_cancelled());
  EXPECT_FALSE(caller.is_answered());
  EXPECT_FALSE(other.is_cancelled());
  EXPECT_TRUE(later_.take(language_, 1));
  later_.cancel(language_, 1);
  later_.give_up(language_, 2);
  EXPECT_TRUE(other.is_cancelled()) << "nobody waits for it";
}

TEST_F(LaterCallsTest, AllAreGivenUpTogether) {
  const std::vector<Caller> callers{add(), add(), add()};
  later_.give_up_all();
  for (const auto& caller : callers) EXPECT_TRUE(caller.is_answered());
  EXPECT_FALSE(later_.take(language_, 3));
}

TEST_F(LaterCallsTest, SoManyMayWaitAndOneThatIsGivenUpMakesRoom) {
  for (std::size_t n = 0; n < LaterCalls::kMost; n++) {
    EXPECT_FALSE(later_.is_full(Answer::later)) << n;
    add();
  }
  EXPECT_TRUE(later_.is_full(Answer::later));
  later_.give_up(language_, 7);
  EXPECT_FALSE(later_.is_full(Answer::later));
}

TEST_F(LaterCallsTest, ThoseThatEndProgramsHavePlacesOfTheirOwn) {
  for (std::size_t n = 0; n < LaterCalls::kMost; n++) add();
  for (std::size_t n = 0; n < LaterCalls::kMostAtEnd; n++) {
    EXPECT_FALSE(later_.is_full(Answer::at_end)) << n;
    add(Answer::at_end);
  }
  EXPECT_TRUE(later_.is_full(Answer::at_end));
  later_.take(language_, 1);
  EXPECT_FALSE(later_.is_full(Answer::later));
  EXPECT_TRUE(later_.is_full(Answer::at_end));
  later_.take(language_, last_);
  EXPECT_FALSE(later_.is_full(Answer::at_end));
  later_.give_up_all();
  for (std::size_t n = 0; n < LaterCalls::kMostAtEnd; n++) add(Answer::at_end);
  EXPECT_TRUE(later_.is_full(Answer::at_end));
  EXPECT_FALSE(later_.is_full(Answer::later));
}

}  // namespace
}  // namespace ptyd
