// The whole of an output, as a person reads it.
#include "server/execute/drawn_output.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/support/server/execute/drawn.hpp"
#include "tests/support/server/execute/printed.hpp"

namespace ptyd {
namespace {

using test::kSize;

void print(DrawnOutput& output, std::string_view bytes) {
  test::feed_all(bytes, [&output](const Token& token) { output.take(token); });
}

TEST(DrawnOutput, IsWhatAPersonReads) {
  for (const auto& row : test::kPrinted) {
    DrawnOutput output(kSize);
    print(output, row.bytes);
    EXPECT_EQ(output.whole(), row.whole) << row.name;
  }
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

TEST(DrawnOutput, GivesMoreThanWasWantedFromItsEndOrAllThatIsKept) {
  constexpr int kLines = 200;
  for (const auto& row : kEnds) {
    DrawnOutput output(kSize);
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

TEST(DrawnOutput, ALineWithoutEndIsBounded) {
  DrawnOutput output(kSize, {100, 200});
  print(output, std::string(5000, 'x'));
  EXPECT_TRUE(output.has_overflowed());
  EXPECT_LE(output.whole().size(), 200u + 20 * 5);
}

TEST(DrawnOutput, ColouredBlanksToTheMarginTakeNoRoom) {
  DrawnOutput output(kSize, {100, 200});
  std::string expected;
  for (int i = 10; i < 90; ++i) {
    print(output, "\x1b[41m" + std::to_string(i) + "\x1b[K\x1b[m\r\n\x1b[42m");
    expected += std::to_string(i) + "\n";
  }
  EXPECT_FALSE(output.has_overflowed());
  EXPECT_EQ(output.whole(), expected);
}

TEST(DrawnOutput, KeepsLinesAndTabsWhenItsSizeChanges) {
  DrawnOutput output(kSize);
  print(output, "0123456789\t012345678\r\n\tx\r\n");
  output.resize({10, 5});
  EXPECT_EQ(output.whole(), "0123456789\t012345678\n\tx\n");
  output.resize({40, 8});
  EXPECT_EQ(output.whole(), "0123456789\t012345678\n\tx\n");
}

TEST(DrawnOutput, HoldsWhatWeSayOurselves) {
  DrawnOutput output(kSize);
  output.say("cannot run it\r\n");
  EXPECT_EQ(output.whole(), "cannot run it\n");
}

}  // namespace
}  // namespace ptyd
