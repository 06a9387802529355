#include "server/session/recording/line_tally.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

std::uint64_t no_line_feeds(Position, Position) {
  return 0;
}

/// A line feed at each position.
std::uint64_t every_byte(Position from, Position to) {
  return to - from;
}

std::uint64_t at(const LineTally& tally, Position position) {
  return tally.at(position, every_byte);
}

std::uint64_t since(const LineTally& tally, std::uint64_t counted) {
  return tally.since(10, counted, every_byte);
}

TEST(LineTally, KnowsHowManyHadGoneAtAPlace) {
  LineTally tally;
  tally.note(10, 3);
  tally.note(20, 5);
  EXPECT_EQ(at(tally, 7), 0u);
  EXPECT_EQ(at(tally, 10), 3u);
  EXPECT_EQ(at(tally, 20), 5u);
  EXPECT_EQ(since(tally, 6), 3u);
}

TEST(LineTally, BetweenTwoPlacesLinesLeaveByLineFeeds) {
  LineTally tally;
  tally.note(10, 3);
  tally.note(20, 8);
  tally.note(30, 8);
  EXPECT_EQ(at(tally, 8), 1u);
  EXPECT_EQ(at(tally, 16), 4u);
  EXPECT_EQ(at(tally, 19), 7u);
  EXPECT_EQ(at(tally, 12), 3u) << "some of the line handles moved nothing";
  EXPECT_EQ(tally.at(12, no_line_feeds), 8u) << "a screen that was moved by other means";
  EXPECT_EQ(at(tally, 25), 8u);
  EXPECT_EQ(at(tally, 35), 8u);
}

TEST(LineTally, GoesOnWhateverTheNextScreenHasCounted) {
  for (const std::uint64_t begins_at : {0u, 40u, 5000u}) {
    LineTally tally;
    tally.note(10, 100);
    tally.go_on_from(begins_at);
    EXPECT_EQ(since(tally, begins_at), 0u);
    EXPECT_EQ(since(tally, begins_at + 2), 2u);
    tally.note(20, begins_at + 2);
    EXPECT_EQ(at(tally, 20), 102u);
  }
}

TEST(LineTally, IsNeverLessThanItWas) {
  LineTally tally;
  tally.note(10, 100);
  EXPECT_EQ(since(tally, 4), 0u) << "a Screen that counts back is no more than forgetful";
  tally.note(20, 4);
  EXPECT_EQ(at(tally, 20), 100u);
}

TEST(LineTally, IsExactForTheNewestPlacesAndRoughForTheOldOnes) {
  constexpr Position kNotes = 100 * LineTally::kPlaces;
  LineTally tally;
  for (Position i = 1; i <= kNotes; ++i) tally.note(i, i);
  for (Position back = 0; back < LineTally::kPlaces / 2; ++back) EXPECT_EQ(at(tally, kNotes - back), kNotes - back);
  EXPECT_EQ(at(tally, 1), 1u) << "the first is kept";
  for (Position i = 1; i <= kNotes; ++i) {
    EXPECT_LE(at(tally, i), i);
    EXPECT_GE(at(tally, i), at(tally, i - 1));
  }
}

TEST(LineTally, AtOnePlaceTheLastWordCounts) {
  LineTally tally;
  tally.note(10, 3);
  tally.note(10, 4);
  EXPECT_EQ(at(tally, 10), 4u);
}

}  // namespace
}  // namespace ptyd
