// Holds for lossless viewers that went, by themselves: names, bound and end.
#include "server/session/delivery/holds.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "tests/support/server/loop/loop_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::IsEmpty;

class HoldsTest : public LoopTest {
 protected:
  static constexpr std::chrono::milliseconds kLinger = 10s;

  void add(HoldName name, Position from = 0, Position reached = 0) { holds_.add({name, from, reached, clock_.now()}); }

  int ended_ = 0;
  Holds holds_{loop_, kLinger, [this] { ended_++; }};
};

TEST_F(HoldsTest, ANameIsTheSameInEveryServer) {
  EXPECT_EQ(hold_name(""), 0u);
  EXPECT_EQ(hold_name("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(hold_name("recorder"), hold_name(std::string("recorder")));
  EXPECT_NE(hold_name("recorder"), hold_name("recorder "));
}

TEST_F(HoldsTest, EachEndsByItselfWhenItsLingerIsOverAndNoSooner) {
  add(1);
  pass(1s);
  add(2);
  pass(kLinger - 1s - 1ms);
  EXPECT_EQ(holds_.all().size(), 2u);
  pass(1ms);
  EXPECT_EQ(holds_.all().size(), 1u);
  EXPECT_EQ(ended_, 1);
  pass(1s - 1ms);
  EXPECT_EQ(holds_.all().size(), 1u);
  pass(1ms);
  EXPECT_THAT(holds_.all(), IsEmpty());
  EXPECT_EQ(ended_, 2);
}

TEST_F(HoldsTest, ThereAreNoMoreThanTheirBoundAndThoseWithoutANameGoFirst) {
  add(1);
  for (std::size_t i = 1; i < Holds::kMost; ++i) add(0, i);
  EXPECT_EQ(holds_.all().size(), Holds::kMost);
  add(0, 4711);
  EXPECT_EQ(holds_.all().size(), Holds::kMost);
  EXPECT_FALSE(holds_.take_nameless(0));
  EXPECT_EQ(holds_.all()[1].from, 2u) << "the oldest without a name has gone";
  EXPECT_TRUE(holds_.take(1));
}

TEST_F(HoldsTest, WhereAllHaveNamesTheOldestGoes) {
  for (std::size_t i = 1; i <= Holds::kMost + 1; ++i) add(i);
  EXPECT_EQ(holds_.all().size(), Holds::kMost);
  EXPECT_FALSE(holds_.take(1));
  EXPECT_TRUE(holds_.take(2));
}

TEST_F(HoldsTest, ANameTakesItsOwnOnly) {
  add(0, 5, 9);
  add(7, 5, 9);
  EXPECT_FALSE(holds_.take(8));
  EXPECT_FALSE(holds_.take(0));
  ASSERT_TRUE(holds_.take(7));
  EXPECT_FALSE(holds_.take(7)) << "it is taken once";
}

TEST_F(HoldsTest, WithoutANameOneIsTakenThatHasNone) {
  add(7, 5, 9);
  add(0, 5, 9);
  add(0, 6, 9);
  EXPECT_FALSE(holds_.take_nameless(4));
  EXPECT_FALSE(holds_.take_nameless(10));
  EXPECT_EQ(holds_.take_nameless(9)->from, 6u) << "the one that holds least";
  EXPECT_EQ(holds_.take_nameless(5)->from, 5u);
  EXPECT_FALSE(holds_.take_nameless(5)) << "the other one has a name";
}

}  // namespace
}  // namespace ptyd
