#include "pty/screen/report/queries.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "tests/support/pty/screen/judge.hpp"
#include "tests/support/pty/text/streams.hpp"

namespace ptyd {
namespace {

using test::judge;
using test::Judge;
using test::kTraits;
using Kind = Query::Kind;

struct Case {
  const char* name;
  std::string bytes;
  std::string answer = {};
};

std::string name_of(const ::testing::TestParamInfo<Case>& row) {
  return row.param.name;
}

const std::string kDa1 = "\x1b[?62;22c";

class Answered : public ::testing::TestWithParam<Case> {};

TEST_P(Answered, AtOnceAndCut) {
  const Judge result = judge(GetParam().bytes);
  EXPECT_EQ(result.kinds, std::vector<Kind>(result.kinds.size(), Kind::answered));
  EXPECT_FALSE(result.kinds.empty());
  EXPECT_EQ(result.answers, GetParam().answer);
}

INSTANTIATE_TEST_SUITE_P(
    Attributes, Answered,
    ::testing::Values(
        Case{"Da1", "\x1b[c", kDa1}, Case{"Da1WithZero", "\x1b[0c", kDa1}, Case{"Da1ByC1", "\xC2\x9B\x63", kDa1},
        Case{"Decid", "\x1bZ", kDa1}, Case{"DecidByC1", "\xC2\x9A", kDa1}, Case{"Da2", "\x1b[>c", "\x1b[>0;276;0c"},
        Case{"Da3", "\x1b[=c", "\x1bP!|00000000\x1b\\"}, Case{"Xtversion", "\x1b[>q", "\x1bP>|xterm.js(6.0.0)\x1b\\"},
        Case{"Xtversion0", "\x1b[>0q", "\x1bP>|xterm.js(6.0.0)\x1b\\"},
        Case{"Decreqtparm", "\x1b[x", "\x1b[2;1;1;128;128;1;0x"},
        Case{"Decreqtparm1", "\x1b[1x", "\x1b[3;1;1;128;128;1;0x"}, Case{"DecidWithAControl", "\x1b\nZ", kDa1},
        Case{"OtherKeys", "\x1b[?4m", "\x1b[>4;0m"}, Case{"Graphics", "\x1b[?2;1;0S", "\x1b[?2;3;0S"},
        Case{"NoSuchGraphics", "\x1b[?9;1;0S", "\x1b[?9;1;0S"}, Case{"Locator", "\x1b['|", "\x1b[0&w"},
        Case{"TabStops", "\x1b[2$w", "\x1bP2$u9/17/25/33/41/49/57/65/73\x1b\\"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Status, Answered,
    ::testing::Values(Case{"Dsr5", "\x1b[5n", "\x1b[0n"}, Case{"ControlInside", "\x1b[5\nn", "\x1b[0n"},
                      Case{"ControlAfterEsc", "\x1b\n[5n", "\x1b[0n"}, Case{"Cpr", "\x1b[6n", "\x1b[1;1R"},
                      Case{"Decxcpr", "\x1b[?6n", "\x1b[?1;1R"}, Case{"Printer", "\x1b[?15n", "\x1b[?13n"},
                      Case{"Keys", "\x1b[?25n", "\x1b[?20n"}, Case{"Keyboard", "\x1b[?26n", "\x1b[?27;1;0;0n"},
                      Case{"Locator", "\x1b[?55n", "\x1b[?50n"}, Case{"Macros", "\x1b[?62n", "\x1b[0*{"},
                      Case{"MacroChecksum", "\x1b[?63;123n", "\x1bP123!~0000\x1b\\"},
                      Case{"HugeMacroChecksum", "\x1b[?63;99999999999n", "\x1bP65535!~0000\x1b\\"},
                      Case{"Integrity", "\x1b[?75n", "\x1b[?70n"}, Case{"Sessions", "\x1b[?85n", "\x1b[?83n"},
                      Case{"LightScheme", "\x1b[?996n", "\x1b[?997;2n"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Window, Answered,
    ::testing::Values(Case{"NotAnIcon", "\x1b[11t", "\x1b[1t"}, Case{"Position", "\x1b[13t", "\x1b[3;0;0t"},
                      Case{"Pixels", "\x1b[14t", "\x1b[4;384;640t"},
                      Case{"WindowPixels", "\x1b[14;2t", "\x1b[4;384;640t"},
                      Case{"ScreenPixels", "\x1b[15t", "\x1b[5;384;640t"}, Case{"Cell", "\x1b[16t", "\x1b[6;16;8t"},
                      Case{"Text", "\x1b[18t", "\x1b[8;24;80t"}, Case{"Screen", "\x1b[19t", "\x1b[9;24;80t"},
                      Case{"ItermCell", "\x1b]1337;ReportCellSize\a", "\x1b]1337;ReportCellSize=16.0;8.0\a"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Modes, Answered,
    ::testing::Values(Case{"Reset", "\x1b[?2004$p", "\x1b[?2004;2$y"}, Case{"Set", "\x1b[?25$p", "\x1b[?25;1$y"},
                      Case{"Drawing", "\x1b[?7$p", "\x1b[?7;1$y"}, Case{"Ansi", "\x1b[4$p", "\x1b[4;2$y"},
                      Case{"Alternate", "\x1b[?1049$p", "\x1b[?1049;2$y"},
                      Case{"SideMargins", "\x1b[?69$p", "\x1b[?69;0$y"}, Case{"AlwaysSet", "\x1b[?8$p", "\x1b[?8;3$y"},
                      Case{"AlwaysReset", "\x1b[?67$p", "\x1b[?67;4$y"}, Case{"NeverSet", "\x1b[?60$p", "\x1b[?60;4$y"},
                      Case{"BlockTerminals", "\x1b[19$p", "\x1b[19;4$y"},
                      Case{"Clusters", "\x1b[?2027$p", "\x1b[?2027;3$y"}, Case{"NoEcho", "\x1b[12$p", "\x1b[12;3$y"},
                      Case{"Locked", "\x1b[2$p", "\x1b[2;4$y"}, Case{"Unknown", "\x1b[?4242$p", "\x1b[?4242;0$y"},
                      Case{"Huge", "\x1b[?99999999999$p", "\x1b[?65535;0$y"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Colours, Answered,
    ::testing::Values(Case{"Foreground", "\x1b]10;?\a", "\x1b]10;rgb:1010/2020/3030\a"},
                      Case{"BackgroundWithSt", "\x1b]11;?\x1b\\", "\x1b]11;rgb:ffff/ffff/ffff\x1b\\"},
                      Case{"Caret", "\x1b]12;?\xC2\x9C", "\x1b]12;rgb:0a0a/0b0b/0c0c\xC2\x9C"},
                      Case{"TwoAtOnce", "\x1b]10;?;?\a", "\x1b]10;rgb:1010/2020/3030\a\x1b]11;rgb:ffff/ffff/ffff\a"},
                      Case{"LeadingZeros", "\x1b]0010;?\a", "\x1b]10;rgb:1010/2020/3030\a"},
                      Case{"Highlight", "\x1b]17;?\x1b\\", "\x1b]17;rgb:1010/2020/3030\x1b\\"},
                      Case{"HighlightedText", "\x1b]19;?\a", "\x1b]19;rgb:ffff/ffff/ffff\a"},
                      Case{"Palette", "\x1b]4;1;?\a", "\x1b]4;1;rgb:cdcd/0000/0000\a"},
                      Case{"SeveralOfThePalette", "\x1b]4;16;?;255;?\a",
                           "\x1b]4;16;rgb:0000/0000/0000\a\x1b]4;255;rgb:eeee/eeee/eeee\a"},
                      Case{"Bold", "\x1b]5;0;?\a", "\x1b]5;0;rgb:1010/2020/3030\a"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Settings, Answered,
    ::testing::Values(Case{"Pen", "\x1bP$qm\x1b\\", "\x1bP1$r0m\x1b\\"},
                      Case{"CaretStyle", "\x1bP$q q\x1b\\", "\x1bP1$r0 q\x1b\\"},
                      Case{"Margins", "\x1bP1$qr\x1b\\", "\x1bP1$r1;24r\x1b\\"},
                      Case{"SideMargins", "\x1bP$qs\x1b\\", "\x1bP1$r1;80s\x1b\\"},
                      Case{"Guard", "\x1bP$q\"q\x1b\\", "\x1bP1$r0\"q\x1b\\"},
                      Case{"Level", "\x1bP$q\"p\x1b\\", "\x1bP1$r62;1\"p\x1b\\"},
                      Case{"Lines", "\x1bP$qt\x1b\\", "\x1bP1$r24t\x1b\\"},
                      Case{"Columns", "\x1bP$q$|\x1b\\", "\x1bP1$r80$|\x1b\\"},
                      Case{"ScreenLines", "\x1bP$q*|\x1b\\", "\x1bP1$r24*|\x1b\\"},
                      Case{"Decrqss_CVE_2008_2383", "\x1bP$q\nid\n\x1b\\", "\x1bP0$r\x1b\\"},
                      Case{"Decrqss_CVE_2022_45872", "\x1bP$qm;touch x\x1b\\", "\x1bP0$r\x1b\\"},
                      Case{"Name", "\x1bP+q544e\x1b\\", "\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\"},
                      Case{"TwoCapabilities", "\x1bP+q436F;5463\x1b\\", "\x1bP1+r436F=323536\x1b\\\x1bP1+r5463\x1b\\"},
                      Case{"UnknownCapability", "\x1bP+q414243\x1b\\", "\x1bP0+r\x1b\\"}),
    name_of);

struct Judged {
  const char* name;
  std::string bytes;
};

class Refused : public ::testing::TestWithParam<Judged> {};

TEST_P(Refused, SilentlyAndCut) {
  const Judge result = judge(GetParam().bytes);
  EXPECT_EQ(result.kinds, std::vector<Kind>(result.kinds.size(), Kind::refused));
  EXPECT_FALSE(result.kinds.empty());
  EXPECT_EQ(result.answers + result.copied, "");
}

INSTANTIATE_TEST_SUITE_P(
    , Refused,
    ::testing::Values(
        Judged{"Title_CVE_2003_0063", "\x1b[21t"}, Judged{"IconTitle", "\x1b[20t"},
        Judged{"Font_CVE_2022_45063", "\x1b]50;?\a"}, Judged{"FontIndex", "\x1b]50;#1?\a"},
        Judged{"Folder", "\x1b]7;?\a"}, Judged{"Clipboard", "\x1b]52;c;?\a"},
        Judged{"ClipboardNoSelection", "\x1b]52;;?\x1b\\"}, Judged{"ClipboardNoText", "\x1b]52;c\a"},
        Judged{"ClipboardNoBase64", "\x1b]52;c;a b!\a"}, Judged{"ClipboardUnknownSelection", "\x1b]52;x;YQ==\a"},
        Judged{"PaletteAndSet", "\x1b]4;1;#fff;2;?\a"}, Judged{"PaletteText", "\x1b]4;abc;?\a"},
        Judged{"PaletteTooFar", "\x1b]4;261;?\a"}, Judged{"SpecialTooFar", "\x1b]5;5;?\a"},
        Judged{"KittyKeys", "\x1b[?u"}, Judged{"ChecksumExtension", "\x1b[3#y"},
        Judged{"ColourAndSet", "\x1b]10;#fff;?\a"}, Judged{"BeyondTheColours", "\x1b]19;?;?\a"},
        Judged{"KittyColours", "\x1b]21;foreground=?\a"}, Judged{"Pointer", "\x1b]22;?\a"},
        Judged{"WindowProperty", "\x1b]3;?WM_NAME\a"}, Judged{"ItermVariable", "\x1b]1337;ReportVariable=dXNlcg==\a"},
        Judged{"KittyClipboard", "\x1b]5522;type=read;Lg==\a"}, Judged{"Notification", "\x1b]99;i=x:p=?;\a"},
        Judged{"AllowedOps", "\x1b]60\a"}, Judged{"Xtgetxres", "\x1bP+Q414243\x1b\\"},
        Judged{"KittyGraphics", "\x1b_Gi=1,a=q,s=1;AAAA\x1b\\"}, Judged{"TmuxPassthrough", "\x1bPtmux;\x07[6n\x1b\\"},
        Judged{"Checksum", "\x1b[1;1;1;1;9;9*y"}, Judged{"CaretReport", "\x1b[1$w"}, Judged{"Sgr", "\x1b[1;1;1;1#|"},
        Judged{"Enq", "\x05"}, Judged{"EnqInsideASequence", "\x1b[1\x05m"},
        Judged{"UnknownQuestion", "\x1b]777777;?\a"}, Judged{"UnknownStatus", "\x1b[?4711n"},
        Judged{"UnknownKeys", "\x1b[?1m"}, Judged{"UnknownParameters", "\x1b[7x"},
        Judged{"ControlsHidingANumber", "\x1b]5\x01\x32;c;?\a"},
        Judged{"ALongSequence", "\x1b[" + std::string(2000, '0') + "6n"},
        Judged{"ALongQuestion", "\x1b]10;?;" + std::string(40000, '0') + "\a"}),
    [](const auto& row) { return std::string(row.param.name); });

class NoQuestion : public ::testing::TestWithParam<Judged> {};

TEST_P(NoQuestion, ViewersSeeIt) {
  const Judge result = judge(GetParam().bytes);
  EXPECT_EQ(result.kept, GetParam().bytes);
  EXPECT_EQ(result.answers + result.copied, "");
}

INSTANTIATE_TEST_SUITE_P(
    , NoQuestion,
    ::testing::Values(Judged{"Text", "[6n"}, Judged{"Colour", "\x1b[1;31m"}, Judged{"Move", "\x1b[5;6H"},
                      Judged{"Title", "\x1b]0;really?\a"}, Judged{"TitleThatIsAQuestionMark", "\x1b]2;?\a"},
                      Judged{"Link", "\x1b]8;;http://x/?q=?\a"}, Judged{"Folder", "\x1b]7;file:///a?\a"},
                      Judged{"SetColour", "\x1b]11;#123456\a"}, Judged{"SetPalette", "\x1b]4;1;rgb:00/00/00\a"},
                      Judged{"ResetColours", "\x1b]104\a"}, Judged{"Picture", "\x1b]1337;File=inline=1:AAAA\a"},
                      Judged{"LongPicture", "\x1b]1337;File=inline=1:" + std::string(32 << 10, 'A')},
                      Judged{"Sixel", "\x1bPq#0;2;0;0;0#0~~\x1b\\"}, Judged{"Decscusr", "\x1b[5 q"},
                      Judged{"Decscl", "\x1b[62\"p"}, Judged{"Decstr", "\x1b[!p"}, Judged{"ScrollUp", "\x1b[3S"},
                      Judged{"Restore", "\x1b[u"}, Judged{"PushTitle", "\x1b[22;0t"},
                      Judged{"ResizeWindow", "\x1b[8;24;80t"}, Judged{"KittyPush", "\x1b[>1u"},
                      Judged{"FillArea", "\x1b[88;1;1;2;2$x"}, Judged{"Charset", "\x1b(Z"},
                      Judged{"ModifyOtherKeysReset", "\x1b[>4n"}, Judged{"ReadySgr", "\x1b[?25h"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(Queries, AreAnsweredAsThingsAreAtThatPlace) {
  EXPECT_EQ(judge("\x1b[?2004h\x1b[?2004$p\x1b[?2004l\x1b[?2004$p").answers, "\x1b[?2004;1$y\x1b[?2004;2$y");
  EXPECT_EQ(judge("abc\x1b[6n\r\nx\x1b[6n").answers, "\x1b[1;4R\x1b[2;2R");
  EXPECT_EQ(judge("\x1b[?1049h\x1b[?1049$p\x1b[?1047l\x1b[?1049$p").answers, "\x1b[?1049;1$y\x1b[?1049;2$y");
  EXPECT_EQ(judge("\x1b[1;4;38;2;1;2;3;45m\x1bP$qm\x1b\\").answers, "\x1bP1$r0;1;4;38;2;1;2;3;45m\x1b\\");
  EXPECT_EQ(judge("\x1b[5 q\x1bP$q q\x1b\\\x1b[1\"q\x1bP$q\"q\x1b\\").answers, "\x1bP1$r5 q\x1b\\\x1bP1$r1\"q\x1b\\");
  EXPECT_EQ(judge("\x1b[>4;2m\x1b[?4m").answers, "\x1b[>4;2m");
}

TEST(Queries, SideMarginsAreToldOfWhereTheViewersEmulatorIsKnownToFollowThem) {
  const auto told_to = [](const char* emulator) {
    ViewerTraits traits;
    traits.emulator = emulator;
    return judge("\x1b[?69$p\x1b[?69h\x1b[?69$p", traits).answers;
  };
  constexpr const char *kTrue = "\x1b[?69;2$y\x1b[?69;1$y", *kUnknown = "\x1b[?69;0$y\x1b[?69;0$y";
  for (const char* emulator :
       {"XTerm(390)", "WezTerm 20240203-110809-5046fc22", "ghostty 1.1.0", "contour", "mintty 3.7"}) {
    EXPECT_EQ(told_to(emulator), kTrue) << emulator;
  }
  for (const char* emulator : {"", "xterm.js(6.0.0)", "xterm.js", "XTermish 1", "kitty(0.40)", " XTerm(390)"}) {
    EXPECT_EQ(told_to(emulator), kUnknown) << emulator;
  }
}

TEST(Queries, KittysKeyboardIsToldOfWhereTheViewersEmulatorIsKnownToSendIt) {
  const auto told_to = [](const char* emulator) {
    ViewerTraits traits;
    traits.emulator = emulator;
    return judge("\x1b[?u\x1b[>5u\x1b[?u\x1b[?1049h\x1b[?u\x1b[?1049l\x1b[?u", traits).answers;
  };
  for (const char* emulator : {"kitty(0.40.1)", "foot(1.16.2)", "WezTerm 20240203-110809-5046fc22", "ghostty 1.1.0"}) {
    EXPECT_EQ(told_to(emulator), "\x1b[?0u\x1b[?5u\x1b[?0u\x1b[?5u") << emulator;
  }
  for (const char* emulator : {"", "xterm.js(6.0.0)", "XTerm(390)", "kittyish 1"}) {
    EXPECT_EQ(told_to(emulator), "") << emulator;
  }
}

TEST(Queries, TheCaretIsCountedFromTheMarginsInOriginMode) {
  const std::string margins = "\x1b[5;20r\x1b[?69h\x1b[11;70s";
  EXPECT_EQ(judge(margins + "\x1b[7;13H\x1b[6n").answers, "\x1b[7;13R");
  EXPECT_EQ(judge(margins + "\x1b[?6h\x1b[3;4H\x1b[6n\x1b[?6n").answers, "\x1b[3;4R\x1b[?3;4R");
}

TEST(Queries, WithoutAViewerTheAnswersAreTheDefaults) {
  const Judge result = judge("\x1b[>q\x1b]11;?\a\x1b[16t\x1b[14t", {});
  EXPECT_EQ(result.answers.substr(0, 8), "\x1bP>|ptyd");
  EXPECT_NE(result.answers.find("\x1b]11;rgb:1010/1414/1818\a\x1b[6;17;8t\x1b[4;408;640t"), std::string::npos)
      << result.answers;
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
  const Judge result = judge("\x1b]10;?\x1b[m\x1bP$qm\x1b[m\x1b]52;c;YQ==\x1b[m\x1b]4;1;?\xC2\x9Bm");
  EXPECT_EQ(result.answers + result.copied, "");
  EXPECT_EQ(result.kept, "\x1b[m\x1b[m\x1b[m\xC2\x9Bm") << "xterm.js would have obeyed the others";
}

TEST(Queries, EveryPieceOfALongQuestionIsCutAndOfALongPictureKept) {
  const std::string body(100000, 'A');
  for (const std::string begin : {"\x1b]4;1;?;", "\x1bP$q", "\x1b]52;c;"}) {
    EXPECT_EQ(judge(begin + body + "\x1b\\x").kept, "x") << begin;
  }
  EXPECT_EQ(judge("\x1b[" + std::string(5000, '1') + "nx").kept, "x");
  for (const std::string begin : {"\x1b]1337;File=:", "\x1bPq", "\x1b_Ga=t;"}) {
    EXPECT_EQ(judge(begin + body + "\x1b\\x").kept, begin + body + "\x1b\\x");
  }
}

TEST(Queries, AnswersToOneQuestionAreBounded) {
  std::string all;
  for (int i = 0; i < 256; ++i) all += ";" + std::to_string(i) + ";?";
  EXPECT_EQ(judge("\x1b]4" + all + "\a").kinds, std::vector{Kind::answered});
  EXPECT_LE(judge("\x1b]4" + all + "\x1b\\").answers.size(), Query::kMaxAnswer);
  std::string names = "\x1bP+q536574756c63";
  for (int i = 0; i < 1000; ++i) names += ";536574756c63";
  EXPECT_LE(judge(names + "\x1b\\").answers.size(), Query::kMaxAnswer);
  EXPECT_EQ(judge("\x1b]4" + all + ";0;?\a").kinds, std::vector{Kind::refused});
}

TEST(Queries, TextForAClipboardLeavesTheStream) {
  EXPECT_EQ(judge("\x1b]52;c;aGVsbG8=\a").copied, "c:aGVsbG8=.");
  EXPECT_EQ(judge("a\x1b]52;;aGVsbG8\x1b\\b").copied, "c:aGVsbG8=.") << "without a selection, without padding";
  EXPECT_EQ(judge("a\x1b]52;;aGVsbG8\x1b\\b").kept, "ab");
  EXPECT_EQ(judge("\x1b]52;ps0;\a").copied, "ps0:.");
  EXPECT_EQ(judge("\x1b]52;p;!\a").copied, "p:.");
}

TEST(Queries, TextForAClipboardIsBounded) {
  const std::string longest(Query::kMaxClipboard / 3 * 4, 'A');
  EXPECT_EQ(judge("\x1b]52;c;" + longest + "\a").copied, "c:" + longest + ".");
  EXPECT_EQ(judge("\x1b]52;c;" + longest + "AAAA\a").copied, "");
}

TEST(Queries, AScreenIsReadByChecksumsWhereThatIsAllowed) {
  const auto answer = [](const std::string& bytes) {
    return judge(bytes, kTraits, {.answer_checksums = true}).answers;
  };
  EXPECT_EQ(answer("A\x1b[1;1;1;1;1;1*y"), "\x1bP1!~FFBF\x1b\\");
  EXPECT_EQ(answer("AB\r\nC\x1b[7*y"), "\x1bP7!~FF3A\x1b\\");
  EXPECT_EQ(answer("\x1b[1;4;5;7;8m\x1b[1\"qA\x1b[1;1;1;1;1;1*y"), "\x1bP1!~FEC3\x1b\\");
  EXPECT_EQ(answer("\x1b[2;1;1;1;9;9*y"), "\x1bP2!~0000\x1b\\") << "blanks count nothing";
  EXPECT_EQ(answer("\x1b[1;1;9;9;1;1*y"), "\x1bP1!~0000\x1b\\") << "crossed";
  EXPECT_EQ(answer("e\xCC\x81\x1b[1;1;1;1;99999;99999*y"), "\x1bP1!~FF9B\x1b\\") << "eight bits, no marks";
  EXPECT_EQ(answer("A\x1b[1#y\x1b[1;1;1;1;1;1*y\x1b\x63"
                   "A\x1b[1;1;1;1;1;1*y"),
            "\x1bP1!~0041\x1b\\\x1bP1!~FFBF\x1b\\")
      << "XTCHECKSUM, until RIS";
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
      "\x1bP+q544e;50574E4544\x1b\\",
      "\x1b]50;" + secret + "\a\x1b]50;?\a",
      "\x1b]52;c;" + secret + "\a\x1b]52;c;?\a",
      "\x1b]4;" + secret + ";?\a",
      "\x1b]10;" + secret + ";?\a\x1b]11;?;" + secret + "\a",
      "\x1b]1337;SetUserVar=x=" + secret + "\a\x1b]1337;ReportVariable=" + secret + "\a",
      "\x1b]99;i=" + secret + ":p=?;\a",
      "\x1b[?" + secret + "$p",
      "\x1b[>" + secret + "q\x1b[" + secret + "c\x05",
      "\x1b]8;;http://" + secret + "/\a\x1bP$qm\x1b\\",
      "\x1b(P\x1b[1$w\x1bPtmux;\x1b\x1b]0;" + secret + "\a\x1b\\",
  };
  for (const std::string& bytes : hostile) {
    const Judge result = judge(bytes);
    EXPECT_EQ(result.answers.find(secret), std::string::npos) << ::testing::PrintToString(bytes);
    EXPECT_EQ(result.answers.find("50574E4544"), std::string::npos) << ::testing::PrintToString(bytes);
    EXPECT_EQ(result.answers.find_first_of("\r\n"), std::string::npos) << ::testing::PrintToString(bytes);
  }
}

TEST(Queries, RandomOutputIsAnsweredInAFixedAlphabet) {
  std::mt19937 random(21);
  const std::string letters = "\x1b\x1b\x1b[[]P_?>=;$+qcntpyux0123456789;;:\a\\mR \"'*&#\xC2\x9B\x9C\r\n\x05";
  for (int round = 0; round < 20000; ++round) {
    std::string bytes;
    for (auto left = random() % 60; left > 0; --left) bytes += letters[random() % letters.size()];
    const Judge first = judge(bytes);
    ASSERT_EQ(
        first.answers.find_first_not_of("\x1b\\\xC2\x9C\a[]?>;:/$|!{*&+\"' 0123456789abcdefrgbcnypqsRPSuxwmterm.j()st"),
        std::string::npos)
        << ::testing::PrintToString(bytes) << ::testing::PrintToString(first.answers);
  }
}

/// The names of all agent events in what is printed.
std::vector<std::string> agent_events(std::string_view bytes) {
  struct Listener final : TokenSink {
    void on_token(const Token& token) override {
      if (const auto event = agent_event(token)) heard.emplace_back(*event);
    }
    std::vector<std::string> heard;
  } listener;
  Scanner().scan(bytes, listener);
  return listener.heard;
}

TEST(AgentEvent, IsNamedHoweverItsStringBeginsAndEnds) {
  for (const std::string begin : {"\x1b]", "\xC2\x9D"})
    for (const std::string end : {"\a", "\x1b\\", "\xC2\x9C"})
      EXPECT_EQ(agent_events(begin + "633;T3CODE_AGENT_EVENT=Stop" + end), std::vector<std::string>{"Stop"});
}

TEST(AgentEvent, IsNoOtherSequence) {
  for (const std::string other : {"633;T3CODE_AGENT_EVENT=Stop", "\x1b]633;A\a", "\x1b]633;T3CODE_AGENT_EVENTS=Stop\a",
                                  "\x1b]0;T3CODE_AGENT_EVENT=Stop\a", "\x1bP633;T3CODE_AGENT_EVENT=Stop\x1b\\",
                                  "\x1b]633;T3CODE_AGENT_EVENT=Stop\x18"})
    EXPECT_EQ(agent_events(other), std::vector<std::string>{}) << other;
}

TEST(ClipboardSequence, IsReadBackAsTheSameText) {
  EXPECT_EQ(judge(clipboard_sequence("pc", "aGVsbG8=")).copied, "pc:aGVsbG8=.");
}

}  // namespace
}  // namespace ptyd
