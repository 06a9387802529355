// Verbs that both emulators share and neither decides alone.
#include "pty/screen/state_verbs.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ptyd {
namespace {

constexpr Size kTenByFive{10, 5};

TEST(TerminalState, FreshIsTheWholeScreenWithAStopInEveryEighthColumn) {
  const TerminalState state = fresh_state({20, 5});
  EXPECT_EQ(origin_area(state, {20, 5}), (Area{0, 0, 5, 20}));
  EXPECT_EQ(state.bottom, 4);
  EXPECT_EQ(state.right, 19);
  for (std::size_t column = 0; column < 20; ++column) EXPECT_EQ(state.tabs[column], column == 8 || column == 16);
  EXPECT_TRUE(state.autowrap);
}

TEST(TerminalState, ASoftResetSparesTheCaretTheTabStopsAndTheLink) {
  TerminalState state = fresh_state(kTenByFive);
  state.caret = {2, 9, true};
  state.tabs.assign(10, true);
  state.pen.link = 7;
  state.pen.attributes = attribute::kBold;
  state.guarded = true;
  state.charsets.left = 1;
  save_caret(state, Buffer::primary);
  ASSERT_TRUE(set_row_margins(state, kTenByFive, 2, 3));
  softly_reset(state, kTenByFive);
  EXPECT_EQ(state.caret, (Caret{2, 9, true}));
  EXPECT_EQ(state.tabs, std::vector<bool>(10, true));
  EXPECT_EQ(state.pen, (Pen{{}, {}, {}, 0, Underline::none, 7}));
  EXPECT_FALSE(state.guarded);
  EXPECT_EQ(state.charsets, Charsets{});
  EXPECT_FALSE(state.saved[0]);
  EXPECT_EQ(state.top, 0);
  EXPECT_EQ(state.bottom, 4);
}

TEST(TerminalState, EachBufferHasItsSavedCaret) {
  TerminalState state = fresh_state(kTenByFive);
  state.caret = {1, 2, false};
  state.origin = state.guarded = true;
  state.charsets.designated[0] = '0';
  const Charsets charsets = state.charsets;
  save_caret(state, Buffer::primary);
  EXPECT_EQ(take_saved(state, Buffer::alternate), Caret{}) << "nothing was saved there";
  EXPECT_FALSE(state.origin || state.guarded);
  EXPECT_EQ(state.charsets, Charsets{});
  EXPECT_EQ(take_saved(state, Buffer::primary), (Caret{1, 2, false}));
  EXPECT_TRUE(state.origin && state.guarded);
  EXPECT_EQ(state.charsets, charsets);
}

TEST(TerminalState, MarginsAreTwoRowsOrColumnsAtLeast) {
  TerminalState state = fresh_state(kTenByFive);
  EXPECT_FALSE(set_row_margins(state, kTenByFive, 3, 3));
  EXPECT_FALSE(set_row_margins(state, kTenByFive, 9, 0));
  EXPECT_TRUE(set_row_margins(state, kTenByFive, 0, 2));
  EXPECT_EQ(state.bottom, 1);
  EXPECT_TRUE(set_row_margins(state, kTenByFive, 4, 99));
  EXPECT_EQ(state.top, 3);
  EXPECT_EQ(state.bottom, 4);
  EXPECT_FALSE(set_column_margins(state, kTenByFive, 10, 0));
  EXPECT_TRUE(set_column_margins(state, kTenByFive, 9, 99));
  EXPECT_EQ(state.left, 8);
  EXPECT_EQ(state.right, 9);
  TerminalState low = fresh_state({10, 1});
  EXPECT_TRUE(set_row_margins(low, {10, 1}, 1, 1)) << "but on a screen of one";
}

TEST(TerminalState, TheOriginMovesAndBoundsPlaces) {
  TerminalState state = fresh_state(kTenByFive);
  set_row_margins(state, kTenByFive, 2, 4);
  const Place free = from_origin(state, 9, 9);
  EXPECT_EQ(free.row, 9) << "the screen bounds it, not the origin";
  state.origin = true;
  const Place bound = from_origin(state, 9, -1);
  EXPECT_EQ(bound.row, 3);
  EXPECT_EQ(bound.column, 0);
  EXPECT_EQ(origin_area(state, kTenByFive), (Area{1, 0, 4, 10}));
}

/// Row and column before the first column.
std::pair<int, int> before(const TerminalState& state, const Grid& grid) {
  const auto place = before_first_column(state, grid);
  return place ? std::pair{place->row, place->column} : std::pair{-1, -1};
}

TEST(TerminalState, ExtendedReverseWrapGoesUpByAnyRow) {
  constexpr std::pair kNowhere{-1, -1};
  const Grid grid({10, 6}, 0);
  TerminalState state = fresh_state({10, 6});
  state.caret = {3, 0};
  EXPECT_EQ(before(state, grid), kNowhere);
  state.reverse_wrap = true;
  EXPECT_EQ(before(state, grid), kNowhere) << "the row above has not wrapped";
  state.extended_reverse_wrap = true;
  EXPECT_EQ(before(state, grid), (std::pair{2, 9}));
  state.caret = {0, 0};
  EXPECT_EQ(before(state, grid), (std::pair{5, 9})) << "from the topmost row to the lowest";
  state.top = 1, state.bottom = 4, state.left = 2, state.right = 7;
  EXPECT_EQ(before(state, grid), (std::pair{5, 7})) << "outside the margins rows are the screen's";
  state.caret = {1, 2};
  EXPECT_EQ(before(state, grid), (std::pair{4, 7}));
  state.autowrap = false;
  EXPECT_EQ(before(state, grid), kNowhere);
}

TEST(TerminalState, AWideGlyphLeavesAHoleWhereItMayWrap) {
  TerminalState state = fresh_state(kTenByFive);
  state.caret = {2, 9, false};
  EXPECT_EQ(hole_before_wrap(state, 9), (Area{2, 9, 3, 10}));
  state.autowrap = false;
  EXPECT_EQ(hole_before_wrap(state, 9), std::nullopt);
  state.autowrap = true;
  state.left = state.right = 9;
  EXPECT_EQ(hole_before_wrap(state, 9), std::nullopt) << "no row between these margins has room";
}

TEST(TerminalState, APendingWrapEndsWithTheMarginItWaitedBehind) {
  Grid grid(kTenByFive, 0);
  TerminalState state = fresh_state(kTenByFive);
  state.caret = {0, 5, true};
  state.right = 5;
  settle_caret(state, grid);
  EXPECT_TRUE(state.caret.pending_wrap);
  state.right = 9;
  settle_caret(state, grid);
  EXPECT_EQ(state.caret, (Caret{0, 5, false}));
  grid.set_line_size(0, LineSize::double_width);
  state.caret.column = 9;
  settle_caret(state, grid);
  EXPECT_EQ(state.caret.column, 4) << "a double line has half the columns";
}

TEST(TerminalState, UnknownCharsetsAreAscii) {
  Charsets charsets;
  EXPECT_TRUE(designate(charsets, ')', '0'));
  EXPECT_TRUE(designate(charsets, '+', 'A'));
  EXPECT_EQ(charsets.designated, (std::array<char, 4>{'B', '0', 'B', 'A'}));
  EXPECT_TRUE(designate(charsets, ')', 'K'));
  EXPECT_EQ(charsets.designated[1], 'B');
  EXPECT_FALSE(designate(charsets, '-', 'A')) << "96 characters: not known";
}

/// Effects of a switch, in one word a thing.
std::string steps_of(int mode, bool alternate, Buffer shown) {
  const BufferSwitch does = buffer_switch(mode, alternate, shown);
  return std::string(does.saves_caret ? "save " : "") + (does.erases_before ? "erase " : "") + "switch" +
         (does.erases_after ? " erase" : "") + (does.restores_caret ? " restore" : "");
}

TEST(TerminalState, EachNumberOfTheAlternateScreenDoesItsOwnBesides) {
  const Buffer primary = Buffer::primary, other = Buffer::alternate;
  EXPECT_EQ(steps_of(47, true, primary), "switch");
  EXPECT_EQ(steps_of(47, false, other), "switch");
  EXPECT_EQ(steps_of(1047, true, primary), "switch");
  EXPECT_EQ(steps_of(1047, false, other), "erase switch");
  EXPECT_EQ(steps_of(1047, false, primary), "switch") << "nothing is left";
  EXPECT_EQ(steps_of(1049, true, primary), "save switch erase");
  EXPECT_EQ(steps_of(1049, false, other), "switch restore");
}

}  // namespace
}  // namespace ptyd
