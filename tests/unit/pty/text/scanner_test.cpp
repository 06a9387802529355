#include "pty/text/scanner.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/pty/text/streams.hpp"

namespace ptyd {
namespace {

using test::Piece;
using test::Reader;
using test::scan_all;
using std::string_literals::operator""s;

constexpr TokenKind kText = TokenKind::text, kControl = TokenKind::control, kEscape = TokenKind::escape,
                    kCsi = TokenKind::csi, kOsc = TokenKind::osc, kDcs = TokenKind::dcs, kString = TokenKind::string;

std::string joined(const std::vector<Piece>& pieces) {
  std::string all;
  for (const Piece& piece : pieces) all += piece.bytes;
  return all;
}

struct Case {
  const char* name;
  std::string bytes;
  std::vector<Piece> pieces;
};

class ScannerTable : public ::testing::TestWithParam<Case> {};

TEST_P(ScannerTable, GivesTheseTokensHoweverTheStreamIsCut) {
  const Case& test = GetParam();
  EXPECT_EQ(scan_all(test.bytes), test.pieces);
  for (std::size_t step = 1; step <= 3; ++step) {
    Reader reader;
    for (std::size_t at = 0; at < test.bytes.size(); at += step) reader.feed(test.bytes.substr(at, step));
    EXPECT_EQ(reader.pieces(), test.pieces) << "in steps of " << step;
  }
}

INSTANTIATE_TEST_SUITE_P(
    , ScannerTable,
    ::testing::Values(
        Case{"PlainLinesAreOneText", "one\ttwo\r\nthree\b\a", {{kText, "one\ttwo\r\nthree\b\a"}}},
        Case{"OtherControlsStandAlone",
             "a\x05"
             "b\x0e\x7f"s,
             {{kText, "a"}, {kControl, "\x05"}, {kText, "b"}, {kControl, "\x0e"}, {kControl, "\x7f"}}},
        Case{"NulIsAControl", "\0"s, {{kControl, "\0"s}}},
        Case{"Colour", "\x1b[1;31mred", {{kCsi, "\x1b[1;31m"}, {kText, "red"}}},
        Case{"CsiWithIntermediates", "\x1b[?2026$p", {{kCsi, "\x1b[?2026$p"}}},
        Case{"ControlInsideCsiIsPartOfIt", "\x1b[3\n1m", {{kCsi, "\x1b[3\n1m"}}},
        Case{"CanEndsCsi", "\x1b[31\x18m", {{kCsi, "\x1b[31\x18", false, true}, {kText, "m"}}},
        Case{"EscInsideCsiBeginsAnew", "\x1b[31\x1b[m", {{kCsi, "\x1b[31", false, true}, {kCsi, "\x1b[m"}}},
        Case{"EscEsc", "\x1b\x1b[m", {{kEscape, "\x1b", false, true}, {kCsi, "\x1b[m"}}},
        Case{"ACharacterInsideCsiIsSwallowedWithIt", "\x1b[3é1m", {{kCsi, "\x1b[3é", false, true}, {kText, "1m"}}},
        Case{"ABadByteInsideCsiIsSwallowedWithIt",
             "\x1b[3\xE4\xBD"
             "1m",
             {{kCsi, "\x1b[3\xE4\xBD", false, true}, {kText, "1m"}}},
        Case{"Charset", "\x1b(0x", {{kEscape, "\x1b(0"}, {kText, "x"}}},
        Case{"SaveAndRestore",
             "\x1b"
             "7\x1b"
             "8",
             {{kEscape,
               "\x1b"
               "7"},
              {kEscape,
               "\x1b"
               "8"}}},
        Case{"TitleEndedByBell", "\x1b]0;t\ax", {{kOsc, "\x1b]0;t\a"}, {kText, "x"}}},
        Case{"TitleEndedBySt", "\x1b]0;tü\x1b\\x", {{kOsc, "\x1b]0;tü\x1b\\"}, {kText, "x"}}},
        Case{"TitleEndedByC1St", "\x1b]0;t\xC2\x9Cx", {{kOsc, "\x1b]0;t\xC2\x9C"}, {kText, "x"}}},
        Case{"LatinInATitleIsNoC1", "\x1b]0;\xC2\xB7\a", {{kOsc, "\x1b]0;\xC2\xB7\a"}}},
        Case{"EscEndsAnOscAndBeginsAnew", "\x1b]0;t\x1b[m", {{kOsc, "\x1b]0;t"}, {kCsi, "\x1b[m"}}},
        Case{"EscInsideAnotherStringCancelsIt", "\x1bPq\x1b[m", {{kDcs, "\x1bPq", false, true}, {kCsi, "\x1b[m"}}},
        Case{"C1InsideAStringCancelsIt",
             "\x1b]0;t\xC2\x9B\x6D",
             {{kOsc, "\x1b]0;t", false, true}, {kCsi, "\xC2\x9B\x6D"}}},
        Case{"CanEndsAString", "\x1b]0;t\x18x", {{kOsc, "\x1b]0;t\x18", false, true}, {kText, "x"}}},
        Case{"BellDoesNotEndDcs", "\x1bPq\a#\x1b\\", {{kDcs, "\x1bPq\a#\x1b\\"}}},
        Case{"ApcPmSos",
             "\x1b_a\x1b\\\x1b^b\x1b\\\x1bXc\x1b\\",
             {{kString, "\x1b_a\x1b\\"}, {kString, "\x1b^b\x1b\\"}, {kString, "\x1bXc\x1b\\"}}},
        Case{"C1Csi",
             "\xC2\x9B"
             "31mx",
             {{kCsi,
               "\xC2\x9B"
               "31m"},
              {kText, "x"}}},
        Case{"C1Osc",
             "\xC2\x9D"
             "0;t\xC2\x9C",
             {{kOsc,
               "\xC2\x9D"
               "0;t\xC2\x9C"}}},
        Case{"C1InsideCsiBeginsAnew",
             "\x1b[3\xC2\x9B"
             "1m",
             {{kCsi, "\x1b[3", false, true},
              {kCsi,
               "\xC2\x9B"
               "1m"}}},
        Case{"OtherC1IsAControl",
             "a\xC2\x85"
             "b",
             {{kText, "a"}, {kControl, "\xC2\x85"}, {kText, "b"}}},
        Case{"LatinIsText", "3 \xC2\xB5m \xC2\xA0", {{kText, "3 \xC2\xB5m \xC2\xA0"}}},
        Case{"RawC1IsInvalidText",
             "\x9b"
             "31m",
             {{kText,
               "\x9b"
               "31m"}}},
        Case{"ACutCharacterBeforeEscIsDecided", "\xE4\xBD\x1b[m", {{kText, "\xE4\xBD"}, {kCsi, "\x1b[m"}}},
        Case{"ACutC1LeadBeforeEscIsDecided", "\xC2\x1b[m", {{kText, "\xC2"}, {kCsi, "\x1b[m"}}},
        Case{"ControlsBetweenEscAndItsLetter", "\x1b\n[m", {{kCsi, "\x1b\n[m"}}}),
    [](const auto& row) { return row.param.name; });

/// Whether each token that is no text is open: `o`, else `.`.
class TellsOpen final : public TokenSink {
 public:
  void on_token(const Token& token) override {
    if (token.kind != kText) told += token.open ? 'o' : '.';
  }
  std::string told;
};

TEST(Scanner, TellsWhichSequencesHaveNoEndOfTheirOwn) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\x1b]0;t\x1b[m", "o."},   {"\x1bPq\x1b[m", "o."},   {"\x1b_a\x1b[m", "o."},  {"\x1b[31\x1b[m", "o."},
      {"\x1b[\x1b[m", "o."},      {"\x1b\x1b[m", "o."},     {"\x1b(\x1b[m", "o."},   {"\x1b]0;t\xC2\x9Bm", "o."},
      {"\x1b[3\xC2\x9Bm", "o."},  {"\xC2\x9B\x1b[m", "o."}, {"\x1b]0;t\ax", "."},    {"\x1b]0;t\x1b\\x", "."},
      {"\x1b]0;t\xC2\x9Cx", "."}, {"\x1b]0;t\x18x", "."},   {"\x1bPq\x1b\\x", "."},  {"\x1b[31\x1ax", "."},
      {"\x1b[3\xC3\xA9x", "."},   {"\x1b(0x", "."},         {"\x05\xC2\x85x", ".."}, {"\x1b[31m\x1b[m", ".."}};
  for (const auto& [bytes, told] : cases) {
    TellsOpen sink;
    Scanner().scan(bytes, sink);
    EXPECT_EQ(sink.told, told) << ::testing::PrintToString(bytes);
  }
}

TEST(Scanner, TellsThatAPieceOfALongSequenceIsOpenUntilItsEnd) {
  TellsOpen sink;
  Scanner scanner;
  scanner.scan("\x1b]2;" + std::string(Scanner::kMaxString - 4, 't'), sink);
  EXPECT_EQ(sink.told, "o");
  scanner.scan("more\x1b\\", sink);
  EXPECT_EQ(sink.told, "o.");
}

TEST(Scanner, WaitsForTheRestOfACharacterOrASequence) {
  for (const std::string tail : {"\xE4\xBD", "\xC2", "\x1b", "\x1b[31", "\x1b]0;title", "\x1b]0;title\x1b", "\x1b("}) {
    Reader reader;
    reader.feed("text" + tail);
    EXPECT_EQ(reader.pieces(), (std::vector<Piece>{{kText, "text"}}));
    EXPECT_EQ(reader.rest(), tail);
    EXPECT_FALSE(reader.scanner().in_ground());
  }
  Reader reader;
  reader.feed("text\x1b[m\xE4\xBD\xA0");
  EXPECT_TRUE(reader.scanner().in_ground());
}

TEST(Scanner, ResetForgetsAnUnfinishedSequence) {
  Scanner scanner;
  Reader sink;
  sink.feed("\x1b]0;" + std::string(Scanner::kMaxString, 'x'));
  EXPECT_FALSE(sink.scanner().in_ground());
  scanner.reset();
  EXPECT_TRUE(scanner.in_ground());
}

std::string osc_of_size(std::size_t size) {
  return "\x1b]52;" + std::string(size - 6, 'A') + "\a";
}

TEST(Scanner, AStringOfTheLargestSizeIsWholeAndOneByteMoreIsOverlong) {
  const auto whole = scan_all(osc_of_size(Scanner::kMaxString));
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_FALSE(whole[0].overlong);
  const auto pieces = scan_all(osc_of_size(Scanner::kMaxString + 1) + "x");
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_TRUE(pieces[0].overlong);
  EXPECT_EQ(pieces[0].bytes.size(), Scanner::kMaxString + 1);
  EXPECT_EQ(pieces[1], (Piece{kText, "x"}));
}

TEST(Scanner, ASequenceOfTheLargestSizeIsWholeAndOneByteMoreIsOverlong) {
  const auto csi_of_size = [](std::size_t size) { return "\x1b[" + std::string(size - 3, '1') + "m"; };
  EXPECT_FALSE(scan_all(csi_of_size(Scanner::kMaxSequence)).at(0).overlong);
  EXPECT_TRUE(scan_all(csi_of_size(Scanner::kMaxSequence + 1)).at(0).overlong);
}

TEST(Scanner, AnOscWithoutATerminatorIsAsLongAsAnyOther) {
  const std::string longest = osc_of_size(Scanner::kMaxString);
  const std::string open = longest.substr(0, longest.size() - 2);
  EXPECT_EQ(scan_all(open + "\x1b[m"), (std::vector<Piece>{{kOsc, open}, {kCsi, "\x1b[m"}}));
  for (const std::size_t more : {std::size_t{2}, Scanner::kMaxString}) {
    const std::string overlong = open + std::string(more, 'A');
    EXPECT_EQ(scan_all(overlong + "\x1b[m"), (std::vector<Piece>{{kOsc, overlong, true}, {kCsi, "\x1b[m"}}));
  }
}

TEST(Scanner, ALetterBehindMoreControlsThanASequenceHoldsBeginsNothingHoweverItIsCut) {
  for (const std::size_t controls : {Scanner::kMaxSequence - 2, Scanner::kMaxSequence - 1}) {
    const std::string stream = "\x1b" + std::string(controls, '\n') + "]0;x\a";
    Reader cut;
    for (const char c : stream) cut.feed({&c, 1});
    EXPECT_EQ(scan_all(stream), cut.pieces());
    EXPECT_EQ(cut.pieces()[0].kind, controls < Scanner::kMaxSequence - 1 ? kOsc : kEscape);
  }
}

TEST(Scanner, EveryPieceOfAnOverlongStringTellsHowItBegan) {
  struct Heads final : TokenSink {
    void on_token(const Token& token) override {
      ++count;
      EXPECT_EQ(token.head.substr(0, 8), "\x1b]1337;F");
      EXPECT_EQ(token.head.size(), Scanner::kHeadBytes);
    }
    int count = 0;
  } heads;
  Scanner scanner;
  const std::string image = "\x1b]1337;File=" + std::string(3 * Scanner::kMaxString, 'A');
  std::size_t done = scanner.scan(std::string_view(image).substr(0, 2 * Scanner::kMaxString), heads);
  done += scanner.scan(std::string_view(image).substr(done), heads);
  EXPECT_EQ(done, image.size());
  EXPECT_GE(heads.count, 2);
}

TEST(Scanner, RandomStreamsGiveTheSameTokensForAnyCuttingAndLoseNoByte) {
  std::mt19937 random(7);
  for (int round = 0; round < 3000; ++round) {
    const std::string stream = test::random_output(random, 1 + random() % 40);
    Reader whole;
    whole.feed(stream);
    ASSERT_EQ(joined(whole.pieces()) + whole.rest(), stream);
    Reader cut;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t size = 1 + random() % (random() % 4 == 0 ? 20000 : 20);
      cut.feed(std::string_view(stream).substr(at, size));
      at += size;
    }
    ASSERT_EQ(cut.rest(), whole.rest());
    ASSERT_EQ(cut.pieces(), whole.pieces()) << ::testing::PrintToString(stream.substr(0, 2000));
    ASSERT_LE(cut.largest_rest(), Scanner::kMaxString);
    ASSERT_EQ(cut.scanner().in_ground(), whole.scanner().in_ground());
  }
}

/// The pieces of what follows a dropped string, each with its head.
struct Heads final : TokenSink {
  void on_token(const Token& token) override { told += "<" + std::string(token.head) + "|" + std::string(token.bytes); }
  std::string told;
};

/// The pieces of a string that was dropped in the middle.
std::string after_drop(const std::string& begun, const std::string& rest) {
  Scanner scanner;
  Heads before, after;
  std::string window = begun;
  window.erase(0, scanner.scan(window, before));
  window.erase(0, scanner.drop_string(window));
  window += rest;
  window.erase(0, scanner.scan(window, after));
  EXPECT_TRUE(window.empty());
  EXPECT_TRUE(scanner.in_ground());
  return after.told;
}

TEST(Scanner, TheRestOfADroppedStringComesWithoutAHead) {
  EXPECT_EQ(after_drop("x\x1b]2;secr", "et\aafter"), "<|et\a<|after");
  EXPECT_EQ(after_drop("\x1bPsecr", "et\x1b\\after"), "<|et\x1b\\<|after");
  EXPECT_EQ(after_drop("\xc2\x9dsecr", "\aafter"), "<|\a<|after");
  EXPECT_EQ(after_drop("\x1b_secret\x1b", "\\after"), "<|\x1b\\<|after") << "half of its end is waited for";
  EXPECT_EQ(after_drop("\x1b]2;" + std::string(Scanner::kMaxString + 9, 's'), "et\aafter"), "<|et\a<|after")
      << "also of one that is overlong already";
}

TEST(Scanner, NothingButAStringIsDropped) {
  EXPECT_EQ(after_drop("\x1b[3", "1mred"), "<|\x1b[31m<|red");
  EXPECT_EQ(after_drop("\x1b(", "0"), "<|\x1b(0");
  EXPECT_EQ(after_drop("\x1b", "]2;t\a"), "<|\x1b]2;t\a");
  EXPECT_EQ(after_drop("\xe4\xbd", "\xa0"), "<|\xe4\xbd\xa0");
  EXPECT_EQ(after_drop("\xc2", "\xa0"), "<|\xc2\xa0");
  EXPECT_EQ(after_drop("text", "more"), "<|more");
}

// security 32
TEST(Scanner, AGibibyteOfUnterminatedStringCostsAFixedNumberOfBytes) {
  struct Counter final : TokenSink {
    void on_token(const Token& token) override { bytes += token.bytes.size(); }
    std::size_t bytes = 0;
  } counter;
  Scanner scanner;
  const std::string chunk(64 << 10, 'A');
  std::string window = "\x1b]0;";
  std::size_t given = window.size();
  for (; given < (std::size_t{1} << 30); given += chunk.size()) {
    window.append(chunk);
    window.erase(0, scanner.scan(window, counter));
    ASSERT_LE(window.size(), Scanner::kMaxString);
  }
  EXPECT_EQ(counter.bytes + window.size(), given);
  window.append("\x1b\\after");
  window.erase(0, scanner.scan(window, counter));
  EXPECT_TRUE(scanner.in_ground()) << "the next end of a string recovers";
  EXPECT_EQ(counter.bytes, given + 7);
}

}  // namespace
}  // namespace ptyd
