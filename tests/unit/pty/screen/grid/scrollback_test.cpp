#include "pty/screen/grid/scrollback.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace ptyd {
namespace {

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
    scrollback.push({lines[i], i % 3 == 0, static_cast<LineSize>(i % 4)});
  }
  std::vector<Cell> space;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line line = scrollback.read(i, space);
    ASSERT_TRUE(std::equal(line.cells.begin(), line.cells.end(), lines[i].begin(), lines[i].end())) << "line " << i;
    EXPECT_EQ(line.wrapped, i % 3 == 0);
    EXPECT_EQ(line.size, static_cast<LineSize>(i % 4));
    EXPECT_EQ(scrollback.outline(i).cells, lines[i].size());
  }
}

TEST(Scrollback, KeepsItsMaximumOfLines) {
  for (const std::size_t max : {0u, 1u, 3u}) {
    Scrollback scrollback(max);
    for (int i = 0; i < 4; ++i) scrollback.push({cells_of(std::to_string(i)), false, LineSize::single});
    EXPECT_EQ(scrollback.size(), max);
    std::vector<Cell> space;
    if (max == 0) continue;
    EXPECT_EQ(scrollback.read(0, space).cells[0].glyph, '0' + 4 - max);
  }
}

TEST(Scrollback, ALineCostsAboutItsText) {
  Scrollback scrollback(5000);
  const std::string text(80, 'x');
  for (int i = 0; i < 20'000; ++i) scrollback.push({cells_of(text), false, LineSize::single});
  EXPECT_LT(scrollback.bytes(), 5000 * 110u);
}

TEST(Scrollback, LosesTheBlanksAtTheEndOfALineThatEnds) {
  Scrollback scrollback(2);
  std::vector<Cell> cells = cells_of("ab");
  cells.resize(6);
  scrollback.push({cells, false, LineSize::single});
  scrollback.push({cells, true, LineSize::single});
  EXPECT_EQ(scrollback.outline(0).cells, 2u);
  EXPECT_EQ(scrollback.outline(1).cells, 6u);
}

TEST(Scrollback, TheNewestLineCanBeTakenBack) {
  Scrollback scrollback(10);
  for (const char* text : {"one", "two", "three"}) scrollback.push({cells_of(text), false, LineSize::single});
  scrollback.pop_last();
  scrollback.set_last_wrapped(true);
  EXPECT_EQ(scrollback.size(), 2u);
  EXPECT_TRUE(scrollback.outline(1).wrapped);
  scrollback.push({cells_of("four"), false, LineSize::single});
  EXPECT_EQ(scrollback.outline(2).cells, 4u);
}

}  // namespace
}  // namespace ptyd
