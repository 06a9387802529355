// The state that a dead program leaves in a terminal, and what the next one finds there.
#include "pty/screen/reset_text.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "pty/screen/serialize/snapshot.hpp"
#include "tests/support/pty/screen/random_stream.hpp"
#include "tests/support/pty/screen/screens.hpp"
#include "tests/support/pty/text/literals.hpp"

namespace ptyd {
namespace {

using test::difference;
using test::FedScreen;

struct Left {
  const char* name;
  const char* behind;  ///< by a program that is gone
};
void PrintTo(const Left& left, std::ostream* out) {
  *out << left.name;
}

const std::vector<Left> kLeft{
    {"Nothing", ""},
    {"Colours",
     "\x1b]4;1;rgb:0000/ffff/0000\x1b\\\x1b]10;#111111\x1b\\\x1b]11;#222222\x1b\\\x1b]12;#333333\x1b\\"
     "\x1b]17;#444444\x1b\\\x1b]19;#555555\x1b\\"},
    {"SpecialColours", "\x1b]5;0;#111111\x1b\\\x1b]4;257;#222222\x1b\\"},
    {"WhatChecksumsAreOf", "\x1b[3#y"},
    {"KeyboardFlags", "\x1b[=5;1u\x1b[>1u\x1b[>2u\x1b[?1049h\x1b[>3u\x1b[=4;1u"},
    {"OtherKeys", "\x1b[>4;2m"},
    {"ACaretsStyle", "\x1b[5 q"},
    {"Titles", "\x1b]2;window\a\x1b]1;icon\a\x1b[22t\x1b]0;both\a\x1b[22;1t"},
    {"AFolder", "\x1b]7;file:///tmp\x1b\\"},
    {"Progress", "\x1b]9;4;1;42\x1b\\"},
    {"Charsets", "\x1b(0\x1b)A\x1b*0\x1b+0\x1b~\x0e"},
    {"ASingleShift", "\x1b(A\x1b*0\x1bN"},
    {"APen", "\x1b[1;31;44m\x1b]8;;http://there/\x1b\\\x1b[1\"q"},
    {"Margins", "\x1b[2;4r\x1b[?69h\x1b[3;9s\x1b[?6h"},
    {"Tabs", "\x1b[3g\x1b[1;5H\x1bH"},
    {"SavedCarets", "\x1b[3;3H\x1b[31m\x1b\x37\x1b[?1049h\x1b[4;4H\x1b\x37"},
    {"TheAlternateScreen", "\x1b[?1049h\x1b[41mfull of\r\ntext\x1b[6;12H"},
    {"AnAlternateScreenThatIsNotShown", "\x1b[?47hnot seen\x1b[?47l"},
    {"AnUnfinishedString", "\x1b]0;never en"},
    {"AnUnfinishedSequence", "\x1b[3"},
};

class ResetText : public testing::TestWithParam<std::tuple<Left, EmulatorKind>> {
 protected:
  Screen::Options options() const { return {.size = {12, 6}, .scrollback = 100, .emulator = std::get<1>(GetParam())}; }
  const char* left_behind() const { return std::get<0>(GetParam()).behind; }
};

TEST_P(ResetText, LeavesNothingOfTheProgramBeforeInAnEmptyTerminal) {
  FedScreen terminal(options()), fresh(options());
  terminal.feed(left_behind());
  terminal.feed(reset_text(terminal.screen));
  EXPECT_EQ(difference(terminal.screen, fresh.screen), "");
  EXPECT_TRUE(shows_nothing(terminal.screen));
  EXPECT_EQ(vt_snapshot(terminal.screen, {}), "");
}

TEST_P(ResetText, LeavesTheTextAndPutsTheCaretBelowIt) {
  FedScreen terminal(options()), wanted(options());
  const std::string text = "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n\x1b[32mseven\x1b[m";
  terminal.feed(text + left_behind());
  terminal.feed(reset_text(terminal.screen));
  wanted.feed(text + "\r\n");
  EXPECT_EQ(difference(terminal.screen, wanted.screen), "") << test::draw(terminal.screen);
  EXPECT_FALSE(shows_nothing(terminal.screen));
}

/// As after a clear, which the next server knows nothing before of.
TEST_P(ResetText, OfAnEmptiedTerminalResetsAViewerThatStillHasItAll) {
  const FedScreen fresh(options());
  FedScreen viewer(options());
  viewer.feed(left_behind());
  viewer.feed(reset_text(fresh.screen));
  EXPECT_EQ(difference(viewer.screen, fresh.screen), "");
}

INSTANTIATE_TEST_SUITE_P(Of, ResetText,
                         testing::Combine(testing::ValuesIn(kLeft),
                                          testing::Values(EmulatorKind::native, EmulatorKind::vterm)),
                         [](const testing::TestParamInfo<ResetText::ParamType>& each) {
                           const bool native = std::get<1>(each.param) == EmulatorKind::native;
                           return std::string(std::get<0>(each.param).name) + (native ? "Native" : "Vterm");
                         });

TEST(ResetTextOfAnything, MakesAFreshTerminalButForItsText) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    FedScreen terminal({.size = {20, 6}, .scrollback = 100});
    for (const auto& item : test::random_stream(random, {{20, 6}, 40, {}})) terminal.feed(item);
    terminal.feed(reset_text(terminal.screen));
    FedScreen fresh({.size = {20, 6}, .scrollback = 100});
    const int row = terminal.screen.state().caret.row;
    fresh.feed("\x1b[" + std::to_string(row + 1) + "H");
    terminal.feed("\x1b[2J");
    EXPECT_EQ(difference(terminal.screen, fresh.screen, {.scrollback = false}), "") << seed;
  }
}

TEST(ResetTextOfAWideTerminal, KeepsWhatDeccolmWouldErase) {
  FedScreen terminal({.size = {12, 6}, .scrollback = 100});
  terminal.feed("\x1b[?40;3hone\r\ntwo");
  terminal.feed(reset_text(terminal.screen));
  EXPECT_EQ(terminal.screen.mode(3, false), false);
  EXPECT_EQ(terminal.screen.state().caret, Caret{});
  EXPECT_EQ(plain_snapshot(terminal.screen, {}), "one\ntwo");
}

TEST(ResetTextOfAProgramThatMovedItsCaretUp, StartsBelowAllThatIsShown) {
  FedScreen terminal({.size = {12, 6}, .scrollback = 100});
  terminal.feed("one\r\ntwo\r\nthree\x1b[1;2H");
  terminal.feed(reset_text(terminal.screen));
  EXPECT_EQ(terminal.screen.state().caret, (Caret{3, 0}));
}

}  // namespace
}  // namespace ptyd
