#include "pty/screen/report/checksum.hpp"

#include <gtest/gtest.h>

#include "tests/support/pty/screen/screens.hpp"

namespace ptyd {
namespace {

/// A bold A, a space, an underlined e with an accent, and three columns that nothing was printed on.
std::uint16_t sum_of_a_row(int flags) {
  test::FedScreen terminal({.size = {6, 2}});
  terminal.feed("\x1b[1mA\x1b[m \x1b[4me\xCC\x81\x1b[m");
  return checksum(terminal.screen.grid(), {0, 0, 1, 6}, static_cast<std::uint8_t>(flags));
}

constexpr int kCharacters = 'A' + ' ' + 'e', kLooks = 0x80 + 0x10;

TEST(Checksum, IsNegatedUnlessItIsChosenOtherwise) {
  EXPECT_EQ(sum_of_a_row(0), 0x10000 - (kCharacters + kLooks));
  EXPECT_EQ(sum_of_a_row(1), kCharacters + kLooks);
}

TEST(Checksum, LooksCanBeLeftOut) {
  EXPECT_EQ(sum_of_a_row(1 + 2), kCharacters);
}

TEST(Checksum, BlanksCountWhereTheyAreWantedButNotWhereOnlyWhatWasPrintedIs) {
  EXPECT_EQ(sum_of_a_row(1 + 2 + 4), kCharacters + 3 * ' ');
  EXPECT_EQ(sum_of_a_row(1 + 2 + 4 + 8), kCharacters);
  EXPECT_EQ(sum_of_a_row(1 + 2 + 8), kCharacters);
}

TEST(Checksum, CharactersAreEightBitsWithoutMarksUnlessTheyAreWantedWhole) {
  EXPECT_EQ(sum_of_a_row(1 + 2 + 16), kCharacters + 0x301);
  test::FedScreen terminal({.size = {6, 2}});
  terminal.feed("\u4e2d");
  EXPECT_EQ(checksum(terminal.screen.grid(), {0, 0, 1, 6}, 1), 0x2D);
  EXPECT_EQ(checksum(terminal.screen.grid(), {0, 0, 1, 6}, 1 + 16), 0x4E2D);
}

TEST(Checksum, NothingIsTranslatedByGr) {
  EXPECT_EQ(sum_of_a_row(32), sum_of_a_row(0));
}

TEST(Checksum, WhatIsOutsideTheScreenCountsNothing) {
  test::FedScreen terminal({.size = {6, 2}});
  EXPECT_EQ(checksum(terminal.screen.grid(), {0, 0, 9, 99}, 1 + 4), 12 * ' ');
  EXPECT_EQ(checksum(terminal.screen.grid(), {5, 0, 1, 9}, 1 + 4), 0);
}

}  // namespace
}  // namespace ptyd
