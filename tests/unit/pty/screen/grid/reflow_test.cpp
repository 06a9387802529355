#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/support/pty/screen/logical_lines.hpp"
#include "tests/support/pty/screen/screens.hpp"

namespace ptyd {
namespace {

using test::draw;
using test::FedScreen;
using test::lines_and_looks;
using test::logical_lines;
using test::LogicalLine;
using test::texts_of;

/// The glyph the caret stands on, or the one before it when a wrap is pending.
std::string at_caret(const Screen& screen) {
  const Caret& caret = screen.state().caret;
  std::string text;
  const Cell* cell = &screen.grid().cell(caret.row, caret.column);
  if (cell->width == 0) cell = &screen.grid().cell(caret.row, caret.column - 1);
  screen.grid().append_text(*cell, text);
  return text;
}

std::string random_text(std::mt19937& random, std::size_t items) {
  static const std::vector<std::string> kItems{
      "a",          "bc",        "word ", "中",       "文字",   "\r\n",
      "\r\n",       "e\u0301",   "  ",    "\x1b[31m", "\x1b[m", "a longer stretch of text without end ",
      "\r\n\x1b#6", "\r\n\x1b#3"};
  std::string text;
  for (std::size_t i = 0; i < items; ++i) text += kItems[random() % kItems.size()];
  return text;
}

Size random_size(std::mt19937& random) {
  static const std::vector<std::uint16_t> kColumns{2, 3, 5, 8, 13, 40, 120, 2000};
  return {kColumns[random() % kColumns.size()], static_cast<std::uint16_t>(random() % 12 + 1)};
}

TEST(Reflow, LosesNoLogicalLineHoweverTheSizeChanges) {
  constexpr std::size_t kItems = 120;  // of which each begins one line at most
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const Size size = random_size(random);
    FedScreen terminal({size, kItems, EmulatorKind::native});
    terminal.feed(random_text(random, random() % kItems));
    const auto before = lines_and_looks(terminal.screen);
    std::string way = draw(terminal.screen);
    for (int step = 0; step < 6; ++step) {
      terminal.screen.resize(random_size(random));
      way += draw(terminal.screen);
      const auto now = lines_and_looks(terminal.screen);
      const Grid& grid = terminal.screen.grid();
      ASSERT_EQ(texts_of(now, grid), texts_of(before, grid)) << "seed " << seed << "\n" << way;
      ASSERT_TRUE(now == before) << "looks, seed " << seed << "\n" << way;
    }
  }
}

TEST(Reflow, WhatIsAskedForBetweenSizesMakesNoDifference) {
  constexpr std::size_t kItems = 200;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const Size size = random_size(random);
    FedScreen terminal({size, kItems, EmulatorKind::native}), asked({size, kItems, EmulatorKind::native});
    for (int step = 0; step < 6; ++step) {
      const auto text = random_text(random, random() % (kItems / 8));
      const Size next = random_size(random);
      for (auto* each : {&terminal, &asked}) {
        each->feed(text);
        each->screen.resize(next);
      }
      const Grid& grid = asked.screen.grid();
      grid.lay_out(random() % 4 == 0 ? Scrollback::kUnbounded : random() % 20);
      grid.lay_out(Scrollback::kUnbounded, random() % 200);
      const auto rows = asked.screen.grid().scrollback(3);
      ASSERT_LE(rows, asked.screen.grid().scrollback_end());
    }
    const auto now = lines_and_looks(terminal.screen), expected = lines_and_looks(asked.screen);
    ASSERT_EQ(texts_of(now, terminal.screen.grid()), texts_of(expected, asked.screen.grid())) << "seed " << seed;
    ASSERT_EQ(terminal.screen.grid().scrolled_out(), asked.screen.grid().scrolled_out()) << "seed " << seed;
  }
}

/// Cells of `grid` that wait, in its whole scrollback.
std::size_t waiting(const Grid& grid) {
  return grid.cells_to_lay_out(Scrollback::kUnbounded);
}

TEST(Reflow, APartIsWholeLinesTheNewestFirstUntilNothingWaits) {
  FedScreen terminal({{10, 2}, 100, EmulatorKind::native});
  for (int i = 0; i < 20; ++i) terminal.feed(std::string(25, static_cast<char>('a' + i)) + "\r\n");
  const auto before = lines_and_looks(terminal.screen);
  terminal.screen.resize({11, 2});
  const Grid& grid = terminal.screen.grid();
  const auto all = waiting(grid);
  ASSERT_EQ(all, 17u * 25) << "others are near enough to come to the screen";
  EXPECT_EQ(grid.cells_to_lay_out(0), 0u);
  grid.lay_out(Scrollback::kUnbounded, 1);
  EXPECT_EQ(waiting(grid), all - 25) << "one line at least";
  grid.lay_out(Scrollback::kUnbounded, 50);
  EXPECT_EQ(waiting(grid), all - 75);
  grid.lay_out(Scrollback::kUnbounded, 51);
  EXPECT_EQ(waiting(grid), all - 150) << "whole lines";
  grid.lay_out(3, 1000);
  EXPECT_EQ(waiting(grid), all - 150) << "these do not wait any more";
  while (waiting(grid) > 0) grid.lay_out(Scrollback::kUnbounded, 100);
  EXPECT_TRUE(lines_and_looks(terminal.screen) == before);
}

/// `count` lines of 160 columns, numbered: plain, coloured and wide ones.
std::string wide_lines(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    std::string line = (i == 0 ? "" : "\r\n") + std::to_string(i) + " ";
    const std::size_t begin = line.size() - (i == 0 ? 0 : 2);
    const std::string_view item = i % 3 == 0 ? "中" : "x";
    if (i % 3 == 1) line += "\x1b[3" + std::to_string(i % 8) + "m";
    for (std::size_t column = begin; column + 2 <= 160; column += i % 3 == 0 ? 2 : 1) line += item;
    text += line + "\x1b[m";
  }
  return text;
}

TEST(Reflow, ALookFromAPhoneLosesNothingOfAFullScrollback) {
  constexpr std::size_t kLines = Screen::kDefaultScrollback;
  FedScreen terminal({{160, 40}, kLines, EmulatorKind::native});
  terminal.feed(wide_lines(kLines));
  const auto before = lines_and_looks(terminal.screen);
  ASSERT_EQ(before.size(), kLines);
  for (const Size phone : {Size{40, 20}, Size{41, 80}, Size{20, 5}}) {
    terminal.screen.resize(phone);
    EXPECT_TRUE(lines_and_looks(terminal.screen) == before) << phone.cols;
    terminal.screen.resize({160, 40});
    EXPECT_TRUE(lines_and_looks(terminal.screen) == before) << "and back from " << phone.cols;
    EXPECT_EQ(terminal.screen.grid().scrollback(), kLines - 40) << "a row each, as they were";
  }
  EXPECT_EQ(terminal.screen.grid().scrolled_out(), kLines) << "no line is counted for its rows";
}

TEST(Reflow, AWindowThatIsDraggedLaysOutWhatItsScreenNeedsAndNoMore) {
  FedScreen terminal({{160, 40}, Screen::kDefaultScrollback, EmulatorKind::native});
  terminal.feed(wide_lines(Screen::kDefaultScrollback));
  const auto before = lines_and_looks(terminal.screen);
  const Grid& grid = terminal.screen.grid();
  for (std::uint16_t columns = 159; columns >= 60; --columns) {
    const auto work = grid.work();
    terminal.screen.resize({columns, 40});
    EXPECT_GT(grid.work() - work, 0u);
    EXPECT_LT(grid.work() - work, 40 * 160 * 4u) << columns;
  }
  EXPECT_TRUE(lines_and_looks(terminal.screen) == before);
}

TEST(Reflow, OfALineWithoutEndAsMuchIsLaidOutAsItIsBoundedBy) {
  constexpr std::size_t kLines = 20, kMost = kLines * Scrollback::kCellsPerLine;
  FedScreen terminal({{100, 5}, kLines, EmulatorKind::native});
  terminal.feed(std::string(3 * kMost, 'x'));
  const auto work = terminal.screen.grid().work();
  terminal.screen.resize({99, 5});
  EXPECT_LE(terminal.screen.grid().work() - work, kMost + 500);
}

TEST(Reflow, LinesAreCountedOnceWhateverTheirRowsAndHoweverOftenTheyComeBack) {
  FedScreen terminal({{80, 4}, 100, EmulatorKind::native});
  for (int i = 0; i < 10; ++i) terminal.feed(std::string(80, static_cast<char>('a' + i)) + "\r\n");
  const Grid& grid = terminal.screen.grid();
  EXPECT_EQ(grid.scrolled_out(), 7u);
  for (int round = 0; round < 3; ++round) {
    terminal.screen.resize({20, 4});
    EXPECT_EQ(grid.scrolled_out(), 10u) << "the last three lines went, in part at least: " << draw(terminal.screen);
    terminal.screen.resize({80, 4});
  }
  EXPECT_EQ(grid.scrollback(), 7u) << draw(terminal.screen);
  terminal.feed("k\r\nl\r\nm\r\nn\r\n");
  EXPECT_EQ(grid.scrolled_out(), 11u);
}

TEST(Reflow, ALineWithoutEndIsBoundedAtAnySize) {
  constexpr std::size_t kLines = 20, kMost = kLines * Scrollback::kCellsPerLine;
  FedScreen terminal({{100, 5}, kLines, EmulatorKind::native});
  terminal.feed(std::string(3 * kMost, 'x'));
  const auto cells = [&] {
    std::size_t sum = 0;
    std::vector<Cell> space;
    for (std::size_t i = 0; i < terminal.screen.grid().scrollback(); ++i)
      sum += terminal.screen.grid().scrollback_line(i, space).cells.size();
    return sum;
  };
  EXPECT_EQ(cells(), kMost);
  for (const Size size : {Size{2, 3}, Size{2000, 1}, Size{40, 20}}) {
    terminal.screen.resize(size);
    EXPECT_LE(cells(), kMost);
    EXPECT_GE(cells() + 2000, kMost);
    EXPECT_EQ(logical_lines(terminal.screen).size(), 1u);
  }
  EXPECT_EQ(terminal.screen.grid().scrolled_out(), 1u);
}

TEST(Reflow, TheCaretStaysOnItsCharacterWhereverItStands) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    FedScreen terminal({{static_cast<std::uint16_t>(random() % 30 + 2), static_cast<std::uint16_t>(random() % 8 + 2)},
                        100'000,
                        EmulatorKind::native});
    std::string text;
    for (unsigned i = 0; i < random() % 200; ++i) text += static_cast<char>('!' + (i * 7 + i / 90) % 90);
    terminal.feed(text + "\x1b[" + std::to_string(random() % 8 + 1) + ";" + std::to_string(random() % 30 + 1) + "H");
    const std::string before = at_caret(terminal.screen);
    if (before == " ") continue;
    std::string way = draw(terminal.screen);
    for (int step = 0; step < 6; ++step) {
      terminal.screen.resize(random_size(random));
      way += draw(terminal.screen);
      ASSERT_EQ(at_caret(terminal.screen), before) << "seed " << seed << "\n" << way;
    }
  }
}

TEST(Reflow, WhatIsPushedOutBelowTheCaretComesBack) {
  FedScreen terminal({{10, 6}, 100, EmulatorKind::native});
  terminal.feed("one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\x1b[1;2H");
  const auto before = logical_lines(terminal.screen);
  terminal.screen.resize({10, 2});
  EXPECT_EQ(at_caret(terminal.screen), "n") << draw(terminal.screen);
  terminal.screen.resize({10, 6});
  EXPECT_EQ(logical_lines(terminal.screen), before) << draw(terminal.screen);
  terminal.screen.resize({10, 2});
  terminal.feed("\x1b[2J");
  terminal.screen.resize({10, 6});
  EXPECT_EQ(logical_lines(terminal.screen), std::vector<std::string>{}) << "what is erased does not come back";
}

TEST(Reflow, AWholeScreenWaitsBelowTheCaret) {
  FedScreen terminal({{200, 1000}, 10, EmulatorKind::native});
  for (int row = 0; row < 1000; ++row)
    terminal.feed((row == 0 ? "" : "\r\n") + std::to_string(1000 + row) + std::string(196, 'x'));
  terminal.feed("\x1b[H");
  const auto before = logical_lines(terminal.screen);
  ASSERT_EQ(before.size(), 1000u);
  for (const Size size : {Size{40, 1000}, Size{40, 20}, Size{2, 1}}) {
    terminal.screen.resize(size);
    EXPECT_EQ(logical_lines(terminal.screen)[0].substr(0, 2), "10") << "what is next to the caret is next to it still";
    terminal.screen.resize({200, 1000});
    EXPECT_TRUE(logical_lines(terminal.screen) == before) << size.cols;
  }
}

TEST(Reflow, OfWhatWaitsBelowTheFarthestIsLost) {
  constexpr std::size_t kColumns = 4000, kFit = Lines::kMaxBelow / kColumns;
  const auto rows_after = [](std::size_t below) {
    Grid grid({kColumns, static_cast<std::uint16_t>(below + 1)}, 10);
    for (std::size_t row = 0; row <= below; ++row)
      grid.put_ascii(static_cast<int>(row), 0, std::to_string(1000 + row) + std::string(kColumns - 4, 'x'), 0, false);
    Place caret;
    grid.resize({kColumns, 1}, {&caret, 1}, {});
    grid.resize({kColumns, static_cast<std::uint16_t>(below + 1)}, {&caret, 1}, {});
    std::size_t rows = 0;
    while (rows <= below && grid.cell(static_cast<int>(rows), 0).glyph == '1') ++rows;
    return rows;
  };
  EXPECT_EQ(rows_after(kFit), kFit + 1);
  EXPECT_EQ(rows_after(kFit + 1), kFit + 1) << "the last one";
}

TEST(Reflow, AScreenThatWasFullTakesLinesBackWhenItGrows) {
  FedScreen terminal({{10, 3}, 100, EmulatorKind::native});
  terminal.feed("1\r\n2\r\n3\r\n4\r\n5");
  terminal.screen.resize({10, 5});
  EXPECT_EQ(terminal.screen.grid().scrollback(), 0u) << draw(terminal.screen);
  EXPECT_EQ(terminal.screen.state().caret.row, 4);
}

TEST(Reflow, AScreenWithRoomBelowKeepsItsTop) {
  FedScreen terminal({{10, 3}, 100, EmulatorKind::native});
  terminal.feed("1\r\n2\r\n3\r\n4\x1b[H\x1b[2Jtop");
  terminal.screen.resize({20, 6});
  EXPECT_EQ(terminal.screen.grid().scrollback(), 1u) << draw(terminal.screen);
  EXPECT_EQ(terminal.screen.state().caret.row, 0);
}

TEST(Reflow, APendingWrapBecomesAnOrdinaryPlaceAndBack) {
  FedScreen terminal({{4, 2}, 10, EmulatorKind::native});
  terminal.feed("abcd");
  terminal.screen.resize({8, 2});
  EXPECT_EQ(terminal.screen.state().caret, (Caret{0, 4, false}));
  terminal.screen.resize({4, 2});
  EXPECT_EQ(terminal.screen.state().caret, (Caret{0, 3, true}));
}

TEST(Reflow, TheAlternateBufferIsCutAndThePrimaryOneReflowedBehindIt) {
  FedScreen terminal({{8, 3}, 10, EmulatorKind::native});
  terminal.feed("abcdefghij\x1b[?1049h\x1b[HABCDEFGH\x1b[3;1Hlast");
  const auto before = logical_lines(terminal.screen);
  terminal.screen.resize({4, 2});
  EXPECT_EQ(logical_lines(terminal.screen), before);
  EXPECT_EQ(at_caret(terminal.screen), "t") << draw(terminal.screen);
  terminal.screen.resize({8, 3});
  terminal.feed("\x1b[?1049l!");
  EXPECT_EQ(logical_lines(terminal.screen), std::vector<std::string>{"abcdefghij!"}) << draw(terminal.screen);
}

TEST(Reflow, MarginsBecomeTheWholeScreenAndTabsGoOn) {
  FedScreen terminal({{20, 5}, 10, EmulatorKind::native});
  terminal.feed("\x1b[2;3r\x1b[?69h\x1b[3;9s\x1b[3g");
  terminal.screen.resize({40, 9});
  const TerminalState& state = terminal.screen.state();
  EXPECT_EQ((std::vector{state.top, state.bottom, state.left, state.right}), (std::vector{0, 8, 0, 39}));
  EXPECT_FALSE(state.tabs[16]);
  EXPECT_TRUE(state.tabs[24]);
}

TEST(Reflow, TakesAllSizesInTheirTurn) {
  FedScreen terminal({{80, 24}, 100, EmulatorKind::native});
  std::mt19937 random(5);
  terminal.feed(random_text(random, 400));
  for (const Size size : {Size{2, 1}, Size{2000, 1000}, Size{2, 1000}, Size{2000, 1}, Size{1, 0}, Size{80, 24}}) {
    terminal.screen.resize(size);
    terminal.feed("x\x1b[?1049h中\x1b[?1049l");
    const Size now = terminal.screen.grid().size();
    EXPECT_LT(terminal.screen.state().caret.row, now.rows);
    EXPECT_LT(terminal.screen.state().caret.column, now.cols);
  }
}

}  // namespace
}  // namespace ptyd
