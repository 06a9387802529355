#include "pty/queries.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/pty/streams.hpp"

namespace ptyd {
namespace {

using Kind = Query::Kind;

const ViewerTraits kTraits{0x102030, 0xFFFFFF, 0x0A0B0C, Size{8, 16}, "xterm.js(6.0.0)"};

/// What a session would do with output: keep what is no question, collect answers and what a viewer is asked.
class Judge final : public TokenSink {
 public:
  void on_token(const Token& token) override {
    modes.feed(token);
    const Query query = classify(token, modes, traits);
    EXPECT_TRUE(may_ask(token) || query.kind == Kind::none) << ::testing::PrintToString(std::string(token.bytes));
    kinds.push_back(query.kind);
    answers += query.answer;
    if (query.kind == Kind::none) kept.append(token.bytes);
    if (query.kind == Kind::viewer) asked.append(token.bytes);
  }
  ViewerTraits traits = kTraits;
  Modes modes;
  std::vector<Kind> kinds;
  std::string answers, kept, asked;
};

Judge judge(std::string_view bytes, const ViewerTraits& traits = kTraits) {
  Judge result;
  result.traits = traits;
  Scanner().scan(bytes, result);
  return result;
}

struct Case {
  const char* name;
  std::string bytes;
  Kind kind;
  std::string answer = {};
};

class QueriesTable : public ::testing::TestWithParam<Case> {};

TEST_P(QueriesTable, Judged) {
  const Judge result = judge(GetParam().bytes);
  EXPECT_EQ(result.kinds, std::vector<Kind>(result.kinds.size(), GetParam().kind));
  EXPECT_FALSE(result.kinds.empty());
  EXPECT_EQ(result.answers, GetParam().answer);
}

const std::string kDa1 = "\x1b[?62;22c";

INSTANTIATE_TEST_SUITE_P(
    Answered, QueriesTable,
    ::testing::Values(Case{"Da1", "\x1b[c", Kind::answered, kDa1}, Case{"Da1WithZero", "\x1b[0c", Kind::answered, kDa1},
                      Case{"Da1ByC1",
                           "\xC2\x9B"
                           "c",
                           Kind::answered, kDa1},
                      Case{"Decid", "\x1bZ", Kind::answered, kDa1}, Case{"DecidByC1", "\xC2\x9A", Kind::answered, kDa1},
                      Case{"Da2", "\x1b[>c", Kind::answered, "\x1b[>0;276;0c"},
                      Case{"Dsr5", "\x1b[5n", Kind::answered, "\x1b[0n"},
                      Case{"Dsr5WithAControlInside", "\x1b[5\nn", Kind::answered, "\x1b[0n"},
                      Case{"DsrWithAControlAfterEsc", "\x1b\n[5n", Kind::answered, "\x1b[0n"},
                      Case{"Xtversion", "\x1b[>q", Kind::answered, "\x1bP>|xterm.js(6.0.0)\x1b\\"},
                      Case{"Xtversion0", "\x1b[>0q", Kind::answered, "\x1bP>|xterm.js(6.0.0)\x1b\\"},
                      Case{"Foreground", "\x1b]10;?\a", Kind::answered, "\x1b]10;rgb:1010/2020/3030\a"},
                      Case{"BackgroundWithSt", "\x1b]11;?\x1b\\", Kind::answered, "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"},
                      Case{"CaretColour", "\x1b]12;?\xC2\x9C", Kind::answered, "\x1b]12;rgb:0a0a/0b0b/0c0c\xC2\x9C"},
                      Case{"TwoColoursAtOnce", "\x1b]10;?;?\a", Kind::answered,
                           "\x1b]10;rgb:1010/2020/3030\a\x1b]11;rgb:ffff/ffff/ffff\a"},
                      Case{"LeadingZeros", "\x1b]0010;?\a", Kind::answered, "\x1b]10;rgb:1010/2020/3030\a"},
                      Case{"ModeReset", "\x1b[?2004$p", Kind::answered, "\x1b[?2004;2$y"},
                      Case{"ModeSetAtStart", "\x1b[?25$p", Kind::answered, "\x1b[?25;1$y"},
                      Case{"ModeUnknown", "\x1b[?4242$p", Kind::answered, "\x1b[?4242;0$y"},
                      Case{"AnsiMode", "\x1b[4$p", Kind::answered, "\x1b[4;2$y"},
                      Case{"HugeModeNumber", "\x1b[?99999999999$p", Kind::answered, "\x1b[?65535;0$y"}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    ForAViewer, QueriesTable,
    ::testing::Values(Case{"Cpr", "\x1b[6n", Kind::viewer}, Case{"Decxcpr", "\x1b[?6n", Kind::viewer},
                      Case{"ColourScheme", "\x1b[?996n", Kind::viewer}, Case{"Da3", "\x1b[=c", Kind::viewer},
                      Case{"Palette", "\x1b]4;1;?\a", Kind::viewer},
                      Case{"SeveralOfThePalette", "\x1b]4;1;?;255;?\a", Kind::viewer},
                      Case{"MouseColour", "\x1b]13;?\a", Kind::viewer},
                      Case{"Highlight", "\x1b]17;?\x1b\\", Kind::viewer}, Case{"PixelSize", "\x1b[14t", Kind::viewer},
                      Case{"CellSize", "\x1b[16t", Kind::viewer}, Case{"TextSize", "\x1b[18t", Kind::viewer},
                      Case{"ScreenSize", "\x1b[19t", Kind::viewer}, Case{"Kitty", "\x1b[?u", Kind::viewer},
                      Case{"Xtqmodkeys", "\x1b[?4m", Kind::viewer}, Case{"Graphics", "\x1b[?1;1;0S", Kind::viewer},
                      Case{"Decreqtparm", "\x1b[x", Kind::viewer}, Case{"Decrqss", "\x1bP$qm\x1b\\", Kind::viewer},
                      Case{"DecrqssCaret", "\x1bP$q q\x1b\\", Kind::viewer},
                      Case{"DecrqssWithParameter", "\x1bP1$qr\x1b\\", Kind::viewer},
                      Case{"Xtgettcap", "\x1bP+q544e\x1b\\", Kind::viewer},
                      Case{"XtgettcapList", "\x1bP+q436F;6B75\x1b\\", Kind::viewer},
                      Case{"KittyGraphics", "\x1b_Gi=1,a=q,s=1;AAAA\x1b\\", Kind::viewer},
                      Case{"ItermCell", "\x1b]1337;ReportCellSize\a", Kind::viewer}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Refused, QueriesTable,
    ::testing::Values(
        Case{"Title_CVE_2003_0063", "\x1b[21t", Kind::refused}, Case{"IconTitle", "\x1b[20t", Kind::refused},
        Case{"Decrqss_CVE_2008_2383", "\x1bP$q\nid\n\x1b\\", Kind::refused},
        Case{"Decrqss_CVE_2022_45872", "\x1bP$qm;touch x\x1b\\", Kind::refused},
        Case{"Font_CVE_2022_45063", "\x1b]50;?\a", Kind::refused}, Case{"FontIndex", "\x1b]50;#1?\a", Kind::refused},
        Case{"Clipboard", "\x1b]52;c;?\a", Kind::refused},
        Case{"ClipboardNoSelection", "\x1b]52;;?\x1b\\", Kind::refused},
        Case{"PaletteAndSet", "\x1b]4;1;#fff;2;?\a", Kind::refused},
        Case{"PaletteText", "\x1b]4;abc;?\a", Kind::refused}, Case{"ColourAndSet", "\x1b]10;#fff;?\a", Kind::refused},
        Case{"KittyColours", "\x1b]21;foreground=?\a", Kind::refused}, Case{"Pointer", "\x1b]22;?\a", Kind::refused},
        Case{"WindowProperty", "\x1b]3;?WM_NAME\a", Kind::refused},
        Case{"ItermVariable", "\x1b]1337;ReportVariable=dXNlcg==\a", Kind::refused},
        Case{"KittyClipboard", "\x1b]5522;type=read;Lg==\a", Kind::refused},
        Case{"Notification", "\x1b]99;i=x:p=?;\a", Kind::refused}, Case{"AllowedOps", "\x1b]60\a", Kind::refused},
        Case{"XtgettcapText", "\x1bP+q414243\x1b\\", Kind::refused},
        Case{"Xtgetxres", "\x1bP+Q414243\x1b\\", Kind::refused},
        Case{"TmuxPassthrough", "\x1bPtmux;\x07[6n\x1b\\", Kind::refused},
        Case{"Checksum", "\x1b[1;1;1;1;9;9*y", Kind::refused}, Case{"CaretReport", "\x1b[1$w", Kind::refused},
        Case{"Sgr", "\x1b[1;1;1;1#|", Kind::refused}, Case{"Enq", "\x05", Kind::refused},
        Case{"EnqInsideASequence", "\x1b[1\x05m", Kind::refused},
        Case{"UnknownQuestion", "\x1b]777777;?\a", Kind::refused},
        Case{"ControlsHidingANumber",
             "\x1b]5\x01"
             "2;c;?\a",
             Kind::refused},
        Case{"ALongSequence", "\x1b[" + std::string(2000, '0') + "6n", Kind::refused},
        Case{"ALongQuestion", "\x1b]10;?;" + std::string(40000, '0') + "\a", Kind::refused}),
    [](const auto& row) { return row.param.name; });

INSTANTIATE_TEST_SUITE_P(
    NoQuestion, QueriesTable,
    ::testing::Values(Case{"Text", "[6n", Kind::none}, Case{"Colour", "\x1b[1;31m", Kind::none},
                      Case{"Move", "\x1b[5;6H", Kind::none}, Case{"Title", "\x1b]0;really?\a", Kind::none},
                      Case{"TitleThatIsAQuestionMark", "\x1b]2;?\a", Kind::none},
                      Case{"Link", "\x1b]8;;http://x/?q=?\a", Kind::none},
                      Case{"SetColour", "\x1b]11;#123456\a", Kind::none},
                      Case{"SetPalette", "\x1b]4;1;rgb:00/00/00\a", Kind::none},
                      Case{"ResetColours", "\x1b]104\a", Kind::none}, Case{"Copy", "\x1b]52;c;aGVsbG8=\a", Kind::none},
                      Case{"Picture", "\x1b]1337;File=inline=1:AAAA\a", Kind::none},
                      Case{"LongPicture", "\x1b]1337;File=inline=1:" + std::string(32 << 10, 'A'), Kind::none},
                      Case{"Sixel", "\x1bPq#0;2;0;0;0#0~~\x1b\\", Kind::none}, Case{"Decscusr", "\x1b[5 q", Kind::none},
                      Case{"Decscl", "\x1b[62\"p", Kind::none}, Case{"Decstr", "\x1b[!p", Kind::none},
                      Case{"ScrollUp", "\x1b[3S", Kind::none}, Case{"Restore", "\x1b[u", Kind::none},
                      Case{"PushTitle", "\x1b[22;0t", Kind::none}, Case{"ResizeWindow", "\x1b[8;24;80t", Kind::none},
                      Case{"KittyPush", "\x1b[>1u", Kind::none}, Case{"FillArea", "\x1b[88;1;1;2;2$x", Kind::none},
                      Case{"Charset", "\x1b(Z", Kind::none}, Case{"ModifyOtherKeysReset", "\x1b[>4n", Kind::none},
                      Case{"ReadySgr", "\x1b[?25h", Kind::none}),
    [](const auto& row) { return row.param.name; });

TEST(Queries, ModesAreAnsweredAsTheyAreAtThatPlace) {
  EXPECT_EQ(judge("\x1b[?2004h\x1b[?2004$p\x1b[?2004l\x1b[?2004$p").answers, "\x1b[?2004;1$y\x1b[?2004;2$y");
}

TEST(Queries, WithoutAViewerTheAnswersAreTheDefaults) {
  const Judge result = judge("\x1b[>q\x1b]10;?\a\x1b]11;?\a", {});
  EXPECT_EQ(result.answers.substr(0, 8), "\x1bP>|ptyd");
  EXPECT_NE(result.answers.find("\x1b]11;rgb:1010/1414/1818\a"), std::string::npos) << result.answers;
}

TEST(Queries, AViewersNameIsNotTrustedEither) {
  ViewerTraits traits;
  traits.emulator = "x\x1b\\\rid\r" + std::string(100, 'y');
  const std::string answer = judge("\x1b[>q", traits).answers;
  EXPECT_EQ(answer.find('\r'), std::string::npos);
  EXPECT_EQ(answer.rfind('\x1b'), answer.size() - 2);
  EXPECT_LE(answer.size(), 64U + 6);
}

TEST(Queries, AStringThatANewEscapeEndsIsAskedOfNobody) {
  const Judge result = judge("\x1b]10;?\x1b[m\x1bP$qm\x1b[m\x1b]4;1;?\xC2\x9Bm");
  EXPECT_EQ(result.answers, "");
  EXPECT_EQ(result.asked, "");
  EXPECT_EQ(result.kept, "\x1b[m\x1b[m\xC2\x9Bm") << "xterm.js would have answered the others";
}

TEST(Queries, EveryPieceOfALongQuestionIsCutAndOfALongPictureKept) {
  const std::string body(100000, 'A');
  EXPECT_EQ(judge("\x1b]4;1;?;" + body + "\ax").kept, "x");
  EXPECT_EQ(judge("\x1bP$q" + body + "\x1b\\x").kept, "x");
  EXPECT_EQ(judge("\x1b[" + std::string(5000, '1') + "nx").kept, "x");
  for (const std::string begin : {"\x1b]1337;File=:", "\x1bPq", "\x1b_Ga=t;", "\x1b]52;c;"}) {
    EXPECT_EQ(judge(begin + body + "\x1b\\x").kept, begin + body + "\x1b\\x");
  }
}

/// Security checklist, line 29: hostile output brings back only fixed bytes and digits.
TEST(Queries, Line29NothingThatAProgramPrintsChoosesWhatComesBack) {
  const std::string secret = "PWNED";
  const std::string hostile[] = {
      "\x1b]0;" + secret + "\r\a\x1b[21t",
      "\x1b]2;" + secret + "\x1b\\\x1b[20t\x1b[21t",
      "\x1b]l" + secret + "\x1b\\",
      "\x1bP$q" + secret + "\r\x1b\\",
      "\x1bP$q\"" + secret + "\n\x1b\\",
      "\x1bP+q" + secret + "\x1b\\",
      "\x1b]50;" + secret + "\a\x1b]50;?\a",
      "\x1b]52;c;" + secret + "\a\x1b]52;c;?\a",
      "\x1b]4;" + secret + ";?\a",
      "\x1b]10;" + secret + ";?\a\x1b]11;?;" + secret + "\a",
      "\x1b]1337;SetUserVar=x=" + secret + "\a\x1b]1337;ReportVariable=" + secret + "\a",
      "\x1b]99;i=" + secret + ":p=?;\a",
      "\x1b[?" + secret + "$p",
      "\x1b[>" + secret + "q\x1b[" + secret + "c\x05",
      "\x1bPtmux;\x1b\x1b]0;" + secret + "\a\x1b\\",
  };
  for (const std::string& bytes : hostile) {
    const Judge result = judge(bytes);
    EXPECT_EQ(result.answers.find(secret), std::string::npos) << ::testing::PrintToString(bytes);
    EXPECT_EQ(result.asked.find(secret), std::string::npos) << ::testing::PrintToString(bytes);
    EXPECT_EQ(result.answers.find_first_of("\r\n"), std::string::npos) << ::testing::PrintToString(bytes);
  }
}

TEST(Queries, RandomOutputIsAnsweredInAFixedAlphabet) {
  std::mt19937 random(21);
  const std::string letters = "\x1b\x1b\x1b[[]P_?>=$+qcntpyux0123456789;;:\a\\mR \"'*&#\xC2\x9B\x9C\r\n\x05";
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    for (auto left = random() % 60; left > 0; --left) bytes += letters[random() % letters.size()];
    const Judge first = judge(bytes);
    ASSERT_EQ(first.answers.find_first_not_of("\x1b\\\xC2\x9C\a[]?>;:/$|0123456789abcdefrgbcnyPRxterm.j()s"),
              std::string::npos)
        << ::testing::PrintToString(bytes) << ::testing::PrintToString(first.answers);
  }
}

}  // namespace
}  // namespace ptyd
