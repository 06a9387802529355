// Lines of the scrollback in pages: put together, and with a repaint behind them, they are the whole terminal.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>

#include "pty/screen/serialize/snapshot.hpp"
#include "tests/support/pty/screen/logical_lines.hpp"
#include "tests/support/pty/screen/screens.hpp"

namespace ptyd {
namespace {

using test::FedScreen;

std::string numbered(int from, int to) {
  std::string text;
  for (int i = from; i < to; ++i)
    text += "\x1b[3" + std::to_string(i % 8) + "mline\x1b[m " + std::to_string(i) + "\r\n";
  return text;
}

/// As a client does it: pages from `from` on, then a repaint that draws the rest.
std::string healed(const Screen& of, std::uint64_t from, std::size_t page_bytes) {
  std::string text;
  for (auto page = vt_lines(of, from, page_bytes);; page = vt_lines(of, page.next_line, page_bytes)) {
    text += page.text;
    from = page.next_line;
    if (page.next_line == page.end_line) break;
  }
  const auto rest = of.grid().next_line() - from;
  text += std::string(of.grid().size().rows - 1u, '\n');
  return text + vt_repaint(of, {.skipped = rest, .lines = rest, .max_bytes = 1 << 20}).text;
}

TEST(Lines, PagesAndARepaintAreTheWholeTerminal) {
  for (const int count : {0, 1, 3, 4, 5, 12, 200})
    for (const std::size_t page_bytes : {1, 40, 1000, 100'000}) {
      FedScreen all({.size = {12, 4}}), healing({.size = {12, 4}});
      all.feed(numbered(0, count) + "a line that is wrapped and goes on in the screen $ ");
      healing.feed(healed(all.screen, 0, page_bytes));
      EXPECT_TRUE(lines_and_looks(healing.screen) == lines_and_looks(all.screen)) << count << " in " << page_bytes;
      EXPECT_EQ(healing.screen.grid().scrollback(), all.screen.grid().scrollback());
      EXPECT_EQ(healing.screen.state().caret, all.screen.state().caret);
    }
}

TEST(Lines, APageIsWholeLinesAndOneAtLeast) {
  FedScreen all({.size = {80, 2}});
  all.feed("one\r\ntwo\r\nthree\r\nfour\r\n$ ");
  const auto page = vt_lines(all.screen, 0, 1);
  EXPECT_EQ(page.text, "one\r\n");
  EXPECT_EQ(page.first_line, 0u);
  EXPECT_EQ(page.next_line, 1u);
  EXPECT_EQ(page.end_line, 3u);
  EXPECT_EQ(vt_lines(all.screen, 1, 5).text, "two\r\n");
  EXPECT_EQ(vt_lines(all.screen, 1, 6).text, "two\r\nthree\r\n");
  EXPECT_EQ(vt_lines(all.screen, 3, 100).text, "");
  EXPECT_EQ(vt_lines(all.screen, 100, 100).first_line, 3u);
}

TEST(Lines, BeginsWithTheOldestThatIsKept) {
  FedScreen all({.size = {80, 2}, .scrollback = 3});
  all.feed(numbered(0, 10));
  const auto page = vt_lines(all.screen, 2, 1);
  EXPECT_EQ(page.first_line, 6u);
  EXPECT_NE(page.text.find(" 6\r\n"), std::string::npos);
  EXPECT_EQ(page.end_line, 9u);
}

/// Pages of a Screen after changes of its width are those of one whose rows were all laid out before.
void expect_pages_as_laid_out(const Screen::Options& options, const std::string& text,
                              std::initializer_list<Size> sizes) {
  FedScreen asked(options), laid_out(options);
  asked.feed(text);
  laid_out.feed(text);
  for (const Size size : sizes) {
    asked.screen.resize(size);
    laid_out.screen.resize(size);
    laid_out.screen.grid().lay_out(Scrollback::kUnbounded);
    const auto page = vt_lines(asked.screen, 0, 100'000), wanted = vt_lines(laid_out.screen, 0, 100'000);
    EXPECT_EQ(page.text, wanted.text) << size.cols;
    EXPECT_EQ(page.first_line, wanted.first_line) << size.cols;
    EXPECT_EQ(page.end_line, wanted.end_line) << size.cols;
  }
}

TEST(Lines, AreTheSameWhereTheWidthHasChangedSince) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += std::to_string(100 + i) + std::string(57, 'x') + "\r\n";
  for (const Size size : {Size{40, 2}, Size{41, 2}, Size{160, 2}})
    expect_pages_as_laid_out({.size = {80, 2}}, text, {size});
  expect_pages_as_laid_out({.size = {80, 2}}, text, {{40, 2}, {80, 2}, {20, 2}});
}

TEST(Lines, OfAFullScrollbackBeginWithTheOldestThatIsLeft) {
  std::string text;
  for (int i = 0; i < 60; ++i) {
    text += std::to_string(100 + i);
    for (int glyph = 0; glyph < 18; ++glyph) text += "\xE4\xBD\xA0";
    text += "\r\n";
  }
  expect_pages_as_laid_out({.size = {40, 2}, .scrollback = 50, .scrollback_cells = 1000}, text,
                           {{7, 2}, {5, 2}, {40, 2}});
}

TEST(Lines, KeepTheirNumbersWhereAResizeTakesSomeBackToTheScreen) {
  FedScreen all({.size = {20, 2}});
  all.feed(numbered(0, 10) + "$ ");
  const auto before = vt_lines(all.screen, 5, 1);
  all.screen.resize({20, 6});
  const auto page = vt_lines(all.screen, 0, 100'000);
  EXPECT_EQ(page.end_line, 5u);
  all.screen.resize({30, 2});
  EXPECT_EQ(vt_lines(all.screen, 5, 1).text, before.text);
  EXPECT_EQ(vt_lines(all.screen, 5, 1).end_line, 9u);
}

TEST(Lines, OfALineThatIsTooLongTheEndIsLeftOut) {
  constexpr std::size_t kLong = 3 << 20;
  FedScreen all({.size = {1000, 2}, .scrollback = 100'000});
  all.feed(std::string(kLong, 'x') + "\r\nnext\r\n\r\n$ ");
  const auto page = vt_lines(all.screen, 0, 1);
  EXPECT_EQ(page.next_line, 1u);
  EXPECT_GE(page.text.size(), SnapshotRange{}.max_bytes);
  EXPECT_LT(page.text.size(), SnapshotRange{}.max_bytes + 2000);
  EXPECT_EQ(vt_lines(all.screen, 1, 1).text, "next\r\n");
}

TEST(Lines, OfALineThatGoesOnInTheScreenARepaintDrawsTheEnd) {
  FedScreen all({.size = {100, 4}});
  all.feed("before\r\n" + std::string(9000, 'x') + "the end");
  const auto page = vt_lines(all.screen, 0, 1000);
  EXPECT_EQ(page.end_line, 1u);
  const RepaintRange range{.skipped = 1, .lines = 1, .max_bytes = 2000};
  EXPECT_EQ(vt_repaint(all.screen, range).missing_lines, 1u);
  auto cut = range;
  cut.cuts = true;
  const auto drawn = vt_repaint(all.screen, cut);
  EXPECT_EQ(drawn.missing_lines, 0u);
  FedScreen healing({.size = {100, 4}});
  healing.feed(page.text + "\n\n\n" + drawn.text);
  const auto lines = plain_snapshot(healing.screen, {});
  EXPECT_EQ(lines.substr(0, 8), "before\nx");
  EXPECT_EQ(lines.size(), 7 + 2000 + 4 * 100 - 93) << "as many rows as there is room for, and the screen";
  EXPECT_EQ(healing.screen.state().caret, all.screen.state().caret);
}

TEST(Lines, SayWhetherThereWereOthersBeforeThem) {
  FedScreen all({.size = {80, 2}, .scrollback = 3});
  all.feed(numbered(0, 4));
  EXPECT_FALSE(vt_lines(all.screen, 0, 1000).has_earlier);
  EXPECT_TRUE(vt_lines(all.screen, 1, 1000).has_earlier) << "not asked for";
  all.feed(numbered(4, 6));
  EXPECT_TRUE(vt_lines(all.screen, 0, 1000).has_earlier) << "not kept";
  all.feed("\x1b[3J" + numbered(6, 8));
  EXPECT_FALSE(vt_lines(all.screen, 0, 1000).has_earlier) << "cleared";
}

}  // namespace
}  // namespace ptyd
