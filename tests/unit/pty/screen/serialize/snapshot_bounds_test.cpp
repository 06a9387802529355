// Parts that snapshots leave out where they would be too long.
#include <gtest/gtest.h>

#include <string>

#include "pty/screen/serialize/detail.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "tests/support/pty/screen/screens.hpp"

namespace ptyd {
namespace {

using test::FedScreen;

constexpr std::size_t kMega = 1 << 20;
/// Bytes of state and looks beside links, generously.
constexpr std::size_t kLittle = 8 << 10;

std::string link(const std::string& uri) {
  return "\x1b]8;;" + uri + "\x1b\\";
}

std::string copy(Size area, int row, int column) {
  return "\x1b[1;1;" + std::to_string(area.rows) + ";" + std::to_string(area.cols) + ";1;" + std::to_string(row) + ";" +
         std::to_string(column) + "$v";
}

/// Little output that puts two links of 2 KB by turns into every place of the screen.
std::string link_bomb(Size size) {
  const std::string path(2000, 'a');
  std::string text = "\x1b[?7l\x1b[H" + link("http://" + path) + "x" + link("http://b" + path) + "y" + link("");
  for (int filled = 2; filled < size.cols; filled *= 2)
    text += copy({static_cast<std::uint16_t>(filled), 1}, 1, filled + 1);
  for (int filled = 1; filled < size.rows; filled *= 2)
    text += copy({size.cols, static_cast<std::uint16_t>(filled)}, filled + 1, 1);
  return text;
}

/// Half blocks, each with an RGB colour above and one below that its neighbours do not have.
std::string picture(Size size) {
  std::string text;
  for (int row = 0; row < size.rows; ++row) {
    text += "\x1b[" + std::to_string(row + 1) + "H";
    for (int column = 0; column < size.cols; ++column) {
      const auto rgb =
          std::to_string((row * 37 + column * 101) % 256) + ";" + std::to_string((row * 53 + column * 167) % 256) + ";";
      text += "\x1b[38;2;" + rgb + "255m\x1b[48;2;" + rgb + "128m\u2580";
    }
  }
  return text;
}

FedScreen fed(Size size, const std::string& output) {
  FedScreen screen({.size = size});
  screen.feed(output);
  return screen;
}

const Pen& pen_at(const Screen& screen, int row, std::size_t column) {
  return screen.grid().pen(screen.grid().line(Buffer::primary, row).cells[column].pen);
}

TEST(SnapshotBounds, LinksByTurnsInEveryPlaceMakeNoMegabytes) {
  for (const Size size : {Size{80, 24}, Size{120, 40}}) {
    const FedScreen all = fed(size, link_bomb(size));
    const std::size_t places = std::size_t{size.cols} * size.rows;
    ASSERT_GT(vt_checkpoint(all.screen, SIZE_MAX)->size(), places * 2000) << "every place has its link";
    EXPECT_LT(vt_snapshot(all.screen, {}).size(), LinkBudget::kUsual + places + kLittle);
    EXPECT_LT(vt_repaint(all.screen, {}).text.size(), LinkBudget::kUsual + places + kLittle);
    const FedScreen rebuilt = fed(size, vt_snapshot(all.screen, {}));
    EXPECT_EQ(plain_snapshot(rebuilt.screen, {}), plain_snapshot(all.screen, {}));
  }
}

TEST(SnapshotBounds, TheNewestLinesKeepTheirLinks) {
  const Size size{80, 24};
  const FedScreen all = fed(size, link_bomb(size));
  const FedScreen rebuilt = fed(size, vt_snapshot(all.screen, {}));
  EXPECT_NE(pen_at(rebuilt.screen, 23, 0).link, 0);
  EXPECT_EQ(pen_at(rebuilt.screen, 22, 0).link, 0);
}

TEST(SnapshotBounds, LinksOfUsualLengthAreAllThere) {
  std::string text;
  for (int row = 0; row < 200; ++row)
    text += link("http://example.org/" + std::to_string(row)) + "a name\r\n" + link("");
  const FedScreen all = fed({80, 24}, text);
  EXPECT_EQ(test::difference(all.screen, fed({80, 24}, vt_snapshot(all.screen, {})).screen), "");
}

TEST(SnapshotBounds, APictureFitsWithItsTextWholeAndLosesColoursFromTheTop) {
  const Size size{480, 130};
  const FedScreen all = fed(size, picture(size));
  ASSERT_GT(vt_checkpoint(all.screen, SIZE_MAX)->size(), 2 * kMega);
  const std::string snapshot = vt_snapshot(all.screen, {.scrollback = 0, .max_bytes = kMega});
  EXPECT_LE(snapshot.size(), kMega);
  EXPECT_GT(snapshot.size(), kMega * 9 / 10) << "what there is room for is there";
  const FedScreen rebuilt = fed(size, snapshot);
  EXPECT_EQ(plain_snapshot(rebuilt.screen, {}), plain_snapshot(all.screen, {}));
  EXPECT_TRUE(pen_at(rebuilt.screen, 0, 0).foreground.is_default());
  EXPECT_TRUE(pen_at(rebuilt.screen, 129, 0).foreground.is_indexed()) << "of the 256";
  EXPECT_LE(vt_repaint(all.screen, {}).text.size(), kMega / 4);
  EXPECT_GT(vt_repaint(all.screen, {}).text.size(), kMega / 4 * 9 / 10);
}

TEST(SnapshotBounds, OneLevelMoreIsLeftOutOnlyWhereItIsNeeded) {
  const Size size{40, 4};
  const FedScreen all = fed(size, picture(size));
  const std::string whole = vt_snapshot(all.screen, {.scrollback = 0});
  EXPECT_EQ(test::difference(all.screen, fed(size, whole).screen), "");
  const FedScreen rebuilt = fed(size, vt_snapshot(all.screen, {.scrollback = 0, .max_bytes = whole.size() - 1}));
  EXPECT_TRUE(pen_at(rebuilt.screen, 0, 0).foreground.is_indexed());
  EXPECT_TRUE(pen_at(rebuilt.screen, 3, 0).foreground.is_rgb()) << "the newest as they are";
  EXPECT_EQ(plain_snapshot(rebuilt.screen, {}), plain_snapshot(all.screen, {}));
}

TEST(SnapshotBounds, TextIsNeverLeftOutOfTheScreen) {
  const Size size{30, 4};
  const FedScreen all = fed(size,
                            "\x1b[31mred\r\n\u2764\uFE0F wide "
                            "\U0001F469\u200D\U0001F680\r\n\U0001F1E9\U0001F1EA\U0001F1EB\U0001F1F7 flags\r\n"
                            "\x1b[1;44mlast");
  const FedScreen rebuilt = fed(size, vt_snapshot(all.screen, {.scrollback = 0, .max_bytes = 0}));
  EXPECT_EQ(plain_snapshot(rebuilt.screen, {}), "red\n\u2764  wide \U0001F469\n\U0001F1E9\U0001F1EB flags\nlast")
      << "the first code point of each glyph, in its place";
  EXPECT_EQ(rebuilt.screen.state().caret, all.screen.state().caret);
  EXPECT_EQ(pen_at(rebuilt.screen, 0, 0), Pen{});
  EXPECT_EQ(rebuilt.screen.state().pen, all.screen.state().pen) << "how it goes on";
}

TEST(SnapshotBounds, ALinkIsWrittenWhereItAndItsSequenceFit) {
  const Link named{"id", "http://a"};
  LinkBudget enough(30), too_little(29);
  EXPECT_TRUE(enough.take(named));
  EXPECT_FALSE(enough.has_refused());
  EXPECT_FALSE(too_little.take(named));
  EXPECT_TRUE(too_little.has_refused());
}

TEST(SnapshotBounds, AColourBecomesTheNearestOfThe256) {
  const auto nearest = [](std::uint32_t rgb) {
    Pen pen;
    pen.foreground = Colour::rgb(rgb);
    return reduced(pen, Detail::few_colours).foreground.value();
  };
  EXPECT_EQ(nearest(0x000000), 16U);
  EXPECT_EQ(nearest(0xFFFFFF), 231U);
  EXPECT_EQ(nearest(0xFF0000), 196U);
  EXPECT_EQ(nearest(0x5F87AF), 67U);
  EXPECT_EQ(nearest(0x080808), 232U);
  EXPECT_EQ(nearest(0x808080), 244U);
  EXPECT_EQ(nearest(0xEFEFEF), 255U);
}

TEST(SnapshotBounds, ACheckpointIsExactOrNone) {
  const FedScreen all = fed({80, 24}, link_bomb({80, 24}));
  const std::string checkpoint = vt_checkpoint(all.screen, SIZE_MAX).value();
  EXPECT_EQ(test::difference(all.screen, fed({80, 24}, checkpoint).screen), "");
  EXPECT_FALSE(vt_checkpoint(all.screen, checkpoint.size() - 1));
  EXPECT_FALSE(vt_checkpoint(all.screen, 0));
  const FedScreen lines = fed({20, 2}, "1\r\n2\r\n3\r\n4");
  const std::size_t enough = vt_checkpoint(lines.screen, SIZE_MAX)->size();
  EXPECT_TRUE(vt_checkpoint(lines.screen, enough));
  EXPECT_FALSE(vt_checkpoint(lines.screen, enough - 1)) << "a line of the scrollback is missing";
}

TEST(SnapshotBounds, ALineAboveTheScreenThatDoesNotFitIsTheLastOneToBeDrawn) {
  const Size size{80, 2};
  FedScreen all({.size = size});
  for (int i = 0; i < 4; ++i) all.feed("old\r\n");
  all.feed(picture({80, 1}) + "\x1b[m\x1b[2Hnew\r\n\n\n");
  const std::string few = vt_snapshot(all.screen, {.max_bytes = 500});
  EXPECT_LE(few.size(), 500U);
  EXPECT_EQ(plain_snapshot(fed(size, few).screen, {}), "new") << "none beyond the one that does not fit";
}

std::size_t links_in(const CellsSnapshot& cells) {
  std::size_t links = 0;
  for (const auto* rows : {&cells.scrollback, &cells.screen})
    for (const auto& row : *rows)
      for (const Span& span : row.spans) links += span.pen.link != 0;
  return links;
}

TEST(SnapshotBounds, CellsTellAsManyLinksAsThereIsRoomForTheNewestFirst) {
  const FedScreen all = fed({80, 24}, link_bomb({80, 24}));
  const CellsSnapshot cells = cells_snapshot(all.screen, {});
  EXPECT_EQ(links_in(cells), LinkBudget::kUsual / 2030);
  EXPECT_NE(cells.screen[23].spans[0].pen.link, 0);
  EXPECT_EQ(cells.screen[0].spans[0].pen.link, 0);
}

TEST(SnapshotBounds, CellsLoseColoursWhereTheyWouldBeTooMany) {
  const Size size{480, 130};
  const FedScreen all = fed(size, picture(size));
  const CellsSnapshot cells = cells_snapshot(all.screen, {.max_bytes = 4 * kMega});
  const auto& top = cells.screen[0].spans;
  EXPECT_EQ(top.size(), 1U) << "no colours";
  EXPECT_EQ(top[0].columns, 480);
  EXPECT_TRUE(cells.screen[129].spans[0].pen.foreground.is_indexed());
}

}  // namespace
}  // namespace ptyd
