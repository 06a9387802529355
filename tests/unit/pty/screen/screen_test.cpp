#include "pty/screen/screen.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pty/screen/serialize/snapshot.hpp"
#include "tests/support/pty/screen/screens.hpp"
#include "tests/support/pty/text/literals.hpp"

namespace ptyd {
namespace {

using test::difference;
using test::draw;
using test::FedScreen;

FedScreen terminal_after(std::string_view bytes, Size size = {12, 6}) {
  FedScreen terminal({size, 100, EmulatorKind::native});
  terminal.feed(bytes);
  return terminal;
}

std::string row_text(const Screen& screen, int row) {
  std::string text;
  for (const Cell& cell : screen.grid().line(screen.grid().active(), row).cells) screen.grid().append_text(cell, text);
  return text;
}

TEST(Screen, TellsTheProgressOfAProgram) {
  struct Case {
    const char* bytes;
    Progress wanted;
  };
  for (const Case& each : std::vector<Case>{{"", {0, 0}},
                                            {"\x1b]9;4;1;42\a", {1, 42}},
                                            {"\x1b]9;4;1;42\a\x1b]9;4;2\a", {2, 42}},
                                            {"\x1b]9;4;1;42\a\x1b]9;4;3\a", {3, 0}},
                                            {"\x1b]9;4;1;42\a\x1b]9;4;0\a", {0, 0}},
                                            {"\x1b]9;4;1;101\a", {1, 100}},
                                            {"\x1b]9;4;1;-1\a", {1, 0}},
                                            {"\x1b]9;4;5;1\a", {0, 0}},
                                            {"\x1b]9;4;x\a", {0, 0}},
                                            {"\x1b]9;4;1;99999999999999999999\a", {1, 0}},
                                            {"\x1b]9;4;1;42\a\x1b"
                                             "c",
                                             {0, 0}}}) {
    EXPECT_EQ(terminal_after(each.bytes).screen.progress(), each.wanted) << test::escaped(each.bytes);
  }
}

TEST(Screen, KnowsEveryModeThatDraws) {
  for (const int number : {3, 6, 45, 47, 69, 1047, 1049}) {
    const std::string digits = std::to_string(number);
    EXPECT_EQ(terminal_after("\x1b[?40h\x1b[?" + digits + "h").screen.mode(number, false), true) << number;
    EXPECT_EQ(terminal_after("\x1b[?" + digits + "h\x1b[?" + digits + "l").screen.mode(number, false), false) << number;
  }
  EXPECT_EQ(terminal_after("").screen.mode(7, false), true);
  EXPECT_EQ(terminal_after("\x1b[?7l").screen.mode(7, false), false);
  EXPECT_EQ(terminal_after("\x1b[4;20h").screen.mode(4, true), true);
  EXPECT_EQ(terminal_after("\x1b[4;20h").screen.mode(20, true), true);
  EXPECT_EQ(terminal_after("\x1b[?2004h").screen.mode(2004, false), true);
  EXPECT_EQ(terminal_after("").screen.mode(4711, false), std::nullopt);
}

TEST(Screen, ClearingKeepsModesAndEmptiesEverythingElse) {
  FedScreen terminal = terminal_after("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\x1b[2;4r\x1b[?6h\x1b[31m\x1b[3;3Hx\x1b[?2004h");
  terminal.screen.clear();
  EXPECT_EQ(terminal.screen.grid().scrollback(), 0u);
  for (int row = 0; row < 6; ++row) EXPECT_EQ(row_text(terminal.screen, row), "") << draw(terminal.screen);
  EXPECT_EQ(terminal.screen.state().caret, (Caret{1, 0})) << "the top of what it may reach";
  EXPECT_EQ(terminal.screen.state().pen.foreground, Colour::indexed(1));
  EXPECT_EQ(terminal.screen.state().bottom, 3);
  EXPECT_EQ(terminal.screen.mode(2004, false), true);
}

TEST(Screen, ClearingPutsTheCaretWhereTheOriginIs) {
  for (const EmulatorKind emulator : {EmulatorKind::native, EmulatorKind::vterm}) {
    FedScreen terminal({{12, 6}, 100, emulator}), rebuilt({{12, 6}, 100, emulator});
    terminal.feed("\x1b[3;5r\x1b[?69h\x1b[4;9s\x1b[?6h\x1b[2;2H");
    terminal.screen.clear();
    EXPECT_EQ(terminal.screen.state().caret, (Caret{2, 3}));
    rebuilt.feed(vt_snapshot(terminal.screen, {}));
    EXPECT_EQ(difference(terminal.screen, rebuilt.screen), "");
    terminal.feed("\x1b[?6l");
    terminal.screen.clear();
    EXPECT_EQ(terminal.screen.state().caret, Caret{}) << "without origin mode the margins do not matter";
  }
}

TEST(Screen, WhatDecidesAboutChecksumsIsRecreatedAndReset) {
  FedScreen terminal = terminal_after("\x1b[21#y"), rebuilt = terminal_after("");
  EXPECT_EQ(terminal.screen.modes().checksum_flags(), 21);
  rebuilt.feed(vt_snapshot(terminal.screen, {}));
  EXPECT_EQ(difference(terminal.screen, rebuilt.screen), "");
  terminal.feed("\x1b\x63");
  EXPECT_EQ(terminal.screen.modes().checksum_flags(), 0);
}

TEST(Screen, ANamedColourIsRecreatedByItsName) {
  FedScreen terminal = terminal_after("\x1b]11;red\a\x1b]5;1;blue\a\x1b]4;258;#fff\a"), rebuilt = terminal_after("");
  rebuilt.feed(vt_snapshot(terminal.screen, {}));
  EXPECT_EQ(difference(terminal.screen, rebuilt.screen), "");
  terminal.feed("\x1b]105\a\x1b]111\a");
  rebuilt.feed(vt_repaint(terminal.screen, {}).text);
  EXPECT_EQ(difference(terminal.screen, rebuilt.screen, {.scrollback = false}), "") << "and taken back";
}

TEST(Screen, AControlInsideAFullResetDoesNotMatter) {
  EXPECT_EQ(terminal_after("\x1b]9;4;1;42\a\x1b\n\x63").screen.progress(), Progress{});
}

TEST(Screen, ControlsInEveryPieceOfAnOverlongSequenceAreObeyed) {
  for (const EmulatorKind emulator : {EmulatorKind::native, EmulatorKind::vterm}) {
    FedScreen terminal({{12, 6}, 100, emulator});
    terminal.feed("\x1b[" + std::string(Scanner::kMaxSequence, '1'));
    for (int i = 0; i < 3; ++i) terminal.feed("\n");
    EXPECT_EQ(terminal.screen.state().caret.row, 3);
  }
}

TEST(Screen, ResettingIsAFreshTerminalWithItsScrollback) {
  FedScreen terminal =
      terminal_after("1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\x1b[2;4r\x1b[31m\x1b[?2004h\x1b(0\x1b[?1049h\x1b]9;4;1;5\a");
  terminal.screen.reset();
  EXPECT_EQ(terminal.screen.grid().scrollback(), 1u);
  const FedScreen fresh = terminal_after("");
  EXPECT_EQ(difference(terminal.screen, fresh.screen, {false, true, true}), "");
  EXPECT_EQ(terminal.screen.progress(), Progress{});
}

TEST(NativeEmulator, ControlsInsideASequenceAreExecutedBeforeItAndAlsoWhenItIsCancelled) {
  EXPECT_EQ(row_text(terminal_after("ab\x1b[3\r1mx").screen, 0), "xb");
  EXPECT_EQ(row_text(terminal_after("ab\x1b[3\r1\x18x").screen, 0), "xb");
  EXPECT_EQ(row_text(terminal_after("ab\x1b\r7x").screen, 0), "xb");
}

TEST(NativeEmulator, OverlongAndCancelledSequencesDrawNothing) {
  const std::string digits(2 * Scanner::kMaxSequence, '1');
  for (const std::string& sequence : {"\x1b[" + digits + "H", std::string("\x1b[2J\x1b[3;3\x18"),
                                      "\x1b]8;;" + std::string(3 * Scanner::kMaxString, 'u') + "\a"}) {
    const FedScreen terminal = terminal_after(sequence + "x");
    EXPECT_EQ(row_text(terminal.screen, 0), "x") << draw(terminal.screen);
    EXPECT_EQ(terminal.screen.state().pen, Pen{});
  }
}

TEST(NativeEmulator, RepeatsAtMostAScreenful) {
  const FedScreen terminal = terminal_after("x\x1b[65535b");
  EXPECT_EQ(terminal.screen.grid().scrollback(), 1u) << draw(terminal.screen);
  EXPECT_EQ(terminal_after("\x1b[99b").screen.state().caret, Caret{}) << "nothing is left of the caret";
  EXPECT_EQ(row_text(terminal_after("\x1b(0q\x1b(B\x1b[2b").screen, 0), "───") << "what was translated stays so";
}

TEST(NativeEmulator, DropsAWideGlyphWhereThereIsNoRoomForOne) {
  EXPECT_EQ(row_text(terminal_after("\x1b[?7l\x1b[1;12H中x").screen, 0), "           x");
  const FedScreen narrow = terminal_after("\x1b#6中x", {2, 3});
  EXPECT_EQ(row_text(narrow.screen, 0), "x") << draw(narrow.screen);
}

TEST(NativeEmulator, LeavesOutTheByteOrderMark) {
  EXPECT_EQ(row_text(terminal_after("a\uFEFFb").screen, 0), "ab");
}

TEST(NativeEmulator, ALinkLastsUntilAnEmptyOneAndSurvivesSgr) {
  const FedScreen terminal = terminal_after("\x1b]8;x=1:id=7;http://a/\x1b\\a\x1b[mb\x1b]8;;\ac");
  const Grid& grid = terminal.screen.grid();
  EXPECT_EQ(grid.link(grid.pen(grid.cell(0, 1).pen).link), (Link{"7", "http://a/"}));
  EXPECT_EQ(grid.pen(grid.cell(0, 2).pen).link, 0);
  EXPECT_EQ(terminal_after("\x1b]8;;a\tb\a").screen.state().pen.link, 0) << "a control is no part of an address";
  EXPECT_EQ(terminal_after("\x1b]8;;\xff\a").screen.state().pen.link, 0);
}

TEST(NativeEmulator, LinksOfKeptPensSurviveACollection) {
  FedScreen terminal = terminal_after(
      "\x1b]8;;http://kept/\a\x1b"
      "7\x1b]8;;\a\x1b[2J");
  for (int i = 0; i < 3000; ++i)
    terminal.feed("\x1b]8;;http://" + std::to_string(i) + std::string(2000, 'x') + "\ax\r\x1b]8;;\a");
  terminal.feed(
      "\x1b"
      "8y");
  const Grid& grid = terminal.screen.grid();
  EXPECT_EQ(grid.link(grid.pen(grid.cell(0, 0).pen).link).uri, "http://kept/") << draw(terminal.screen);
}

TEST(Screen, LineFeedsInOneTextScrollLikeEachByItself) {
  const std::string full = "0123456789ab\r\ncdefghijklmn\r\nopqrstuvwxyz\r\nABCDEFGHIJKLMNOP\x1b[?45h\x1b[44m";
  for (const EmulatorKind kind : {EmulatorKind::native, EmulatorKind::vterm})
    for (const char* margins :
         {"", "\x1b[?69h\x1b[3;9s", "\x1b[?69h\x1b[4;12s\x1b[2;5r", "\x1b[?69h\x1b[1;5s", "\x1b[20h\x1b[?69h\x1b[2;9s"})
      for (const char* place : {"\x1b[6;4H", "\x1b[5;5H", "\x1b[6;12H", "\x1b[6;1H", "\x1b[3;7H"})
        for (const char* controls :
             {"\n\n\n", "\n\n\n\n\n\n\n\n\n", "\r\n\r\n\v\f", "\n\t\n\t\n", "\n\b\n\b\b\b\b\n\n", "\n\r\b\n\b\n"}) {
          const Screen::Options options{{12, 6}, 100, kind};
          FedScreen together(options), each(options);
          for (FedScreen* const screen : {&together, &each}) screen->feed(full + margins + place);
          together.feed(std::string(controls) + "\xC3\xA9");
          for (const char c : std::string_view(controls)) each.feed({&c, 1});
          each.feed("\xC3\xA9");
          EXPECT_EQ(difference(together.screen, each.screen), "") << draw(together.screen) << draw(each.screen);
        }
}

TEST(Screen, ControlsInASequenceScrollLikeThoseInText) {
  for (const EmulatorKind kind : {EmulatorKind::native, EmulatorKind::vterm}) {
    const Screen::Options options{{12, 6}, 100, kind};
    FedScreen text(options), sequence(options);
    for (FedScreen* const screen : {&text, &sequence})
      screen->feed("1\r\n2\r\n3\r\n4\r\n5\r\n6\x1b[?69h\x1b[1;9s\x1b[6;2H");
    text.feed("\n\r\n\x0e\n\x1b[1mx");
    sequence.feed("\x1b[\n\r\n\x0e\n1mx");
    EXPECT_EQ(difference(text.screen, sequence.screen), "") << draw(text.screen) << draw(sequence.screen);
  }
}

}  // namespace
}  // namespace ptyd
