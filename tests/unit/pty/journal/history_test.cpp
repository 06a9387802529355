#include "pty/journal/history.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "pty/text/utf8.hpp"
#include "tests/support/pty/text/streams.hpp"

namespace ptyd {
namespace {

constexpr std::size_t kLines = 5000, kBytes = 1 << 20;

Journal make(std::string_view text = {}, std::size_t ring = 1 << 20) {
  auto made = Journal::create({}, "", {ring, 64 << 10});
  EXPECT_TRUE(made);
  made->append(text);
  return std::move(*made);
}

std::string history(const Journal& journal, std::size_t lines = kLines, std::size_t bytes = kBytes) {
  return history_text(journal, journal.tail(), journal.head(), lines, bytes);
}

/// The rest of a journal whose ring has lost everything before the `size` last bytes of `text`.
Journal with_tail(std::string text, std::size_t size) {
  Journal journal = make(text);
  journal.move_tail(journal.head() - size);
  return journal;
}

TEST(History, IsEverythingWhileNothingWasLost) {
  EXPECT_EQ(history(make("one\r\ntwo \x1b[31mred\x1b[m")), "one\r\ntwo \x1b[31mred\x1b[m");
  EXPECT_EQ(history(make("")), "");
}

TEST(History, PassesOverMarks) {
  Journal journal = make("one ");
  journal.mark(MarkKind::title, 0, "t");
  journal.append("two");
  EXPECT_EQ(history(journal), "one two");
  EXPECT_EQ(history_text(journal, 0, 4, kLines, kBytes), "one ");
}

TEST(History, RepairsWhatIsNoUtf8) {
  EXPECT_EQ(history(make("a\xFF"
                         "b\xE4\xBD")),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD");
}

TEST(History, KeepsTheLastLines) {
  EXPECT_EQ(history(make("1\n2\n3\n"), 2), "2\n3\n") << "a line end at the end begins no further line";
  EXPECT_EQ(history(make("1\n2\n3"), 2), "2\n3");
  EXPECT_EQ(history(make("1\n2\n3"), 3), "1\n2\n3");
  EXPECT_EQ(history(make("1\n2\n3"), 1), "3");
  EXPECT_EQ(history(make("1\n2\n3"), 0), "");
}

TEST(History, ALineEndInsideASequenceIsNone) {
  EXPECT_EQ(history(make("1\n2\x1b[3\n1m\n3"), 2), "2\x1b[3\n1m\n3");
  EXPECT_EQ(history(make("1\nx\x1bPq\n\n\n\x1b\\\n3"), 2), "x\x1bPq\n\n\n\x1b\\\n3");
}

TEST(History, AtTheByteLimitItIsWholeAndBeyondItBeginsAtALine) {
  const std::string lines = "first\nsecond\nthird\n";
  EXPECT_EQ(history(make(lines), kLines, lines.size()), lines);
  EXPECT_EQ(history(make(lines), kLines, lines.size() - 1), "second\nthird\n");
  EXPECT_EQ(history(make(lines), kLines, 13), "second\nthird\n");
  EXPECT_EQ(history(make(lines), kLines, 12), "third\n");
  EXPECT_EQ(history(make(lines), kLines, 0), "");
}

TEST(History, ReplacementsCountAgainstTheByteLimit) {
  const std::string text = history(make("line\n" + std::string(100, '\xFF') + "\nend"), kLines, 150);
  EXPECT_LE(text.size(), 150U);
  EXPECT_TRUE(utf8::valid(text));
}

TEST(History, ALineLongerThanTheLimitIsCutAtACharacter) {
  std::string wide;
  for (int i = 0; i < 100; ++i) wide += "你";
  const std::string text = history(make(wide), kLines, 50);
  EXPECT_EQ(text.size(), 48U);
  EXPECT_TRUE(utf8::valid(text));
}

struct Case {
  const char* name;
  const char* lost;
  const char* kept;
  const char* expected;
};

class Boundary : public ::testing::TestWithParam<Case> {};

TEST_P(Boundary, IsWhereAnEmulatorCanBegin) {
  const std::string kept = GetParam().kept;
  const Journal journal = with_tail(GetParam().lost + kept, kept.size());
  EXPECT_EQ(history(journal), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(
    , Boundary,
    ::testing::Values(Case{"InsideALine", "lo", "st\nkept\n", "kept\n"},
                      Case{"InsideACharacter", "\xE4", "\xBD\xA0 no line end", " no line end"},
                      Case{"InsideAColour", "\x1b[38;2", ";1;2m text\nkept", "kept"},
                      Case{"InsideAColourWithoutLines", "\x1b[38;2", ";1;2m text\x1b[mkept", "\x1b[mkept"},
                      Case{"InsideALink", "\x1b]8;;http", "://x\x1b\\link\nkept", "kept"},
                      Case{"InsideAPicture", "\x1bPq", "#0\n#1\n#2\x1b\\after\nkept", "kept"},
                      Case{"InsideAPictureThatEndsTheText", "\x1bPq", "#0\n#1\n#2\x1b\\after", "after"},
                      Case{"BeforeAPicture", "lo", "st\n\x1bPq#0\n#1\x1b\\", "\x1bPq#0\n#1\x1b\\"},
                      Case{"ScreensTitles", "lo", "st\n\x1bktitle\x1b\\kept", "\x1bktitle\x1b\\kept"}),
    [](const auto& row) { return row.param.name; });

TEST(History, BeginsAtAMarkWhereTheJournalWasEmptied) {
  Journal journal = make("secret");
  journal.move_tail(journal.mark(MarkKind::cleared, 0, ""));
  journal.append("no line end");
  EXPECT_EQ(history(journal), "no line end");
  EXPECT_EQ(clean_boundary(journal, journal.tail()), journal.tail());
  EXPECT_EQ(clean_boundary(journal, journal.tail() + 1), journal.tail() + 1);
  EXPECT_EQ(clean_boundary(journal, journal.head()), journal.head());
}

TEST(History, ALongLineOfARingThatWentRoundIsSearchedForABoundaryOnlySoFar) {
  const Journal journal = with_tail(std::string(400000, 'x'), 300000);
  EXPECT_EQ(clean_boundary(journal, journal.tail()), journal.tail()) << "any character will do";
  const Journal far = with_tail(std::string(200000, 'x') + "\n" + std::string(100, 'y'), 100000);
  EXPECT_EQ(clean_boundary(far, far.tail()), far.tail()) << "the line end is too far away";
  const Journal near = with_tail(std::string(200000, 'x') + "\n" + std::string(50000, 'y'), 100000);
  EXPECT_EQ(history(near), std::string(50000, 'y'));
}

TEST(History, FromAnyPlaceOfAColouredLogItBeginsOutsideSequencesAndCharacters) {
  const std::string log = test::coloured_log(20000);
  const Journal journal = make(log);
  for (Position wanted = 1; wanted < 3000; ++wanted) {
    const Position found = clean_boundary(journal, wanted);
    ASSERT_GE(found, wanted);
    ASSERT_TRUE(log[static_cast<std::size_t>(wanted) - 1] != '\n' || found == wanted);
    ASSERT_EQ(log[static_cast<std::size_t>(found) - 1], '\n') << wanted;
  }
}

TEST(History, RandomOutputStaysWithinItsLimits) {
  std::mt19937 random(31);
  for (int round = 0; round < 300; ++round) {
    Journal journal = make({}, 64 << 10);
    for (int i = 0; i < 10; ++i) {
      journal.append(test::random_output(random, 300));
      journal.mark(MarkKind::activity, 0, "");
    }
    const std::size_t lines = 1 + random() % 300, bytes = 1 + random() % 70000;
    const std::string text = history(journal, lines, bytes);
    ASSERT_LE(text.size(), bytes);
    ASSERT_TRUE(utf8::valid(text));
  }
}

}  // namespace
}  // namespace ptyd
