#include "pty/screen/grid/scrollback.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ptyd {
namespace {

constexpr int kScreenColumns = 80;

std::vector<Cell> cells_of(std::string_view ascii) {
  std::vector<Cell> cells;
  for (const char c : ascii) cells.push_back({static_cast<unsigned char>(c), 0, 1, 0});
  return cells;
}

/// A line as terminals have them: runs of looks, wide glyphs, blanks, clusters.
std::vector<Cell> random_cells(std::mt19937& random, std::size_t count) {
  constexpr std::uint32_t kGlyphs[] = {0, 'a', 0x7F, 0x80, 0x7FF, 0x800, 0xFFFD, 0x10000, 0x10FFFF, Cell::kCluster | 7};
  std::vector<Cell> cells;
  Cell look;
  while (cells.size() + 2 <= count) {
    if (random() % 6 == 0) look.pen = static_cast<PenId>(random() % 3 * 32'000);
    if (random() % 9 == 0) look.guarded = random() % 2 == 0;
    look.glyph =
        random() % 3 == 0 ? kGlyphs[random() % std::size(kGlyphs)] : static_cast<std::uint32_t>('a' + random() % 26);
    look.width = random() % 5 == 0 ? 2 : 1;
    cells.push_back(look);
    if (look.width == 2) cells.push_back({0, look.pen, 0, look.guarded});
  }
  cells.push_back({'.', 0, 1, 0});
  return cells;
}

TEST(Scrollback, GivesBackEveryLineItWasGiven) {
  std::mt19937 random(1);
  Scrollback scrollback(1000);
  std::vector<std::vector<Cell>> lines;
  for (std::size_t i = 0; i < 1000; ++i) {
    lines.push_back(random_cells(random, random() % 200));
    scrollback.push({lines[i], i % 3 == 0, static_cast<LineSize>(i % 4)}, static_cast<int>(i));
  }
  std::vector<Cell> space;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line line = scrollback.read(i, space);
    ASSERT_TRUE(std::equal(line.cells.begin(), line.cells.end(), lines[i].begin(), lines[i].end())) << "line " << i;
    EXPECT_EQ(line.wrapped, i % 3 == 0);
    EXPECT_EQ(line.size, static_cast<LineSize>(i % 4));
    EXPECT_EQ(scrollback.outline(i).cells, lines[i].size());
    EXPECT_EQ(scrollback.outline(i).columns, static_cast<int>(i));
  }
}

TEST(Scrollback, KeepsItsMaximumOfLines) {
  for (const std::size_t max : {0u, 1u, 3u}) {
    Scrollback scrollback(max);
    for (int i = 0; i < 4; ++i) scrollback.push({cells_of(std::to_string(i)), false, LineSize::single}, kScreenColumns);
    EXPECT_EQ(scrollback.size(), max);
    std::vector<Cell> space;
    if (max == 0) continue;
    EXPECT_EQ(scrollback.read(0, space).cells[0].glyph, '0' + 4 - max);
  }
}

void push(Scrollback& scrollback, std::string_view text, bool wrapped = false) {
  scrollback.push({cells_of(text), wrapped, LineSize::single}, kScreenColumns);
}

/// All rows, those that go on in the next with a `+`.
std::string rows_of(const Scrollback& scrollback) {
  std::string text;
  std::vector<Cell> space;
  for (std::size_t i = 0; i < scrollback.size(); ++i) {
    const Line row = scrollback.read(i, space);
    for (const Cell& cell : row.cells) text += static_cast<char>(cell.glyph);
    text += row.wrapped ? "+" : " ";
  }
  return text;
}

TEST(Scrollback, CountsALineOnceOnHoweverManyRowsAndDropsItWhole) {
  Scrollback scrollback(2);
  push(scrollback, "a1", true);
  push(scrollback, "a2", true);
  push(scrollback, "a3");
  push(scrollback, "b1", true);
  EXPECT_EQ(rows_of(scrollback), "a1+a2+a3 b1+");
  EXPECT_EQ(scrollback.lines(), 2u);
  push(scrollback, "b2");
  EXPECT_EQ(rows_of(scrollback), "a1+a2+a3 b1+b2 ") << "b goes on: no line has come";
  push(scrollback, "c1", true);
  EXPECT_EQ(rows_of(scrollback), "b1+b2 c1+");
  scrollback.set_last_wrapped(false);
  push(scrollback, "d1");
  EXPECT_EQ(rows_of(scrollback), "c1 d1 ") << "c did not go on";
  EXPECT_EQ(scrollback.ever_begun(), 4u);
}

TEST(Scrollback, LosesTheOldestRowsThatAreDropped) {
  Scrollback scrollback(10);
  push(scrollback, "a1", true);
  push(scrollback, "a2");
  push(scrollback, "b1", true);
  scrollback.drop_oldest(1);
  EXPECT_EQ(rows_of(scrollback), "a2 b1+");
  EXPECT_EQ(scrollback.lines(), 2u) << "a is there in part";
  scrollback.drop_oldest(1);
  push(scrollback, "b2", true);
  EXPECT_EQ(rows_of(scrollback), "b1+b2+");
  EXPECT_EQ(scrollback.lines(), 1u);
  scrollback.drop_oldest(1);
  scrollback.set_last_wrapped(false);
  push(scrollback, "c1");
  EXPECT_EQ(rows_of(scrollback), "b2 c1 ") << "b did not go on";
  scrollback.drop_oldest(3);
  EXPECT_EQ(scrollback.size() + scrollback.lines() + scrollback.cells(), 0u);
  EXPECT_EQ(scrollback.ever_begun(), 3u);
  EXPECT_FALSE(scrollback.has_overflowed());
  push(scrollback, "d1");
  EXPECT_EQ(rows_of(scrollback), "d1 ");
}

TEST(Scrollback, TakesNoMemoryForRowsThatAreDropped) {
  Scrollback scrollback(1000);
  for (int i = 0; i < 100'000; ++i) {
    push(scrollback, "a row of some text", true);
    if (scrollback.size() > 100) scrollback.drop_oldest(scrollback.size() - 1);
    ASSERT_LT(scrollback.bytes(), 64u << 10);
  }
}

TEST(Scrollback, OfALineWithoutEndTheBeginningIsLost) {
  constexpr std::size_t kMax = 100, kColumns = 100, kRows = kMax * Scrollback::kCellsPerLine / kColumns;
  Scrollback scrollback(kMax);
  const std::string row(kColumns, 'x');
  push(scrollback, "before");
  for (std::size_t i = 1; i < kRows; ++i) push(scrollback, row, true);
  EXPECT_EQ(scrollback.size(), kRows) << "with the line before";
  push(scrollback, row, true);
  EXPECT_EQ(scrollback.size(), kRows) << "at the edge";
  EXPECT_EQ(scrollback.cells(), kMax * Scrollback::kCellsPerLine);
  push(scrollback, row, true);
  EXPECT_EQ(scrollback.size(), kRows) << "one beyond";
  EXPECT_EQ(scrollback.lines(), 1u);
  EXPECT_EQ(scrollback.ever_begun(), 2u);
  for (std::size_t i = 0; i < 10 * kRows; ++i) push(scrollback, row, true);
  EXPECT_EQ(scrollback.size(), kRows);
  EXPECT_LT(scrollback.bytes(), 3 * kMax * Scrollback::kCellsPerLine);
}

TEST(Scrollback, RowsOfNothingAreBoundedToo) {
  for (const bool wrapped : {false, true}) {
    Scrollback scrollback(3);
    for (int i = 0; i < 100'000; ++i) push(scrollback, "", wrapped);
    EXPECT_EQ(scrollback.size(), wrapped ? 3 * Scrollback::kCellsPerLine : 3);
    EXPECT_LT(scrollback.bytes(), 256u << 10);
  }
}

TEST(Scrollback, KnowsHowManyRowsTheLastLinesTake) {
  Scrollback scrollback(10);
  EXPECT_EQ(scrollback.rows_of_last(1), 0u);
  push(scrollback, "a1", true);
  push(scrollback, "a2");
  push(scrollback, "b");
  push(scrollback, "c1", true);
  push(scrollback, "c2", true);
  const std::size_t rows[] = {0, 2, 3, 5, 5};
  for (std::size_t lines = 0; lines < std::size(rows); ++lines)
    EXPECT_EQ(scrollback.rows_of_last(lines), rows[lines]) << lines;
  const std::size_t lines_in[] = {0, 0, 1, 2, 2, 3, 3};
  for (std::size_t n = 0; n < std::size(lines_in); ++n) EXPECT_EQ(scrollback.lines_in_last(n), lines_in[n]) << n;
}

TEST(Scrollback, LinesAreNumberedAsWhereTheyWereBefore) {
  Scrollback scrollback(2);
  for (const char* text : {"a", "b", "c"}) push(scrollback, text);
  scrollback.renumber(40, 7);
  EXPECT_EQ(scrollback.next_line(), 42u);
  EXPECT_EQ(scrollback.ever_begun(), 42u);
  EXPECT_EQ(scrollback.uncleared_line(), 7u);
  push(scrollback, "d");
  EXPECT_EQ(scrollback.ever_begun(), 43u);
  scrollback.pop_last();
  EXPECT_EQ(scrollback.next_line(), 42u) << "a resize took it back";
  EXPECT_EQ(scrollback.ever_begun(), 43u);
  scrollback.renumber(0, 0);
  EXPECT_EQ(scrollback.ever_begun(), scrollback.next_line() + 1) << "it does not count again";
}

TEST(Scrollback, LinesThatComeBackAreCountedOnce) {
  Scrollback scrollback(4);
  for (const char* text : {"1", "2", "3", "4", "5", "6"}) push(scrollback, text);
  scrollback.pop_last();
  scrollback.pop_last();
  EXPECT_EQ(scrollback.ever_begun(), 6u);
  push(scrollback, "5");
  push(scrollback, "6");
  EXPECT_EQ(scrollback.ever_begun(), 6u);
  push(scrollback, "7");
  EXPECT_EQ(scrollback.ever_begun(), 7u);
}

TEST(Scrollback, KeepsFewerCellsWhereFewerAreWanted) {
  Scrollback scrollback(100, 10);
  push(scrollback, "12345");
  push(scrollback, "67890");
  EXPECT_EQ(rows_of(scrollback), "12345 67890 ");
  push(scrollback, "a");
  EXPECT_EQ(rows_of(scrollback), "67890 a ");
}

TEST(Scrollback, KnowsOfWhatHadToMakeRoom) {
  Scrollback lines(2), cells(10, 3), none(0);
  for (const char* text : {"1", "2"}) push(lines, text);
  push(cells, "123");
  for (const auto* each : {&lines, &cells, &none}) EXPECT_FALSE(each->has_overflowed());
  for (auto* each : {&lines, &cells, &none}) push(*each, "more");
  for (const auto* each : {&lines, &cells, &none}) EXPECT_TRUE(each->has_overflowed());
  lines.clear();
  EXPECT_TRUE(lines.has_overflowed()) << "what went before does not come back";
}

TEST(Scrollback, ALineCostsAboutItsText) {
  Scrollback scrollback(5000);
  const std::string text(80, 'x');
  for (int i = 0; i < 20'000; ++i) scrollback.push({cells_of(text), false, LineSize::single}, kScreenColumns);
  EXPECT_LT(scrollback.bytes(), 5000 * 110u);
}

TEST(Scrollback, LosesTheBlanksAtTheEndOfALineThatEnds) {
  Scrollback scrollback(2);
  std::vector<Cell> cells = cells_of("ab");
  cells.resize(6);
  scrollback.push({cells, false, LineSize::single}, kScreenColumns);
  scrollback.push({cells, true, LineSize::single}, kScreenColumns);
  EXPECT_EQ(scrollback.outline(0).cells, 2u);
  EXPECT_EQ(scrollback.outline(1).cells, 6u);
}

TEST(Scrollback, TheNewestRowsCanBeTakenAway) {
  Scrollback scrollback(10);
  push(scrollback, "a");
  push(scrollback, "b1", true);
  push(scrollback, "b2");
  push(scrollback, "c");
  const Scrollback taken = scrollback.take_last(3);
  EXPECT_EQ(rows_of(scrollback), "a ");
  EXPECT_EQ(rows_of(taken), "b1+b2 c ");
  EXPECT_EQ(taken.outline(0).columns, kScreenColumns);
  for (std::size_t i = 0; i < taken.size(); ++i) scrollback.push_copy(taken, i);
  EXPECT_EQ(rows_of(scrollback), "a b1+b2 c ");
  EXPECT_EQ(scrollback.ever_begun(), 3u);
}

TEST(Scrollback, KnowsWhichRowsAreToBeLaidOutAnew) {
  Scrollback scrollback(3);
  for (const char* text : {"1", "2", "3"}) push(scrollback, text);
  EXPECT_EQ(scrollback.stale(), 0u);
  scrollback.make_stale();
  EXPECT_EQ(scrollback.stale(), 3u);
  push(scrollback, "4");
  EXPECT_EQ(scrollback.stale(), 2u) << "the oldest has gone";
  scrollback.take_last(2);
  push(scrollback, "5");
  EXPECT_EQ(scrollback.stale(), 1u) << "what takes the place of one is not stale";
  scrollback.clear();
  push(scrollback, "6");
  EXPECT_EQ(scrollback.stale(), 0u);
}

TEST(Scrollback, TheNewestLineCanBeTakenBack) {
  Scrollback scrollback(10);
  for (const char* text : {"one", "two", "three"})
    scrollback.push({cells_of(text), false, LineSize::single}, kScreenColumns);
  scrollback.pop_last();
  scrollback.set_last_wrapped(true);
  EXPECT_EQ(scrollback.size(), 2u);
  EXPECT_TRUE(scrollback.outline(1).wrapped);
  scrollback.push({cells_of("four"), false, LineSize::single}, kScreenColumns);
  EXPECT_EQ(scrollback.outline(2).cells, 4u);
}

}  // namespace
}  // namespace ptyd
