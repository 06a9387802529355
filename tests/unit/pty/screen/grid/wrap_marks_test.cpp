// Rows that were parted are not joined: wherever something moves, the mark that a row goes on in the next goes.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/pty/screen/logical_lines.hpp"
#include "tests/support/pty/screen/screens.hpp"

namespace ptyd {
namespace {

using test::draw;
using test::FedScreen;
using test::logical_lines;

struct Parted {
  const char* name;
  Size size;
  std::string bytes;
  std::vector<Size> resizes;
  std::string then;
  std::vector<std::string> lines;
};

TEST(WrapMarks, WhatWasPartedIsNotJoined) {
  const std::string wrapped = "\x1b[3;1H0123456789ABC", last = "\x1b[2;1H\nX";
  const std::vector<Parted> all{
      {"what waited below", {10, 6}, "a\r\n0123456789ABC\x1b[H", {{10, 2}}, last, {"a", "0123456789", "X"}},
      {"the same, scrolled between margins",
       {10, 6},
       "a\r\n0123456789ABC\x1b[H",
       {{10, 2}},
       "\x1b[?69h\x1b[2;10s\x1b[1;2H\x1b[S\x1b[?69l",
       {"a123456789", "0"}},
      {"above a bottom margin",
       {10, 6},
       wrapped + "\x1b[1;3r\x1b[3;1H\nnew",
       {},
       "",
       {"", "", "0123456789", "new", "ABC"}},
      {"all of a region",
       {10, 6},
       wrapped + "\x1b[1;3r\x1b[3S\x1b[1;1Hnew",
       {},
       "",
       {"", "", "0123456789", "new", "", "", "ABC"}},
      {"below a top margin", {10, 6}, wrapped + "\x1b[4;6r\x1b[S", {}, "", {"", "", "0123456789"}},
      {"DL of the second row", {10, 6}, wrapped + "\x1b[4;1H\x1b[Mx", {}, "", {"", "", "0123456789", "x"}},
      {"DL of the first row", {10, 6}, wrapped + "\x1b[3;1H\x1b[M", {}, "", {"", "", "ABC"}},
      {"IL between them", {10, 6}, wrapped + "\x1b[4;1H\x1b[Lx", {}, "", {"", "", "0123456789", "x", "ABC"}},
      {"IL that pushes the second one out",
       {10, 4},
       wrapped + "\x1b[1;1H\x1b[L\x1b[4;1H\nx",
       {},
       "",
       {"", "", "", "0123456789", "x"}},
      {"RI above a bottom margin",
       {10, 6},
       wrapped + "\x1b[1;4r\x1b[1;1H\x1bM\x1b[5;1Hx",
       {},
       "",
       {"", "", "", "0123456789", "x"}},
      {"RI with the first one in the scrollback",
       {10, 2},
       "0123456789ABC\r\n\x1b[1;1H\x1bMx",
       {},
       "",
       {"0123456789", "x", "ABC"}},
      {"rows that scroll between side margins",
       {10, 6},
       wrapped + "\x1b[?69h\x1b[1;4s\x1b[S\x1b[?69l",
       {},
       "",
       {"", "0123", "ABC 456789"}},
      {"their ends that do",
       {10, 6},
       wrapped + "\x1b[?69h\x1b[5;10s\x1b[S\x1b[?69l",
       {},
       "",
       {"", "    456789", "0123", "ABC"}},
  };
  for (const EmulatorKind kind : {EmulatorKind::native, EmulatorKind::vterm}) {
    for (const Parted& each : all) {
      FedScreen terminal({each.size, 100, kind});
      terminal.feed(each.bytes);
      for (const Size size : each.resizes) terminal.screen.resize(size);
      terminal.feed(each.then);
      EXPECT_EQ(logical_lines(terminal.screen), each.lines) << each.name << draw(terminal.screen);
      terminal.screen.resize({20, 6});
      EXPECT_EQ(logical_lines(terminal.screen), each.lines) << each.name << draw(terminal.screen);
    }
  }
}

TEST(WrapMarks, TheLastRowGoesOnInNothingThatIsForgotten) {
  FedScreen terminal({{10, 6}, 10, EmulatorKind::native});
  terminal.feed("a\r\n0123456789ABC\x1b[H");
  terminal.screen.resize({10, 2});
  EXPECT_TRUE(terminal.screen.grid().line(Buffer::primary, 1).wrapped);
  terminal.feed("\x1b[?69h\x1b[2;5s\x1b[S");
  EXPECT_FALSE(terminal.screen.grid().line(Buffer::primary, 1).wrapped) << draw(terminal.screen);
}

TEST(WrapMarks, AResetScreenGoesOnInNoLineOfTheScrollback) {
  FedScreen terminal({{10, 2}, 10, EmulatorKind::native});
  terminal.feed("0123456789abcdefghijABC");
  terminal.screen.reset();
  terminal.feed("x");
  EXPECT_EQ(logical_lines(terminal.screen), (std::vector<std::string>{"0123456789", "x"}));
}

TEST(WrapMarks, RowsOfTheAlternateBufferAreNotJoinedToThoseThatWereCutOff) {
  FedScreen terminal({{10, 4}, 10, EmulatorKind::native});
  terminal.feed("\x1b[?1049h\x1b[2;1H0123456789ABC\x1b[H");
  ASSERT_TRUE(terminal.screen.grid().line(Buffer::alternate, 1).wrapped);
  terminal.screen.resize({10, 3});
  EXPECT_TRUE(terminal.screen.grid().line(Buffer::alternate, 1).wrapped);
  terminal.screen.resize({10, 2});
  EXPECT_FALSE(terminal.screen.grid().line(Buffer::alternate, 1).wrapped);
}

}  // namespace
}  // namespace ptyd
