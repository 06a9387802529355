#include "server/session/line_tally.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(LineTally, KnowsHowManyHadGoneAtAPlace) {
  LineTally tally;
  tally.note(10, 3);
  tally.note(20, 5);
  EXPECT_EQ(tally.at(9), 0u);
  EXPECT_EQ(tally.at(10), 3u);
  EXPECT_EQ(tally.at(19), 3u);
  EXPECT_EQ(tally.at(20), 5u);
  EXPECT_EQ(tally.since(10, 6), 3u);
}

TEST(LineTally, GoesOnWhateverTheNextScreenHasCounted) {
  for (const std::uint64_t begins_at : {0u, 40u, 5000u}) {
    LineTally tally;
    tally.note(10, 100);
    tally.go_on_from(begins_at);
    EXPECT_EQ(tally.since(10, begins_at), 0u);
    EXPECT_EQ(tally.since(10, begins_at + 2), 2u);
    tally.note(20, begins_at + 2);
    EXPECT_EQ(tally.at(20), 102u);
  }
}

TEST(LineTally, IsNeverLessThanItWas) {
  LineTally tally;
  tally.note(10, 100);
  EXPECT_EQ(tally.since(10, 4), 0u) << "a Screen that counts back is no more than forgetful";
  tally.note(20, 4);
  EXPECT_EQ(tally.at(20), 100u);
}

TEST(LineTally, IsExactForTheNewestPlacesAndRoughForTheOldOnes) {
  constexpr Position kNotes = 100 * LineTally::kPlaces;
  LineTally tally;
  for (Position i = 1; i <= kNotes; ++i) tally.note(i, i);
  for (Position back = 0; back < LineTally::kPlaces / 2; ++back) EXPECT_EQ(tally.at(kNotes - back), kNotes - back);
  EXPECT_EQ(tally.at(1), 1u) << "the first is kept";
  for (Position i = 1; i <= kNotes; ++i) {
    EXPECT_LE(tally.at(i), i);
    EXPECT_GE(tally.at(i), tally.at(i - 1));
  }
}

TEST(LineTally, AtOnePlaceTheLastWordCounts) {
  LineTally tally;
  tally.note(10, 3);
  tally.note(10, 4);
  EXPECT_EQ(tally.at(10), 4u);
}

}  // namespace
}  // namespace ptyd
