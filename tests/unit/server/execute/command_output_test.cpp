// An output as a person has read it.
#include "server/execute/command_output.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/server/execute/drawn.hpp"

namespace ptyd {
namespace {

constexpr Size kSize{20, 5};

void print(CommandOutput& output, std::string_view bytes) {
  test::feed_all(bytes, [&output](const Token& token) { output.take(token); });
}

struct Printed {
  std::string_view name, bytes, read, whole;
};

const Printed kPrinted[] = {
    {"nothing", "", "", ""},
    {"a line", "a\r\n", "a", "a\n"},
    {"a line without its end", "a", "a", "a"},
    {"empty lines at the end", "a\r\n\r\n\r\n", "a", "a\n\n\n"},
    {"empty lines before", "\r\n\r\na\r\n", "\n\na", "\n\na\n"},
    {"blanks at ends of lines", "a  \r\n  b \r\n", "a\n  b", "a  \n  b \n"},
    {"colours", "\x1b[31mred\x1b[m \x1b[1mbold\x1b[m\r\n", "red bold", "red bold\n"},
    {"a progress bar", "10%\r20%\r100%\r\n", "100%", "100%\n"},
    {"a bar that is taken away", "working\r\x1b[Kdone\r\n", "done", "done\n"},
    {"backspaces", "abc\b\bX\r\n", "aXc", "aXc\n"},
    {"a line over two rows", "0123456789012345678901234\r\nb\r\n", "0123456789012345678901234\nb",
     "0123456789012345678901234\nb\n"},
    {"a line as long as a row", "01234567890123456789\r\nb\r\n", "01234567890123456789\nb",
     "01234567890123456789\nb\n"},
    {"a blank where a row ends", "0123456789012345678 b\r\n", "0123456789012345678 b", "0123456789012345678 b\n"},
    {"a wide glyph that did not fit", "0123456789012345678\u4e16\r\n", "0123456789012345678\u4e16",
     "0123456789012345678\u4e16\n"},
    {"what has left the screen", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n", "1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\n7\n"},
    {"an alternate screen", "before\r\n\x1b[?1049hfull\x1b[?1049lafter\r\n", "before\nafter", "before\nafter\n"},
    {"an alternate screen that is shown", "before\r\n\x1b[?1049hfull", "before", "before"},
    {"no UTF-8",
     "a\xff"
     "b\r\n",
     "a\uFFFDb", "a\uFFFDb\n"},
    {"a tab", "a\tb\r\n", "a\tb", "a\tb\n"},
    {"a tab at the beginning", "\tcc x\r\n", "\tcc x", "\tcc x\n"},
    {"several", "\t\tx\r\n", "\t\tx", "\t\tx\n"},
    {"a tab that is one column wide", "1234567\tb\r\n", "1234567\tb", "1234567\tb\n"},
    {"tabs at ends of lines", "a\t\r\nb\r\n", "a\nb", "a\t\nb\n"},
    {"tabs of a line over two rows", "1234567890\t123456\t78\ty\r\n", "1234567890\t123456\t78\ty",
     "1234567890\t123456\t78\ty\n"},
    {"a tab where the row is full", "01234567890123456789\tb\r\n", "01234567890123456789\tb",
     "01234567890123456789\tb\n"},
    {"tabs where the row is full", "01234567890123456789\t\tb\r\n", "01234567890123456789\t\tb",
     "01234567890123456789\t\tb\n"},
    {"a tab over what stands there", "hello world\r\tX\r\n", "hello woXld", "hello woXld\n"},
    {"a tab that is written over", "a\tb\rxyz\r\n", "xyz     b", "xyz     b\n"},
    {"a tab that is written over in whole", "a\tb\rhello world\r\n", "hello world", "hello world\n"},
    {"a tab that is erased in part", "a\tb\r\x1b[3C\x1b[1K\x1b[8C|\r\n", "        b  |", "        b  |\n"},
    {"characters that mean tabs here", "a\U0010E003\U0010FFFD\U0010FFFD\U000E01EFx\r\n", "a\uFFFD\uFFFD\uFFFDx",
     "a\uFFFD\uFFFD\uFFFDx\n"},
    {"private characters of others", "\U000F0001\uE0B0\r\n", "\U000F0001\uE0B0", "\U000F0001\uE0B0\n"},
    {"a wiped screen", "a\r\nb\r\n\x1b[H\x1b[2J\x1b[3Jc\r\n", "c", "c\n"},
};

TEST(CommandOutput, IsWhatAPersonReads) {
  for (const auto& row : kPrinted) {
    CommandOutput output(kSize);
    print(output, row.bytes);
    EXPECT_EQ(output.whole(), row.whole) << row.name;
    const auto told = output.tell();
    EXPECT_EQ(told.content, row.read) << row.name;
    EXPECT_FALSE(told.truncated) << row.name;
  }
}

struct Polls {
  std::string_view name;
  std::string_view bytes[3], told[3];
};

const Polls kPolls[] = {
    {"whole lines", {"1\r\n", "2\r\n", "3\r\n"}, {"1", "2", "3"}},
    {"nothing new", {"1\r\n", "", "2\r\n"}, {"1", "", "2"}},
    {"inside a line", {"ab", "cd", "ef\r\n"}, {"ab", "cd", "ef"}},
    {"a line end that came later", {"ab", "\r\n", "cd"}, {"ab", "", "cd"}},
    {"a line end with the next line", {"ab", "\r\ncd\r\n", ""}, {"ab", "\ncd", ""}},
    {"the rest of a line and more", {"ab", "cd\r\nef", "\r\n"}, {"ab", "cd\nef", ""}},
    {"an empty line between", {"a\r\n", "\r\nb\r\n", ""}, {"a", "\nb", ""}},
    {"a bar that moves", {"10%", "\r20%", "\r100%\r\n"}, {"10%", "20%", "100%"}},
    {"what leaves the screen",
     {"1\r\n2\r\n3\r\n4\r\n", "5\r\n6\r\n7\r\n8\r\n9\r\n", "10\r\n"},
     {"1\n2\n3\n4", "5\n6\n7\n8\n9", "10"}},
    {"a wiped screen", {"a\r\nb\r\n", "\x1b[H\x1b[2Jc\r\n", "d\r\n"}, {"a\nb", "c", "d"}},
    {"nothing at first", {"", "a", "\r\nb"}, {"", "a", "\nb"}},
};

TEST(CommandOutput, TellsWhatWasNotToldBefore) {
  for (const auto& row : kPolls) {
    CommandOutput output(kSize);
    for (int i = 0; i < 3; ++i) {
      print(output, row.bytes[i]);
      EXPECT_EQ(output.tell().content, row.told[i]) << row.name << ", " << i;
    }
  }
}

TEST(CommandOutput, SaysWhereItLostLines) {
  CommandOutput output(kSize, {3, 1000});
  for (int i = 0; i < 7; ++i) print(output, std::to_string(i) + "\r\n");
  auto told = output.tell();
  EXPECT_EQ(told.content, "0\n1\n2\n3\n4\n5\n6") << "three above four, and the caret's";
  EXPECT_FALSE(told.truncated);
  for (int i = 7; i < 20; ++i) print(output, std::to_string(i) + "\r\n");
  told = output.tell();
  EXPECT_EQ(told.content, "13\n14\n15\n16\n17\n18\n19");
  EXPECT_TRUE(told.truncated);
  print(output, "20\r\n");
  told = output.tell();
  EXPECT_EQ(told.content, "20");
  EXPECT_FALSE(told.truncated);
}

TEST(CommandOutput, ColouredBlanksToTheMarginTakeNoRoom) {
  CommandOutput output(kSize, {100, 200});
  std::string expected;
  for (int i = 10; i < 90; ++i) {
    print(output, "\x1b[41m" + std::to_string(i) + "\x1b[K\x1b[m\r\n\x1b[42m");
    expected += std::to_string(i) + "\n";
  }
  EXPECT_FALSE(output.has_overflowed());
  EXPECT_EQ(output.whole(), expected);
}

struct Ends {
  std::string_view name, line, kept;
};

const Ends kEnds[] = {
    {"short lines", "0123\r\n", "0123\n"},
    {"lines over several rows", "0123456789012345678901234567890123456789\r\n",
     "0123456789012345678901234567890123456789\n"},
    {"empty lines", "\r\n", "\n"},
    {"tabs", "\tx\r\n", "\tx\n"},
    {"wide glyphs", "\u4e16\u754c\r\n", "\u4e16\u754c\n"},
    {"more bytes than cells", "\u00e9\u00e8\r\n", "\u00e9\u00e8\n"},
};

TEST(CommandOutput, GivesMoreThanWasWantedFromItsEndOrAllThatIsKept) {
  constexpr int kLines = 200;
  for (const auto& row : kEnds) {
    CommandOutput output(kSize);
    std::string all;
    for (int i = 0; i < kLines; ++i) {
      print(output, row.line);
      all += row.kept;
    }
    for (std::size_t wanted = 0; wanted <= all.size() + 1; wanted += wanted < all.size() - 3 ? all.size() / 50 : 1) {
      const auto text = output.whole(wanted);
      EXPECT_TRUE(all.ends_with(text)) << row.name << ", " << wanted;
      EXPECT_TRUE(text.size() > wanted || text == all) << row.name << ", " << wanted << ": " << text.size();
      const bool begins_a_line = text.size() == all.size() || all[all.size() - text.size() - 1] == '\n';
      EXPECT_TRUE(begins_a_line) << row.name << ", " << wanted;
    }
  }
}

TEST(CommandOutput, ALineWithoutEndIsBounded) {
  CommandOutput output(kSize, {100, 200});
  print(output, std::string(5000, 'x'));
  const auto told = output.tell();
  EXPECT_TRUE(told.truncated);
  EXPECT_LE(told.content.size(), 200u + 20 * 5);
}

TEST(CommandOutput, KeepsLinesAndTabsWhenItsSizeChanges) {
  CommandOutput output(kSize);
  print(output, "0123456789\t012345678\r\n\tx\r\n");
  output.resize({10, 5});
  EXPECT_EQ(output.whole(), "0123456789\t012345678\n\tx\n");
  output.resize({40, 8});
  EXPECT_EQ(output.whole(), "0123456789\t012345678\n\tx\n");
}

TEST(CommandOutput, HoldsWhatWeSayOurselves) {
  CommandOutput output(kSize);
  output.say("cannot run it\r\n");
  EXPECT_EQ(output.whole(), "cannot run it\n");
}

}  // namespace
}  // namespace ptyd
