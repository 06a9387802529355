// Output of a command since it was asked last.
#include "server/execute/command_output.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/serialize/snapshot.hpp"
#include "pty/text/utf8.hpp"
#include "tests/support/server/execute/drawn.hpp"
#include "tests/support/server/execute/endless_output.hpp"
#include "tests/support/server/execute/printed.hpp"

namespace ptyd {
namespace {

using test::kSize;

constexpr std::size_t kAll = 1 << 30;
const std::string kLong(1000, 'x');

void print(CommandOutput& output, std::string_view bytes) {
  test::feed_all(bytes, [&output](const Token& token) { output.take(token); });
}

TEST(CommandOutput, IsWhatAPersonReads) {
  for (const auto& row : test::kPrinted) {
    CommandOutput output(kSize);
    print(output, row.bytes);
    EXPECT_EQ(output.tell().cut(kAll).text, row.read) << row.name;
    EXPECT_EQ(output.total_bytes(), row.bytes.size()) << row.name;
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
    {"empty lines that have left the screen", {"a\r\n\r\n\r\n\r\n\r\n\r\n\r\n", "", "b"}, {"a", "", "\n\n\n\n\n\nb"}},
    {"nothing but empty lines at first", {"\r\n\r\n\r\n\r\n\r\n\r\n\r\n", "b", ""}, {"", "\n\n\n\n\n\n\nb", ""}},
    {"a line over more rows than there are",
     {"012345678901234567890123456789", std::string_view(kLong), "end\r\nb"},
     {"012345678901234567890123456789", std::string_view(kLong), "end\nb"}},
    {"a line that changes as it leaves",
     {"1\r\n2\r\n3", "\rthree\r\n4\r\n5\r\n6\r\n7\r\n8", ""},
     {"1\n2\n3", "three\n4\n5\n6\n7\n8", ""}},
    {"a long line that is parted at the top of the screen",
     {std::string_view(kLong).substr(0, 130), "\x1b[H\x1b[Jend\r\n", "more"},
     {std::string_view(kLong).substr(0, 130), "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nend", "more"}},
    {"a wiped terminal",
     {"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n", "7\r\n8\r\n9\r\n\x1b[3J", ""},
     {"1\n2\n3\n4\n5\n6", "7\n8\n9", ""}},
    {"nothing at first", {"", "a", "\r\nb"}, {"", "a", "\nb"}},
};

TEST(CommandOutput, TellsWhatWasNotToldBefore) {
  for (const std::size_t rows : {0, 256}) {
    for (const auto& row : kPolls) {
      CommandOutput output(kSize, {.rows = rows});
      for (int i = 0; i < 3; ++i) {
        print(output, row.bytes[i]);
        EXPECT_EQ(output.tell().cut(kAll).text, row.told[i]) << row.name << ", " << i;
      }
    }
  }
}

TEST(CommandOutput, TellsBothEndsOfALongOne) {
  CommandOutput output(kSize);
  std::string expected;
  for (int i = 0; i < 100'000; ++i) {
    print(output, std::to_string(i) + "\r\n");
    expected += std::to_string(i) + "\n";
  }
  const auto cut = output.tell().cut(1000);
  EXPECT_TRUE(cut.text.starts_with("0\n1\n2\n"));
  EXPECT_TRUE(cut.text.ends_with("\n99998\n99999"));
  const auto mark = cut.text.find("[...");
  const auto told = cut.text.size() - (cut.text.find("...]\n", mark) + 5 - mark);
  EXPECT_EQ(told + cut.omitted_bytes + 1, expected.size()) << "all but the last line feed";
  print(output, "more\r\n");
  EXPECT_EQ(output.tell().cut(1000).text, "more");
}

TEST(CommandOutput, ALineWithoutEndIsCutInTheMiddle) {
  CommandOutput output(kSize);
  for (int i = 0; i < 1000; ++i) print(output, std::string(2000, 'x'));
  const auto cut = output.tell().cut(1000);
  EXPECT_EQ(cut.text, std::string(500, 'x') + "\n[... 1 lines / 1999000 bytes omitted ...]\n" + std::string(500, 'x'));
  print(output, "y");
  EXPECT_EQ(output.tell().cut(1000).text, "y");
}

TEST(CommandOutput, BlanksAndEmptyLinesWithoutEndAreNothing) {
  CommandOutput output(kSize);
  print(output, "a\r\n");
  for (int i = 0; i < 50; ++i) print(output, std::string(5000, ' ') + "\r\n" + std::string(5000, '\n'));
  auto cut = output.tell().cut(1000);
  EXPECT_EQ(cut.text, "a");
  EXPECT_EQ(cut.omitted_bytes, 0u);
  print(output, "b");
  cut = output.tell().cut(kAll);
  EXPECT_EQ(cut.text, std::string(250'050, '\n') + "b") << "as many as there were";
}

TEST(CommandOutput, BlanksThatWereToldAsTheEndOfALongLineAreNotToldAgain) {
  for (const auto blanks : {JoinedRows::kMostBytes - 10, JoinedRows::kMostBytes + 10}) {
    CommandOutput output(kSize);
    print(output, "a\r\n" + std::string(blanks, ' ') + "\r\nb\r\n");
    EXPECT_EQ(output.tell().cut(kAll).text, "a\n\nb");
    print(output, "c\r\nd\r\ne\r\nf\r\ng");
    EXPECT_EQ(output.tell().cut(kAll).text, "c\nd\ne\nf\ng");
  }
}

/// Of more than a Screen can name at once.
TEST(CommandOutput, ALineOfManyClustersIsWhole) {
  CommandOutput output(kSize);
  std::string all;
  for (int i = 0; i < 20'000; ++i) {
    all += static_cast<char>('a' + i % 26);
    utf8::append(0x300 + static_cast<char32_t>(i / 26 % 30), all);
    utf8::append(0x320 + static_cast<char32_t>(i / 780), all);
  }
  print(output, all);
  EXPECT_EQ(output.tell().cut(kAll).text, all);
}

// --- against a terminal with endless scrollback

/// Of random pieces: words, line ends, tabs, caret moves, wiping, an alternate screen.
class Stream {
 public:
  explicit Stream(unsigned seed) : random_(seed) {}

  std::string next() {
    std::string bytes;
    for (auto i = pick(30); i > 0; --i) bytes += piece();
    return bytes;
  }
  std::size_t pick(std::size_t below) { return random_() % below; }

 private:
  std::string piece() {
    static const std::vector<std::string> kSome = {"\r\n",
                                                   "\r\n",
                                                   "\r\n",
                                                   "\r\n",
                                                   "\r\n\r\n",
                                                   "\n",
                                                   "\r",
                                                   "\t",
                                                   "\b",
                                                   " ",
                                                   "   ",
                                                   "\u4e16\u754c",
                                                   "\u00e9",
                                                   "\x1b[31m",
                                                   "\x1b[m",
                                                   "\x1b[A",
                                                   "\x1b[2A",
                                                   "\x1b[B",
                                                   "\x1b[C",
                                                   "\x1b[K",
                                                   "\x1b[1K",
                                                   "\x1b[2K",
                                                   "\x1b[J",
                                                   "\x1b[H",
                                                   "\x1b[2;3H",
                                                   "\x1b[2J",
                                                   "\x1b[3J",
                                                   "\x1b[?1049h",
                                                   "\x1b[?1049l",
                                                   "\x1b[?1049l",
                                                   "\x1b[L",
                                                   "\x1b[M",
                                                   "\x1b[P",
                                                   "\x1b[@",
                                                   "\x1b[2S",
                                                   "\x1b[T",
                                                   "\x1b"
                                                   "7",
                                                   "\x1b"
                                                   "8",
                                                   "\x1b"
                                                   "c",
                                                   "\x1b]0;t\a"};
    if (pick(2) == 0) return kSome[pick(kSome.size())];
    if (pick(40) == 0) return std::string(pick(300), 'w');
    return std::string(1 + pick(12), static_cast<char>('a' + pick(26)));
  }

  std::mt19937 random_;
};

TEST(CommandOutput, SaysWhatATerminalWithEndlessScrollbackShows) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Stream stream(seed);
    const Size size{static_cast<std::uint16_t>(20 + stream.pick(20)), static_cast<std::uint16_t>(5 + stream.pick(6))};
    CommandOutput output(size, {.rows = stream.pick(3) * 5});
    test::EndlessOutput endless(size);
    std::string all;
    for (int poll = 0; poll < 8; ++poll) {
      for (auto parts = stream.pick(4); parts > 0; --parts) {
        const auto bytes = stream.next();
        all += bytes;
        test::feed_all(bytes, [&](const Token& token) {
          output.take(token);
          endless.take(token);
        });
      }
      ASSERT_EQ(output.tell().cut(kAll).text, endless.tell())
          << "seed " << seed << ", poll " << poll << ": " << testing::PrintToString(all);
    }
  }
}

/// The text of a snapshot, which knows no tabs.
TEST(CommandOutput, IsTheTextOfAScreenWithEndlessScrollback) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    Stream stream(seed);
    const Size size{static_cast<std::uint16_t>(20 + stream.pick(20)), static_cast<std::uint16_t>(5 + stream.pick(6))};
    CommandOutput output(size, {.rows = stream.pick(3) * 5});
    Screen endless({size, Screen::kMaxScrollback});
    std::string all;
    for (auto parts = 5 + stream.pick(20); parts > 0; --parts) all += stream.next();
    all += "\x1b[?1049l";
    std::replace(all.begin(), all.end(), '\t', ' ');
    test::feed_all(all, [&](const Token& token) {
      output.take(token);
      endless.feed(token);
    });
    const auto text = plain_snapshot(endless, {Screen::kMaxScrollback, kAll});
    ASSERT_EQ(output.tell().cut(kAll).text, text) << "seed " << seed << ": " << testing::PrintToString(all);
  }
}

/// Lines that are given in pieces, since no memory holds them.
TEST(CommandOutput, SaysLongLinesAsATerminalWithEndlessScrollbackShowsThem) {
  static const std::string_view kWords[] = {"word", " ", "     ", "a\tb", "\u4e16\u754c", "\u00e9", "e\u0301"};
  for (unsigned seed = 0; seed < 30; ++seed) {
    Stream stream(seed);
    CommandOutput output({static_cast<std::uint16_t>(20 + stream.pick(20)), 5}, {.rows = stream.pick(3) * 50});
    std::string all, told;
    for (int poll = 0; poll < 20; ++poll) {
      for (auto words = stream.pick(2000); words > 0; --words) {
        const auto word = stream.pick(3000) == 0 ? "\r\n" : kWords[stream.pick(std::size(kWords))];
        print(output, word);
        if (word == "\r\n") all.erase(all.find_last_not_of(' ') + 1);
        all += word == "\r\n" ? "\n" : word;
      }
      all += "x";  // blanks at the end of a line are told with what follows them
      print(output, "x");
      told += output.tell().cut(kAll).text;
    }
    ASSERT_EQ(told, all) << "seed " << seed;
  }
}

}  // namespace
}  // namespace ptyd
