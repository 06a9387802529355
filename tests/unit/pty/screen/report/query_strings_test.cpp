// Questions in strings: what colours are told, and which questions are none.
#include "pty/screen/report/query_strings.hpp"

#include <gtest/gtest.h>

#include "tests/support/pty/screen/judge.hpp"

namespace ptyd {
namespace {

using test::judge;
using Kind = Query::Kind;

TEST(QueryStrings, ColoursThatAProgramHasSetAreItsOwn) {
  EXPECT_EQ(judge("\x1b]11;#000\a\x1b]11;?\a\x1b[?996n\x1b]111\a\x1b]11;?\a\x1b[?996n").answers,
            "\x1b]11;rgb:0000/0000/0000\a\x1b[?997;1n\x1b]11;rgb:ffff/ffff/ffff\a\x1b[?997;2n");
  EXPECT_EQ(judge("\x1b]4;7;#010203\a\x1b]4;7;?\a\x1b]104;7\a\x1b]4;7;?\a").answers,
            "\x1b]4;7;rgb:0101/0202/0303\a\x1b]4;7;rgb:e5e5/e5e5/e5e5\a");
}

TEST(QueryStrings, SpecialColoursHaveTwoNumbers) {
  EXPECT_EQ(judge("\x1b]5;0;#010203\a\x1b]5;0;?\a\x1b]4;256;?\a").answers,
            "\x1b]5;0;rgb:0101/0202/0303\a\x1b]4;256;rgb:0101/0202/0303\a");
  EXPECT_EQ(judge("\x1b]10;#0a0b0c\a\x1b]5;1;?\a").answers, "\x1b]5;1;rgb:0a0a/0b0b/0c0c\a")
      << "what was not set is the text's";
}

TEST(QueryStrings, AColourThatWasSetByANameIsNotToldAsAnother) {
  EXPECT_EQ(
      judge("\x1b]11;red\a\x1b]11;?\a\x1b[?996n\x1b]4;1;red;2;red\a\x1b]4;2;?;3;?\a\x1b]5;0;red\a\x1b]5;0;?\a").answers,
      "");
  EXPECT_EQ(judge("\x1b]10;red\a\x1b]17;?\a\x1b]5;0;?\a").answers, "") << "nor what follows it";
  EXPECT_EQ(judge("\x1b]11;red\a\x1b]10;?\a").answers, "\x1b]10;rgb:1010/2020/3030\a");
  EXPECT_EQ(judge("\x1b]11;red\a\x1b]11;#fff\a\x1b]11;?\a").answers, "\x1b]11;rgb:f0f0/f0f0/f0f0\a");
}

TEST(QueryStrings, AQuestionWithoutATerminatorIsNotAnswered) {
  EXPECT_EQ(judge("\x1b]11;?\x1b[m").kinds, (std::vector{Kind::refused, Kind::none}));
  EXPECT_EQ(judge("\x1b]52;c;aGVsbG8=\x1b[m").copied, "");
  EXPECT_EQ(judge("\x1b]0;title\x1b[m").kept, "\x1b]0;title\x1b[m");
}

}  // namespace
}  // namespace ptyd
