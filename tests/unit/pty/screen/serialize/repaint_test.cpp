// Repaints: a viewer that fell behind is brought to the present, its scrollback goes on with one marked hole at most.
#include <gtest/gtest.h>

#include <string>

#include "pty/screen/serialize/snapshot.hpp"
#include "tests/support/pty/screen/screens.hpp"

namespace ptyd {
namespace {

using test::FedScreen;

constexpr std::size_t kPlenty = 1 << 20;

std::string numbered_lines(int from, int to, const char* end = "\r\n") {
  std::string text;
  for (int i = from; i < to; ++i) text += "line " + std::to_string(i) + end;
  return text;
}

/// As plain_snapshot() tells lines.
std::string lines(int from, int to) {
  std::string text = numbered_lines(from, to, "\n");
  return text.substr(0, text.size() - 1);
}

/// A terminal and a viewer of it that has seen what was printed with both().
struct Viewed {
  explicit Viewed(Size size) : all({.size = size}), viewer({.size = size}) {}
  void both(std::string_view bytes) {
    all.feed(bytes);
    viewer.feed(bytes);
  }
  /// The viewer's screen and scrollback after a repaint.
  std::string repainted(const RepaintRange& range) {
    viewer.feed(vt_repaint(all.screen, range).text);
    EXPECT_EQ(test::difference(all.screen, viewer.screen, {.scrollback = false, .hidden_alternate = false}), "");
    return plain_snapshot(viewer.screen, {});
  }
  FedScreen all, viewer;
};

TEST(Repaint, SaysWhatWasSkippedAboveTheScreenAndOnlyThen) {
  Viewed viewed({40, 3});
  viewed.all.feed("present");
  viewed.viewer.feed("past\x1b]8;;http://cut");
  EXPECT_EQ(viewed.repainted({}), "present");
  viewed.repainted({.skipped = 1});
  EXPECT_EQ(viewed.repainted({.skipped = 1234}), "[ptyd: 1 line skipped]\n[ptyd: 1234 lines skipped]\npresent");
}

/// Lines 0 and 1 have scrolled out where the viewer stands, lines 2 to 7 are skipped, 8 and 9 and the caret's row
/// shown.
struct Behind : Viewed {
  Behind() : Viewed({40, 3}) {
    both(numbered_lines(0, 4));
    all.feed(numbered_lines(4, 10));
  }
};

TEST(Repaint, WhatWentByGoesOnInTheScrollbackWithoutAHole) {
  EXPECT_EQ(Behind().repainted({.skipped = 6, .lines = 6, .max_bytes = kPlenty}), lines(0, 10));
  EXPECT_EQ(Behind().repainted({.skipped = 6, .lines = 100, .max_bytes = kPlenty}), lines(0, 10));
}

TEST(Repaint, WhatThereIsNoRoomForIsOneHoleBeforeTheNewestLines) {
  const auto with_hole = [](const char* hole, int from) {
    return lines(0, 2) + "\n[ptyd: " + hole + " skipped]\n" + lines(from, 10);
  };
  EXPECT_EQ(Behind().repainted({.skipped = 6, .lines = 5, .max_bytes = kPlenty}), with_hole("1 line", 3));
  EXPECT_EQ(Behind().repainted({.skipped = 6, .lines = 2, .max_bytes = kPlenty}), with_hole("4 lines", 6));
  EXPECT_EQ(Behind().repainted({.skipped = 6, .lines = 0, .max_bytes = kPlenty}), with_hole("6 lines", 8));
  const std::size_t two_lines = numbered_lines(6, 8).size();
  EXPECT_EQ(Behind().repainted({.skipped = 6, .lines = 6, .max_bytes = two_lines}), with_hole("4 lines", 6));
  EXPECT_EQ(Behind().repainted({.skipped = 6, .lines = 6, .max_bytes = two_lines - 1}), with_hole("5 lines", 7));
  EXPECT_EQ(Behind().repainted({.skipped = 6, .lines = 6, .max_bytes = 0}), with_hole("6 lines", 8));
}

TEST(Repaint, TellsHowManyLinesAreMissing) {
  Behind behind;
  const auto missing = [&](const RepaintRange& range) { return vt_repaint(behind.all.screen, range).missing_lines; };
  EXPECT_EQ(missing({.skipped = 6, .lines = 6, .max_bytes = kPlenty}), 0u);
  EXPECT_EQ(missing({.skipped = 6, .lines = 2, .max_bytes = kPlenty}), 4u);
  EXPECT_EQ(missing({.skipped = 6, .lines = 6, .max_bytes = 0}), 6u);
}

TEST(Repaint, LinesThatTheScrollbackHasLostAreInTheHole) {
  FedScreen all({.size = {40, 3}, .scrollback = 4}), viewer({.size = {40, 3}});
  all.feed(numbered_lines(0, 10));
  viewer.feed(vt_repaint(all.screen, {.skipped = 8, .lines = 100, .max_bytes = kPlenty}).text);
  EXPECT_EQ(plain_snapshot(viewer.screen, {}), "[ptyd: 4 lines skipped]\n" + lines(4, 10));
}

TEST(Repaint, ALineThatWasWrappedIsShownWholeOrNotAndCountsOnce) {
  const std::string text = "short\r\nabcdefghijklmnop\r\nx\r\ny";
  const auto shown = [&text](const RepaintRange& range) {
    Viewed viewed({5, 2});
    viewed.all.feed(text);
    return viewed.repainted(range);
  };
  const std::string all = "short\nabcdefghijklmnop\nx\ny";
  EXPECT_EQ(shown({.skipped = 2, .lines = 2, .max_bytes = kPlenty}), all);
  EXPECT_EQ(shown({.skipped = 1, .lines = 1, .max_bytes = kPlenty}), all.substr(6));
  EXPECT_EQ(shown({.skipped = 2, .lines = 1, .max_bytes = kPlenty}), "[ptyd\n" + all.substr(6));
  EXPECT_EQ(shown({.skipped = 2, .lines = 2, .max_bytes = 17}), "[ptyd\nx\ny");
  EXPECT_EQ(shown({.skipped = 2, .lines = 2, .max_bytes = 18}), "[ptyd\n" + all.substr(6));
}

TEST(Repaint, ALineThatGoesOnInTheScreenStaysOneLine) {
  Viewed viewed({5, 2});
  viewed.all.feed("short\r\nabcdefghijklmnop");
  viewed.repainted({.skipped = 2, .lines = 2, .max_bytes = kPlenty});
  viewed.viewer.screen.resize({30, 2});
  EXPECT_EQ(plain_snapshot(viewed.viewer.screen, {}), "short\nabcdefghijklmnop");
}

TEST(Repaint, AViewerInAFullScreenProgramSeesWhatWasSkippedAboveThePrompt) {
  Viewed viewed({40, 3});
  viewed.both(numbered_lines(0, 4) + "\x1b[?1049h\x1b[Hfull screen");
  viewed.all.feed("\x1b[?1049l" + numbered_lines(4, 10));
  EXPECT_EQ(viewed.repainted({.skipped = 6, .lines = 6, .max_bytes = kPlenty}), lines(0, 10));
}

TEST(Repaint, WhatIsUnderAFullScreenProgramIsThereWhenItLeaves) {
  Behind behind;
  behind.all.feed("\x1b[?1049h\x1b[Hfull screen");
  behind.repainted({.skipped = 6, .lines = 6, .max_bytes = kPlenty});
  behind.both("\x1b[?1049l");
  EXPECT_EQ(plain_snapshot(behind.viewer.screen, {}), lines(0, 10));
}

TEST(Repaint, AnAlternateScreenThatIsNotShownIsLeftOut) {
  Behind behind;
  behind.all.feed("\x1b[?1049h\x1b[Hfull screen\x1b[?1049l");
  EXPECT_EQ(vt_repaint(behind.all.screen, {}).text.find("full"), std::string::npos);
  EXPECT_EQ(vt_snapshot(behind.all.screen, {}).find("full"), std::string::npos);
  EXPECT_NE(vt_checkpoint(behind.all.screen, kPlenty)->find("full"), std::string::npos);
}

TEST(Repaint, LinesAreDrawnInTheirColoursAndLeaveNoneBehind) {
  Viewed viewed({10, 2});
  viewed.all.feed("\x1b[41mred\x1b[K\r\n\x1b[mplain\r\n\x1b[44mblue\x1b[K\r\nx");
  viewed.repainted({.skipped = 2, .lines = 2, .max_bytes = kPlenty});
  EXPECT_EQ(test::difference(viewed.all.screen, viewed.viewer.screen), "");
}

TEST(Repaint, OnAScreenOfOneRowTheLinesAreAboveIt) {
  Viewed viewed({40, 1});
  viewed.both(numbered_lines(0, 2));
  viewed.all.feed(numbered_lines(2, 5) + "end");
  EXPECT_EQ(viewed.repainted({.skipped = 3, .lines = 2, .max_bytes = kPlenty}),
            "line 0\nline 1\n[ptyd: 1 line skipped]\nline 3\nline 4\nend");
}

TEST(Repaint, NoViewerIsLeftInASynchronizedUpdate) {
  Viewed viewed({40, 2});
  viewed.both("\x1b[?2026h");
  viewed.viewer.feed(vt_repaint(viewed.all.screen, {}).text);
  EXPECT_EQ(viewed.viewer.screen.mode(2026, false), false);
}

}  // namespace
}  // namespace ptyd
