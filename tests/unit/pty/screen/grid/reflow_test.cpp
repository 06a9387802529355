#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "tests/support/pty/screen/screens.hpp"

namespace ptyd {
namespace {

using test::draw;
using test::FedScreen;

/// All lines of the primary buffer and above it, joined where they are wrapped; trailing blanks and empty lines at the
/// end left out.
std::vector<std::string> logical_lines(const Screen& screen) {
  const Grid& grid = screen.grid();
  std::vector<std::string> lines{""};
  const auto add = [&](const Line& line, const Line* next) {
    for (std::size_t i = 0; i < line.cells.size(); ++i) {
      const bool last = i + 1 == grid.size().cols;
      const bool hole = line.wrapped && last && line.cells[i].glyph == 0 && line.cells[i].width == 1 &&
                        next != nullptr && !next->cells.empty() && next->cells[0].width == 2;
      if (!hole) grid.append_text(line.cells[i], lines.back());
    }
    if (line.wrapped) return;
    lines.back().erase(lines.back().find_last_not_of(' ') + 1);
    lines.emplace_back();
  };
  std::vector<std::vector<Cell>> spaces(grid.scrollback());
  std::vector<Line> all;
  for (std::size_t i = 0; i < grid.scrollback(); ++i) all.push_back(grid.scrollback_line(i, spaces[i]));
  for (int row = 0; row < grid.size().rows; ++row) all.push_back(grid.line(Buffer::primary, row));
  for (std::size_t i = 0; i < all.size(); ++i) add(all[i], i + 1 < all.size() ? &all[i + 1] : nullptr);
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

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
  static const std::vector<std::string> kItems{"a",    "bc",       "word ",  "中",
                                               "文字", "\r\n",     "\r\n",   "e\u0301",
                                               "  ",   "\x1b[31m", "\x1b[m", "a longer stretch of text without end "};
  std::string text;
  for (std::size_t i = 0; i < items; ++i) text += kItems[random() % kItems.size()];
  return text;
}

Size random_size(std::mt19937& random) {
  static const std::vector<std::uint16_t> kColumns{2, 3, 5, 8, 13, 40, 120, 2000};
  return {kColumns[random() % kColumns.size()], static_cast<std::uint16_t>(random() % 12 + 1)};
}

TEST(Reflow, LosesNoLogicalLineHoweverTheSizeChanges) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const Size size = random_size(random);
    FedScreen terminal({size, 100'000, EmulatorKind::native});
    terminal.feed(random_text(random, random() % 120));
    const auto before = logical_lines(terminal.screen);
    std::string way = draw(terminal.screen);
    for (int step = 0; step < 6; ++step) {
      terminal.screen.resize(random_size(random));
      way += draw(terminal.screen);
      ASSERT_EQ(logical_lines(terminal.screen), before) << "seed " << seed << "\n" << way;
    }
  }
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
