#include "server/session/recording/scrollback_counter.hpp"

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

std::uint64_t at(const ScrollbackCounter& counter, Position position) {
  return counter.at(position, every_byte);
}

std::uint64_t since(const ScrollbackCounter& counter, std::uint64_t counted) {
  return counter.since(10, counted, every_byte);
}

TEST(ScrollbackCounter, KnowsHowManyHadGoneAtAPlace) {
  ScrollbackCounter counter;
  counter.note(10, 3);
  counter.note(20, 5);
  EXPECT_EQ(at(counter, 7), 0u);
  EXPECT_EQ(at(counter, 10), 3u);
  EXPECT_EQ(at(counter, 20), 5u);
  EXPECT_EQ(since(counter, 6), 3u);
}

TEST(ScrollbackCounter, BetweenTwoPlacesLinesLeaveByLineFeeds) {
  ScrollbackCounter counter;
  counter.note(10, 3);
  counter.note(20, 8);
  counter.note(30, 8);
  EXPECT_EQ(at(counter, 8), 1u);
  EXPECT_EQ(at(counter, 16), 4u);
  EXPECT_EQ(at(counter, 19), 7u);
  EXPECT_EQ(at(counter, 12), 3u) << "some of the line handles moved nothing";
  EXPECT_EQ(counter.at(12, no_line_feeds), 8u) << "a screen that was moved by other means";
  EXPECT_EQ(at(counter, 25), 8u);
  EXPECT_EQ(at(counter, 35), 8u);
}

TEST(ScrollbackCounter, GoesOnWhateverTheNextScreenHasCounted) {
  for (const std::uint64_t begins_at : {0u, 40u, 5000u}) {
    ScrollbackCounter counter;
    counter.note(10, 100);
    counter.go_on_from(begins_at);
    EXPECT_EQ(since(counter, begins_at), 0u);
    EXPECT_EQ(since(counter, begins_at + 2), 2u);
    counter.note(20, begins_at + 2);
    EXPECT_EQ(at(counter, 20), 102u);
  }
}

TEST(ScrollbackCounter, IsNeverLessThanItWas) {
  ScrollbackCounter counter;
  counter.note(10, 100);
  EXPECT_EQ(since(counter, 4), 0u) << "a Screen that counts back is no more than forgetful";
  counter.note(20, 4);
  EXPECT_EQ(at(counter, 20), 100u);
}

TEST(ScrollbackCounter, IsExactForTheNewestPlacesAndRoughForTheOldOnes) {
  constexpr Position kNotes = 100 * ScrollbackCounter::kPlaces;
  ScrollbackCounter counter;
  for (Position i = 1; i <= kNotes; ++i) counter.note(i, i);
  for (Position back = 0; back < ScrollbackCounter::kPlaces / 2; ++back)
    EXPECT_EQ(at(counter, kNotes - back), kNotes - back);
  EXPECT_EQ(at(counter, 1), 1u) << "the first is kept";
  for (Position i = 1; i <= kNotes; ++i) {
    EXPECT_LE(at(counter, i), i);
    EXPECT_GE(at(counter, i), at(counter, i - 1));
  }
}

TEST(ScrollbackCounter, AtOnePlaceTheLastWordCounts) {
  ScrollbackCounter counter;
  counter.note(10, 3);
  counter.note(10, 4);
  EXPECT_EQ(at(counter, 10), 4u);
}

}  // namespace
}  // namespace ptyd
