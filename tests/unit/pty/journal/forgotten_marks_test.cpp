// Where marks stood that were forgotten, over a ring of positions.
#include "pty/journal/forgotten_marks.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace ptyd {
namespace {

constexpr std::size_t kPositions = 256;

class ForgottenMarksTest : public testing::Test {
 protected:
  std::vector<Position> found(Position from, Position end) const {
    std::vector<Position> all;
    for (auto next = marks_.first_in(from, end); next; next = marks_.first_in(*next + 1, end)) all.push_back(*next);
    return all;
  }

  std::string memory_ = std::string(kPositions / 8, '\0');
  ForgottenMarks marks_{memory_.data(), memory_.size(), kPositions};
};

TEST_F(ForgottenMarksTest, AreFoundFromAnywhereBeforeThemHoweverTheyCame) {
  EXPECT_EQ(marks_.first_in(0, kPositions), std::nullopt);
  for (const Position each : {63, 3, 4, 64, 200}) marks_.add(each);
  EXPECT_EQ(found(0, kPositions), (std::vector<Position>{3, 4, 63, 64, 200}));
  EXPECT_EQ(found(4, 200), (std::vector<Position>{4, 63, 64}));
}

TEST_F(ForgottenMarksTest, ThoseBesideAStretchStayWhenThatIsCleared) {
  for (Position each = 0; each < kPositions; ++each) marks_.add(each);
  marks_.clear(10, 130);
  EXPECT_EQ(marks_.first_in(0, kPositions), Position{0});
  EXPECT_EQ(marks_.first_in(10, kPositions), Position{130});
  EXPECT_EQ(found(0, kPositions).size(), kPositions - 120);
  marks_.clear(0, 1000 * kPositions);
  EXPECT_EQ(marks_.first_in(0, kPositions), std::nullopt);
}

TEST_F(ForgottenMarksTest, WhatDoesNotExistYetHasNone) {
  ForgottenMarks small{memory_.data(), 8, kPositions};
  EXPECT_EQ(small.needed_for(64), 8u);
  EXPECT_EQ(small.needed_for(65), 16u);
  EXPECT_EQ(small.needed_for(1000 * kPositions), kPositions / 8);
  small.add(63);
  memory_.back() = 1;
  EXPECT_EQ(small.first_in(64, kPositions), std::nullopt);
  small.clear(0, kPositions);
  EXPECT_EQ(small.first_in(0, kPositions), std::nullopt);
}

TEST_F(ForgottenMarksTest, ARingThatGoesRoundShowsThoseOfItsPresentAlone) {
  std::mt19937 random(5);
  std::set<Position> expected;
  Position tail = 0, head = 0;
  for (int round = 0; round < 2000; ++round) {
    const Position next = head + random() % 20;
    if (next > tail + kPositions) {
      marks_.clear(tail, next - kPositions);
      tail = next - kPositions;
      expected.erase(expected.begin(), expected.lower_bound(tail));
    }
    if (next > head && random() % 2 == 0) {
      marks_.add(next - 1);
      expected.insert(next - 1);
    }
    head = next;
    ASSERT_EQ(found(tail, head), std::vector<Position>(expected.begin(), expected.end())) << round;
  }
}

}  // namespace
}  // namespace ptyd
