#include "pty/screen/pen_parser.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>

#include "pty/screen/serialize/sgr.hpp"

namespace ptyd {
namespace {

/// The effect on a default pen, written as append_sgr does.
std::string after(std::string_view parameters) {
  Pen pen;
  apply_sgr(parameters, pen);
  std::string text;
  append_sgr(pen, text);
  return text;
}

TEST(PenParser, OneWayIsTheInverseOfTheOther) {
  for (const char* each : {";1", ";2", ";3", ";4", ";5", ";7", ";8", ";9", ";53", ";31", ";97", ";44", ";105", ";4:2",
                           ";4:3", ";4:4", ";4:5"}) {
    Pen pen;
    apply_sgr(std::string_view(each).substr(1), pen);
    std::string text;
    append_sgr(pen, text);
    Pen again;
    apply_sgr(std::string_view(text).substr(1), again);
    EXPECT_EQ(pen, again) << each;
    EXPECT_NE(pen, Pen{}) << each;
  }
}

TEST(PenParser, ColoursComeInEverySpelling) {
  const std::string red = after("38;2;255;0;1");
  for (const char* spelling : {"38:2::255:0:1", "38:2:255:0:1", "38;2:255:0:1", "38:2:7:255:0:1", "38:2:7:255:0:1:0:0"})
    EXPECT_EQ(after(spelling), red) << spelling;
  for (const char* spelling : {"38:5:200", "38;5;200", "38;5:200"}) EXPECT_EQ(after(spelling), after("38;5;200"));
}

TEST(PenParser, AColourThatIsCutOffOrTooLargeChangesNothing) {
  for (const char* broken : {"38", "38;5", "38;2", "38;2;1;2", "38;5;256", "38;2;256;0;0", "38:5", "38:2:1:2",
                             "38:5:256", "38;7", "48;9", "99999999999", "107777"})
    EXPECT_EQ(after(broken), "") << broken;
}

TEST(PenParser, WhatFollowsAColourCounts) {
  EXPECT_EQ(after("38;5;1;1"), after("1;31"));
  EXPECT_EQ(after("38;2;1;2;3;4;48;5;9"), after("4;48;5;9;38;2;1;2;3"));
}

TEST(PenParser, NothingAndZeroAreTheDefaultButKeepTheLink) {
  for (const char* reset : {"", "0", ";", "1;0", "1;"}) {
    Pen pen;
    pen.link = 7;
    pen.attributes = attribute::kBold;
    apply_sgr(reset, pen);
    EXPECT_EQ(pen, (Pen{{}, {}, {}, 0, Underline::none, 7})) << reset;
  }
}

TEST(PenParser, EachAttributeHasItsEnd) {
  for (const char* pair : {"1;22", "2;22", "3;23", "4;24", "21;24", "4:3;24", "5;25", "6;25", "7;27", "8;28", "9;29",
                           "53;55", "31;39", "41;49", "91;39", "101;49", "58;5;1;59", "4;4:0"})
    EXPECT_EQ(after(pair), "") << pair;
}

std::optional<Link> link_in(std::string_view osc) {
  Token token;
  token.kind = TokenKind::osc;
  token.bytes = osc;
  return parse_link(token);
}

TEST(PenParser, ALinkIsAnAddressPerhapsWithAnId) {
  EXPECT_EQ(link_in("\x1b]8;;http://a/b;c\x1b\\"), (Link{"", "http://a/b;c"}));
  EXPECT_EQ(link_in("\x1b]8;id=one;http://a\a"), (Link{"one", "http://a"}));
  EXPECT_EQ(link_in("\x1b]8;x=1:id=one:id=two;http://a\a"), (Link{"one", "http://a"})) << "the first counts";
}

TEST(PenParser, ALinkEndsWithoutAnAddressOrWithOneThatIsNoText) {
  for (const char* osc :
       {"\x1b]8;;\a", "\x1b]8;id=one;\a", "\x1b]8;;http://\xFF\a", "\x1b]8;;a\nb\a", "\x1b]8;id=a\x7F;http://a\a"})
    EXPECT_EQ(link_in(osc), Link{}) << osc;
}

TEST(PenParser, OtherStringsAreNoLinks) {
  for (const char* osc : {"\x1b]8;\a", "\x1b]8\a", "\x1b]0;8;;http://a\a", "\x1b]88;;http://a\a"})
    EXPECT_EQ(link_in(osc), std::nullopt) << osc;
}

}  // namespace
}  // namespace ptyd
