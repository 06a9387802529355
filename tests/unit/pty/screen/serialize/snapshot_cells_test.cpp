#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

#include "pty/screen/serialize/snapshot.hpp"
#include "pty/text/utf8.hpp"
#include "tests/support/pty/screen/random_stream.hpp"
#include "tests/support/pty/screen/screens.hpp"

namespace ptyd {
namespace {

using test::FedScreen;

struct Fed {
  Fed(Size size, std::string_view bytes) : fed({.size = size, .scrollback = 100}) { fed.feed(bytes); }
  std::string plain(const SnapshotRange& range = {}) const { return plain_snapshot(fed.screen, range); }
  CellsSnapshot cells(const SnapshotRange& range = {}) const { return cells_snapshot(fed.screen, range); }
  FedScreen fed;
};

TEST(SnapshotPlain, IsWhatAPersonWouldRead) {
  EXPECT_EQ(Fed({20, 4}, "").plain(), "");
  EXPECT_EQ(Fed({20, 4}, "one  \r\n\r\n \x1b[31mtwo\x1b[m\x1b[K\r\n").plain(), "one\n\n two");
  EXPECT_EQ(Fed({20, 4}, "a\tb\x1b[5Cc").plain(), "a       b     c");
  EXPECT_EQ(Fed({20, 4}, "e\u0301 \u4F60\u597D").plain(), "e\u0301 \u4F60\u597D");
}

TEST(SnapshotPlain, JoinsWhatWasWrapped) {
  EXPECT_EQ(Fed({5, 3}, "abcdefgh\r\nx").plain(), "abcdefgh\nx");
  EXPECT_EQ(Fed({5, 2}, "abcdefghijklmnop\r\nx").plain(), "abcdefghijklmnop\nx") << "from above the screen";
  EXPECT_EQ(Fed({5, 3}, "abcd\u4F60x").plain(), "abcd\u4F60x") << "the place where it did not fit is no space";
  EXPECT_EQ(Fed({5, 3}, "abc  def").plain(), "abc  def");
}

TEST(SnapshotPlain, TheAlternateScreenIsNoPartOfWhatIsAbove) {
  EXPECT_EQ(Fed({5, 2}, "abcdefghijklmnop\x1b[?1049h\x1b[Hxy").plain(), "abcdefghij\nxy");
}

TEST(SnapshotPlain, ALineAboveTheScreenIsOneOnHoweverManyRows) {
  const Fed fed({5, 2}, "1\r\nabcdefghijklm\r\n4\r\n5");
  EXPECT_EQ(fed.plain({.scrollback = 1}), "abcdefghijklm\n4\n5");
  EXPECT_EQ(fed.cells({.scrollback = 1}).scrollback.size(), 3U);
}

TEST(SnapshotPlain, LeavesOutTheOldestLinesAndNothingOfTheScreen) {
  const Fed fed({5, 2}, "1\r\n2\r\n3\r\n4\r\n5");
  EXPECT_EQ(fed.plain({.scrollback = 2}), "2\n3\n4\n5");
  EXPECT_EQ(fed.plain({.scrollback = 0}), "4\n5");
  EXPECT_EQ(fed.plain({.max_bytes = 5}), "3\n4\n5");
  EXPECT_EQ(fed.plain({.max_bytes = 4}), "4\n5");
  EXPECT_EQ(fed.plain({.max_bytes = 0}), "4\n5");
  EXPECT_EQ(Fed({5, 2}, "abcdefghijklmnop").plain({.max_bytes = 3}), "klmnop") << "a part of a line is on the screen";
  EXPECT_EQ(Fed({5, 1}, "abcd\u4F60").plain({.max_bytes = 0}), "\u4F60");
}

TEST(SnapshotPlain, IsValidTextWhateverWasPrinted) {
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    FedScreen fed({.size = {12, 6}, .scrollback = 20});
    for (const std::string& item : test::random_stream(random, {.size = {12, 6}, .items = 60, .without = {}})) {
      fed.feed(item);
    }
    for (const std::size_t max_bytes : {std::size_t{0}, std::size_t{30}, std::size_t{1000}}) {
      const std::string text = plain_snapshot(fed.screen, {.scrollback = 20, .max_bytes = max_bytes});
      ASSERT_TRUE(utf8::valid(text)) << ::testing::PrintToString(text);
      ASSERT_TRUE(std::all_of(text.begin(), text.end(), [](unsigned char c) { return c >= ' ' || c == '\n'; }))
          << ::testing::PrintToString(text);
    }
  }
}

TEST(SnapshotCells, ARunOfCellsThatLookAlikeIsASpan) {
  const CellsSnapshot cells = Fed({12, 2}, "ab\x1b[1mc\u4F60\x1b[m d\x1b[44m\x1b[2X\x1b[m\r\n").cells();
  ASSERT_EQ(cells.screen.size(), 2U);
  const auto& spans = cells.screen[0].spans;
  ASSERT_EQ(spans.size(), 4U);
  EXPECT_EQ(spans[0].text, "ab");
  EXPECT_EQ(spans[1].text, "c\u4F60");
  EXPECT_EQ(spans[1].columns, 3);
  EXPECT_EQ(spans[1].pen.attributes, attribute::kBold);
  EXPECT_EQ(spans[2].text, " d");
  EXPECT_EQ(spans[3].text, "  ");
  EXPECT_EQ(spans[3].pen.background, Colour::indexed(4));
  EXPECT_TRUE(cells.screen[1].spans.empty());
}

TEST(SnapshotCells, TellsCaretBufferAndWraps) {
  const CellsSnapshot cells = Fed({4, 2}, "abcdef\r\ngh\x1b[?25l").cells();
  EXPECT_EQ(cells.size, (Size{4, 2}));
  ASSERT_EQ(cells.scrollback.size(), 1U);
  EXPECT_TRUE(cells.scrollback[0].wrapped);
  EXPECT_EQ(cells.screen[0].spans[0].text, "ef");
  EXPECT_EQ(cells.caret, (Caret{1, 2, false}));
  EXPECT_FALSE(cells.caret_visible);
  EXPECT_FALSE(cells.alternate);
  EXPECT_TRUE(Fed({4, 2}, "\x1b[?1049h").cells().alternate);
}

TEST(SnapshotCells, LeavesOutTheOldestLines) {
  const Fed fed({5, 2}, "1\r\n2\r\n3\r\n4\r\n5");
  const CellsSnapshot two = fed.cells({.scrollback = 2});
  ASSERT_EQ(two.scrollback.size(), 2U);
  EXPECT_EQ(two.scrollback[0].spans[0].text, "2") << "oldest first";
  const CellsSnapshot none = fed.cells({.max_bytes = 1});
  EXPECT_TRUE(none.scrollback.empty());
  EXPECT_EQ(none.screen.size(), 2U);
}

}  // namespace
}  // namespace ptyd
