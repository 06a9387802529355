#include "pty/screen/grid/grid.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

std::string row_text(const Grid& grid, int row, Buffer buffer = Buffer::primary) {
  std::string text;
  for (const Cell& cell : grid.line(buffer, row).cells) grid.append_text(cell, text);
  return text;
}

std::string scrollback_text(const Grid& grid, std::size_t index) {
  std::vector<Cell> space;
  std::string text;
  for (const Cell& cell : grid.scrollback_line(index, space).cells) grid.append_text(cell, text);
  return text;
}

Pen coloured(std::uint32_t rgb) {
  Pen pen;
  pen.foreground = Colour::rgb(rgb);
  return pen;
}

TEST(Grid, TakesNoMemoryForRowsBeforeTheyAreWritten) {
  Grid grid({120, 40}, 5000);
  EXPECT_TRUE(grid.line(Buffer::primary, 39).cells.empty());
  EXPECT_LE(sizeof grid, 1024u);
  grid.put_ascii(3, 2, "ab", 0, false);
  EXPECT_EQ(row_text(grid, 3), "  ab");
  EXPECT_TRUE(grid.line(Buffer::primary, 2).cells.empty());
}

TEST(Grid, CutsOffWhateverIsOutside) {
  Grid grid({6, 3}, 10);
  grid.put_ascii(1, 4, "abcdef", 0, false);
  EXPECT_EQ(row_text(grid, 1), "    ab");
  grid.put_ascii(3, 0, "x", 0, false);
  grid.put_ascii(-1, 0, "x", 0, false);
  grid.put(0, 5, U'中', 2, 0, false);
  grid.put(0, -1, U'x', 1, 0, false);
  grid.erase({-5, -5, 1, 99}, 0);
  grid.scroll_up({-3, -3, 99, 99}, 99, 0);
  grid.scroll_down({2, 4, 1, 2}, 1, 0);
  grid.insert_cells({0, 5, 9, 99}, 99, 0);
  grid.copy({0, 0, 99, 99}, 2, 5);
  grid.copy({0, 0, 1, 1}, -1, 99);
  EXPECT_EQ(grid.line(Buffer::primary, 7).cells.size(), 0u);
}

TEST(Grid, IsNeverNarrowerThanAWideGlyphNorLargerThanItsBounds) {
  EXPECT_EQ(Grid({1, 0}, 0).size(), (Size{2, 1}));
  EXPECT_EQ(Grid({65535, 65535}, 0).size(), (Size{Grid::kMaxColumns, Grid::kMaxRows}));
}

struct Overwritten {
  const char* name;
  int column;
  std::string text;
  std::string then;
};

TEST(Grid, BlanksTheOtherHalfOfAWideGlyph) {
  for (const auto& [name, column, text, then] :
       {Overwritten{"left half", 1, "x", "ax b"}, Overwritten{"right half", 2, "x", "a xb"},
        Overwritten{"run up to its left half", 0, "xy", "xy b"},
        Overwritten{"run from its right half", 2, "xy", "a xy"}}) {
    Grid grid({4, 1}, 0);
    grid.put_ascii(0, 0, "a", 0, false);
    grid.put(0, 1, U'中', 2, 0, false);
    grid.put_ascii(0, 3, "b", 0, false);
    grid.put_ascii(0, column, text, 0, false);
    EXPECT_EQ(row_text(grid, 0), then) << name;
  }
}

TEST(Grid, ShiftingCellsCutsWideGlyphsAtBothEnds) {
  Grid grid({6, 1}, 0);
  for (int column = 0; column < 6; column += 2) grid.put(0, column, U'中', 2, 0, false);
  grid.insert_cells({0, 1, 1, 6}, 1, 0);
  EXPECT_EQ(row_text(grid, 0), "   中 ");
  grid.put(0, 0, U'中', 2, 0, false);
  grid.delete_cells({0, 1, 1, 6}, 1, 0);
  EXPECT_EQ(row_text(grid, 0), "  中  ");
}

TEST(Grid, ErasedCellsKeepOnlyTheBackground) {
  Grid grid({4, 1}, 0);
  Pen red;
  red.background = Colour::indexed(1);
  grid.put_ascii(0, 0, "abcd", 0, false);
  grid.erase({0, 1, 1, 3}, grid.pen_id(red));
  EXPECT_EQ(row_text(grid, 0), "a  d");
  EXPECT_EQ(grid.pen(grid.cell(0, 1).pen), red);
}

TEST(Grid, SelectiveEraseSparesWhatIsGuarded) {
  Grid grid({6, 1}, 0);
  grid.put_ascii(0, 0, "ab", 0, true);
  grid.put(0, 2, U'中', 2, 0, true);
  grid.put_ascii(0, 4, "cd", 0, false);
  grid.erase_unguarded({0, 0, 1, 6}, 0);
  EXPECT_EQ(row_text(grid, 0), "ab中");
}

TEST(Grid, OnlyLinesOfThePrimaryBufferInFullWidthBecomeScrollback) {
  Grid grid({4, 3}, 2);
  const auto draw = [&grid](const char* text) { grid.put_ascii(0, 0, text, 0, false); };
  draw("one");
  grid.scroll_up({0, 0, 2, 4}, 1, 0);
  draw("two");
  grid.delete_lines({0, 0, 3, 4}, 1, 0);
  draw("six");
  grid.scroll_up({0, 1, 3, 4}, 1, 0);
  grid.activate(Buffer::alternate);
  draw("alt");
  grid.scroll_up({0, 0, 3, 4}, 1, 0);
  ASSERT_EQ(grid.scrollback(), 1u);
  EXPECT_EQ(scrollback_text(grid, 0), "one");
  EXPECT_EQ(row_text(grid, 0), "s   ");
}

TEST(Grid, KeepsSoManyLinesAndCountsAll) {
  Grid grid({4, 1}, 3);
  for (const char* text : {"1", "2", "3", "4"}) {
    grid.put_ascii(0, 0, text, 0, false);
    grid.scroll_up({0, 0, 1, 4}, 1, 0);
  }
  EXPECT_EQ(grid.scrollback(), 3u);
  EXPECT_EQ(scrollback_text(grid, 0), "2");
  EXPECT_EQ(grid.scrolled_out(), 4u);
}

TEST(Grid, CopiesOverItself) {
  Grid grid({6, 3}, 0);
  grid.put_ascii(0, 0, "abc", 0, false);
  grid.put_ascii(1, 0, "def", 0, false);
  grid.copy({0, 0, 2, 3}, 1, 1);
  EXPECT_EQ(row_text(grid, 0) + "|" + row_text(grid, 1) + "|" + row_text(grid, 2), "abc|dabc| def");
}

TEST(Grid, AClusterTakesAsManyCodePointsAsItMay) {
  Grid grid({4, 1}, 0);
  grid.put(0, 0, U'e', 1, 0, false);
  std::string wanted = "e";
  for (std::size_t points = 2; points <= StyleTable::kMaxClusterPoints + 1; ++points) {
    grid.add_to_glyph(0, 1, 0x301, 1);
    if (points <= StyleTable::kMaxClusterPoints) wanted += "\u0301";
    EXPECT_EQ(row_text(grid, 0), wanted) << points;
  }
}

TEST(Grid, PensThatNobodyHasAreCollectedAndThoseInUseStay) {
  Grid grid({80, 2}, 10);
  const Pen kept = coloured(0xABCDEF);
  grid.keep_pens([kept] { return std::vector<Pen>{kept}; });
  const PenId kept_id = grid.pen_id(kept), shown = grid.pen_id(coloured(0xFEDCBA));
  grid.put_ascii(0, 0, "shown", shown, false);
  for (std::uint32_t i = 1; i <= 3 * StyleTable::kMaxPens; ++i) {
    const PenId id = grid.pen_id(coloured(i));
    ASSERT_EQ(grid.pen(id), coloured(i)) << "the pen before it is known: no look may be a wrong one";
    grid.put_ascii(1, static_cast<int>(i % 80), "x", id, false);
  }
  EXPECT_EQ(grid.pen(shown), coloured(0xFEDCBA));
  EXPECT_EQ(grid.pen_id(kept), kept_id);
  EXPECT_EQ(grid.names().simplified(), 0u);
}

TEST(Grid, WherePensRunOutOlderLinesBecomePlainAndKeepTheirText) {
  Grid grid({1000, 1}, 1000);
  std::uint32_t colour = 1;
  for (int line = 0; line < 100; ++line) {
    for (int column = 0; column < 1000; ++column) {
      const PenId id = grid.pen_id(coloured(colour));
      ASSERT_EQ(grid.pen(id), coloured(colour++));
      grid.put_ascii(0, column, "x", id, false);
    }
    grid.scroll_up({0, 0, 1, 1000}, 1, 0);
  }
  EXPECT_GT(grid.names().simplified(), 0u);
  EXPECT_EQ(scrollback_text(grid, 0), std::string(1000, 'x'));
  std::vector<Cell> space;
  EXPECT_EQ(grid.pen(grid.scrollback_line(99, space).cells[999].pen), coloured(colour - 1)) << "new lines are exact";
}

/// Text of narrow and wide glyphs, some of them guarded, other in each row, and rows that wrap.
Grid painted() {
  Grid grid({11, 7}, 10);
  for (int row = 0; row < 6; ++row) {
    for (int column = row % 2; column + 2 <= 11 - row; column += 2)
      grid.put(row, column, U'一' + static_cast<char32_t>(row * 16 + column), 2, grid.pen_id(coloured(1)), row == 2);
    grid.put_ascii(row, 4, "xy", grid.pen_id(coloured(2)), row % 3 == 0);
    if (row > 0) grid.join_to_above(row);
  }
  return grid;
}

/// Of a blank only the background counts.
Cell as_it_looks(const Grid& grid, int row, int column) {
  Cell cell = grid.cell(row, column);
  if (cell.glyph == 0 && cell.width == 1 && grid.pen(cell.pen).background.is_default()) cell.pen = 0;
  return cell;
}

void expect_same(const Grid& grid, const Grid& wanted, const std::string& after) {
  for (int row = 0; row < wanted.size().rows; ++row) {
    for (int column = 0; column < wanted.size().cols; ++column)
      ASSERT_EQ(as_it_looks(grid, row, column), as_it_looks(wanted, row, column))
          << after << ", " << row << "," << column;
    ASSERT_EQ(grid.line(Buffer::primary, row).wrapped, wanted.line(Buffer::primary, row).wrapped)
        << after << ", " << row;
  }
}

TEST(Grid, WhatScrollsManyLinesAtOnceLooksAsIfItHadScrolledOneByOne) {
  for (const Area area : {Area{0, 0, 7, 11}, Area{1, 0, 6, 11}, Area{1, 2, 6, 9}, Area{0, 3, 7, 11}, Area{2, 0, 7, 8}})
    for (int count = 1; count <= area.bottom - area.top; ++count)
      for (const bool up : {true, false}) {
        Grid at_once = painted(), one_by_one = painted();
        const auto scroll = [&area, up](Grid& grid, int lines) {
          Pen erased;
          erased.background = Colour::indexed(4);
          const PenId pen = grid.pen_id(erased);
          up ? grid.scroll_up(area, lines, pen) : grid.scroll_down(area, lines, pen);
        };
        // The first time, wide glyphs that stand across a margin are cut.
        scroll(at_once, 1);
        scroll(one_by_one, 1);
        scroll(at_once, count);
        for (int i = 0; i < count; ++i) scroll(one_by_one, 1);
        expect_same(at_once, one_by_one, (up ? "up " : "down ") + std::to_string(count));
      }
}

TEST(Grid, WhatOverlapsItsOwnCopyIsCopiedAsItWas) {
  const Area area{1, 2, 5, 9};
  for (int row = 0; row < 4; ++row)
    for (int column = 0; column < 5; ++column) {
      const Grid before = painted();
      Grid grid = painted(), wanted = painted();
      grid.copy(area, row, column);
      for (int line = 0; line < area.bottom - area.top; ++line) {
        std::vector<Cell> cells;
        for (int at = area.left; at < area.right; ++at) cells.push_back(before.cell(area.top + line, at));
        wanted.put_cells(row + line, column, cells);
      }
      expect_same(grid, wanted, "to " + std::to_string(row) + "," + std::to_string(column));
    }
}

TEST(Grid, ARowWhoseEndIsScrolledAwayNoLongerGoesOnInTheNext) {
  Grid grid({4, 3}, 0);
  for (int row = 0; row < 3; ++row) grid.put_ascii(row, 0, "abcd", 0, false);
  grid.join_to_above(1);
  grid.join_to_above(2);
  grid.scroll_up({0, 1, 3, 4}, 1, 0);
  EXPECT_FALSE(grid.line(Buffer::primary, 0).wrapped);
  EXPECT_FALSE(grid.line(Buffer::primary, 1).wrapped);
}

TEST(Grid, CountsTheCellsThatAreMovedTogether) {
  Grid grid({10, 5}, 0);
  const auto before = grid.work();
  grid.scroll_up({0, 1, 5, 9}, 1, 0);
  EXPECT_GE(grid.work() - before, 40u);
}

TEST(Grid, AScreenOfMorePensThanThereAreGetsPlainerOnes) {
  Grid grid({400, 200}, 0);
  for (std::uint32_t i = 0; i < 400 * 200; ++i) {
    Pen pen = coloured(i + 1);
    pen.attributes = attribute::kBold;
    grid.put_ascii(static_cast<int>(i / 400), static_cast<int>(i % 400), "x", grid.pen_id(pen), false);
  }
  EXPECT_GT(grid.names().simplified(), 0u);
  EXPECT_EQ(grid.pen(grid.cell(0, 0).pen).foreground, Colour::rgb(1)) << "what is shown stays as it is";
  EXPECT_TRUE(grid.pen(grid.cell(199, 399).pen).foreground.is_default());
}

TEST(Grid, LinksAreBoundedEachAndTogether) {
  Grid grid({4, 1}, 0);
  EXPECT_NE(grid.link_id({"", std::string(StyleTable::kMaxUri, 'u')}), 0);
  EXPECT_EQ(grid.link_id({"", std::string(StyleTable::kMaxUri + 1, 'u')}), 0);
  EXPECT_NE(grid.link_id({std::string(StyleTable::kMaxLinkId, 'i'), "u"}), 0);
  EXPECT_EQ(grid.link_id({std::string(StyleTable::kMaxLinkId + 1, 'i'), "u"}), 0);
  for (int i = 0; i < 10'000; ++i) {
    const Link link{std::to_string(i), std::string(2000, 'u')};
    ASSERT_EQ(grid.link(grid.link_id(link)), link);
  }
}

TEST(Grid, ClustersThatNobodyHasAreCollected) {
  Grid grid({4, 1}, 2);
  for (std::uint32_t i = 0; i < 3 * StyleTable::kMaxClusters; ++i) {
    grid.put(0, 0, 0x4E00 + i % 0x5000, 1, 0, false);
    grid.add_to_glyph(0, 1, 0x300 + i / 0x5000, 1);
    std::string wanted;
    grid.append_text({0x4E00 + i % 0x5000, 0, 1, 0}, wanted);
    grid.append_text({0x300 + i / 0x5000, 0, 1, 0}, wanted);
    ASSERT_EQ(row_text(grid, 0), wanted);
  }
  EXPECT_EQ(grid.names().simplified(), 0u);
}

/// Text for a cluster of two code points, another one for each `number` below 16 * 5000.
std::pair<char32_t, char32_t> points_of(std::uint32_t number) {
  return {0x4E00 + number % 5000, 0x300 + number / 5000};
}

void put_cluster(Grid& grid, int row, int column, std::uint32_t number) {
  const auto [first, second] = points_of(number);
  grid.put(row, column, first, 1, 0, false);
  grid.add_to_glyph(row, column + 1, second, 1);
}

std::string cluster_text(std::uint32_t number, bool whole = true) {
  const auto [first, second] = points_of(number);
  std::string text;
  utf8::append(first, text);
  if (whole) utf8::append(second, text);
  return text;
}

TEST(Grid, WherePensRunOutNoTextIsCut) {
  Grid grid({1000, 1}, 1000);
  put_cluster(grid, 0, 0, 1);
  grid.scroll_up({0, 0, 1, 1000}, 1, 0);
  for (std::uint32_t i = 0; i < 2 * StyleTable::kMaxPens; ++i) {
    if (i % 1000 == 0) grid.scroll_up({0, 0, 1, 1000}, 1, 0);
    grid.put_ascii(0, static_cast<int>(i % 1000), "x", grid.pen_id(coloured(i + 1)), false);
  }
  ASSERT_GT(grid.names().simplified(), 0u);
  EXPECT_EQ(scrollback_text(grid, 0), cluster_text(1));
}

TEST(Grid, WhereClustersRunOutOlderLinesKeepTheirFirstCodePointsAndTheirLooks) {
  Grid grid({1000, 1}, 1000);
  const PenId red = grid.pen_id(coloured(0xFF0000));
  grid.put_ascii(0, 1, "red", red, false);
  std::string last;
  for (std::uint32_t i = 0; i < StyleTable::kMaxClusters + 1; ++i) {
    if (i % 900 == 0 && i > 0) grid.scroll_up({0, 0, 1, 1000}, 1, 0);
    EXPECT_EQ(grid.names().simplified(), 0u) << "up to the bound all is exact";
    put_cluster(grid, 0, i == 0 ? 0 : 10 + static_cast<int>(i % 900), i);
    last = cluster_text(i);
  }
  EXPECT_GT(grid.names().simplified(), 0u);
  EXPECT_EQ(scrollback_text(grid, 0).substr(0, 6), cluster_text(0, false) + "red");
  std::vector<Cell> space;
  EXPECT_EQ(grid.pen(grid.scrollback_line(0, space).cells[1].pen), coloured(0xFF0000));
  EXPECT_NE(row_text(grid, 0).find(last), std::string::npos) << "new text is exact";
}

TEST(Grid, ALineThatIsNotSingleLosesItsRightHalf) {
  Grid grid({6, 1}, 0);
  grid.put_ascii(0, 0, "abcdef", 0, false);
  grid.set_line_size(0, LineSize::double_width);
  EXPECT_EQ(row_text(grid, 0), "abc");
  EXPECT_EQ(grid.columns(0), 3);
}

}  // namespace
}  // namespace ptyd
