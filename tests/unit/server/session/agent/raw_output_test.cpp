// The end of what a program wrote, as it wrote it: where it may be cut.
#include "server/session/agent/raw_output.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ptyd {
namespace {

class RawOutput : public testing::Test {
 protected:
  void say(std::string_view bytes) { journal_.append(bytes); }
  ProgramOutput read(std::uint64_t most, bool has_ended = true) { return raw_output(journal_, most, has_ended); }
  std::string end(std::uint64_t most) {
    const auto output = read(most);
    EXPECT_TRUE(output.truncated);
    EXPECT_LE(output.text.size(), most);
    return output.text;
  }

  Journal journal_ = *Journal::create({}, "raw output");
};

TEST_F(RawOutput, IsAllOfItWhereItIsNoLonger) {
  EXPECT_EQ(read(0).text, "");
  EXPECT_FALSE(read(0).truncated);
  say("a\x1b[31mb\r\n");
  EXPECT_EQ(read(9).text, "a\x1b[31mb\r\n");
  EXPECT_FALSE(read(9).truncated);
  EXPECT_EQ(end(8), "\x1b[31mb\r\n");
  EXPECT_EQ(end(0), "");
}

TEST_F(RawOutput, NeverBeginsInsideASequence) {
  say("a\x1b[31mb\r\n");
  EXPECT_EQ(end(7), "b\r\n");
  EXPECT_EQ(end(3), "b\r\n");
  EXPECT_EQ(end(2), "\r\n");
}

TEST_F(RawOutput, NeverBeginsInsideALongOne) {
  say("\x1b]0;" + std::string(100000, 't') + "\x07shown");
  EXPECT_EQ(end(50000), "shown");
}

TEST_F(RawOutput, IsNothingInsideASequenceThatHasNoEndYet) {
  say("a\x1b]0;title");
  EXPECT_EQ(end(5), "");
  EXPECT_EQ(end(9), "\x1b]0;title");
}

TEST_F(RawOutput, NeverBeginsInsideACharacter) {
  say("x\u20ac\u20ac");
  EXPECT_EQ(end(6), "\u20ac\u20ac");
  EXPECT_EQ(end(5), "\u20ac");
  EXPECT_EQ(end(2), "");
}

TEST_F(RawOutput, LeavesOutACharacterThatIsNotWholeUntilTheEnd) {
  say("x\xe2\x82");
  EXPECT_EQ(read(100, false).text, "x");
  EXPECT_EQ(read(100, true).text, "x\uFFFD");
}

TEST_F(RawOutput, CountsWhatIsNoTextAsItIsGiven) {
  say("\xff\xff");
  EXPECT_EQ(read(6).text, "\uFFFD\uFFFD");
  EXPECT_FALSE(read(6).truncated);
  EXPECT_EQ(end(5), "\uFFFD");
}

TEST_F(RawOutput, IsCutWhereTheJournalHasLetGo) {
  const std::string line(1023, 'x');
  for (int i = 0; i < 3000; i++) say(line + "\n");
  const auto output = read(limits::kMaxOutputLimit);
  EXPECT_TRUE(output.truncated);
  EXPECT_EQ(output.text.front(), 'x');
  EXPECT_GT(output.text.size(), limits::kMaxOutputLimit / 2);
}

}  // namespace
}  // namespace ptyd
