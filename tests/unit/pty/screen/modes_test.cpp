#include "pty/screen/modes.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>

#include "pty/screen/serialize/snapshot.hpp"
#include "pty/text/utf8.hpp"
#include "tests/support/pty/screen/screens.hpp"
#include "tests/support/pty/text/streams.hpp"

namespace ptyd {
namespace {

/// A terminal that somebody comes to late.
struct Terminal {
  std::unique_ptr<test::FedScreen> fed = std::make_unique<test::FedScreen>(Screen::Options{.size = {80, 24}});

  const Screen& screen() const { return fed->screen; }
  const Modes& modes() const { return fed->screen.modes(); }
  std::string preamble(std::string_view replayed = {}) const { return mode_preamble(fed->screen, replayed); }
  const std::string& title() const { return modes().title(); }
  const std::string& cwd() const { return modes().cwd(); }
};

void feed(Terminal& terminal, std::string_view bytes) {
  terminal.fed->feed(bytes);
}

Terminal after(std::string_view bytes) {
  Terminal terminal;
  feed(terminal, bytes);
  return terminal;
}

TEST(Modes, AFreshTerminalNeedsNoPreamble) {
  EXPECT_EQ(Terminal().preamble(), "");
}

TEST(Modes, ThePreambleHasTheReferencesOrderAndThenOurs) {
  const Terminal modes = after(
      "\x1b[?1006h\x1b[?1003h\x1b[?25l\x1b[?7l\x1b[?1004h\x1b[?45h\x1b[?6h\x1b[4h\x1b[?2004h\x1b=\x1b[?1h\x1b[>5u"
      "\x1b[5 q\x1b(0");
  EXPECT_EQ(modes.preamble(),
            "\x1b[?1h\x1b[?66h\x1b[?2004h\x1b[4h\x1b[?6h\x1b[?45h\x1b[?1004h\x1b[?7l\x1b[?25l\x1b[?1003h\x1b[?1006h"
            "\x1b[=5;1u\x1b[5 q\x1b(0");
}

struct Case {
  const char* name;
  const char* bytes;
  const char* preamble;
};

class ModesTable : public ::testing::TestWithParam<Case> {};

TEST_P(ModesTable, PreambleAfter) {
  EXPECT_EQ(after(GetParam().bytes).preamble(), GetParam().preamble);
}

INSTANTIATE_TEST_SUITE_P(
    , ModesTable,
    ::testing::Values(
        Case{"AListSetsAll", "\x1b[?1;1002;2004h", "\x1b[?1h\x1b[?2004h\x1b[?1002h"},
        Case{"SetAndReset", "\x1b[?2004h\x1b[?2004l", ""},
        Case{"OneMouseModeAtATime", "\x1b[?1000h\x1b[?1003h", "\x1b[?1003h"},
        Case{"ResettingAnyMouseModeEndsTheMouse", "\x1b[?1003h\x1b[?1000l", ""},
        Case{"OneMouseEncodingAtATime", "\x1b[?1005h\x1b[?1015h", "\x1b[?1015h"},
        Case{"AlternateScreen", "\x1b[?1049h", "\x1b[?1049h"},
        Case{"AlternateScreenByAnotherNumber", "\x1b[?47h", "\x1b[?1049h"},
        Case{"LeftByAnotherNumber", "\x1b[?47h\x1b[?1049l", ""},
        Case{"SynchronizedOutputIsNotRestored", "\x1b[?2026h", ""},
        Case{"UnknownModesAreNotKept", "\x1b[?31337h\x1b[99h", ""}, Case{"KeypadByEscape", "\x1b=", "\x1b[?66h"},
        Case{"KeypadOff", "\x1b=\x1b>", ""}, Case{"C1CsiCounts", "\xC2\x9B?2004h", "\x1b[?2004h"},
        Case{"ControlsInsideDoNotMatter", "\x1b[?20\n04h", "\x1b[?2004h"},
        Case{"CancelledDoesNotCount", "\x1b[?2004\x18h", ""},
        Case{"KeyboardPushAndPop", "\x1b[>1u\x1b[>3u\x1b[<u", "\x1b[=1;1u"},
        Case{"KeyboardPopAll", "\x1b[>1u\x1b[>3u\x1b[<9u", ""}, Case{"KeyboardSet", "\x1b[=5u", "\x1b[=5;1u"},
        Case{"KeyboardAdd", "\x1b[=1u\x1b[=4;2u", "\x1b[=5;1u"},
        Case{"KeyboardRemove", "\x1b[=5u\x1b[=4;3u", "\x1b[=1;1u"},
        Case{"EachScreenHasItsKeyboard", "\x1b[>1u\x1b[?1049h\x1b[>7u", "\x1b[=1;1u\x1b[?1049h\x1b[=7;1u"},
        Case{"TheOtherKeyboardComesBack", "\x1b[>1u\x1b[?1049h\x1b[>7u\x1b[?1049l", "\x1b[=1;1u"},
        Case{"RisResetsEverything",
             "\x1b[?1;66;2004;1003;1006;1049h\x1b[4h\x1b[>5u\x1b[5 q\x1b(0\x0e\x1b[>4;2m\x1b"
             "c",
             ""},
        Case{"AControlInsideRisDoesNotMatter", "\x1b[?2004h\x1b[>4;2m\x1b\n\x63", ""},
        Case{"AControlInsideKeypadDoesNotMatter", "\x1b\x7f=", "\x1b[?66h"},
        Case{"AnIntermediateMakesItNoRis", "\x1b[?2004h\x1b(\x63", "\x1b[?2004h"},
        Case{"DecstrResetsWhatItShould", "\x1b[?1;6;25;2004h\x1b[4h\x1b=\x1b[?7l\x1b(0\x1b[!p", ""},
        Case{"DecstrLeavesMouseAndScreen", "\x1b[?1000;1049h\x1b[!p", "\x1b[?1000h\x1b[?1049h"},
        Case{"LineDrawingInG1", "\x1b)0\x0e", "\x1b)0\x0e"}, Case{"BackToAscii", "\x1b(0\x1b(B", ""},
        Case{"ModifyOtherKeys", "\x1b[>4;2m", "\x1b[>4;2m"},
        Case{"ModifyOtherKeysWithAControlInside", "\x1b[\n>4;2m", "\x1b[>4;2m"},
        Case{"ModifyOtherKeysOff", "\x1b[>4;2m\x1b[>4m", ""}),
    [](const auto& row) { return row.param.name; });

TEST(Modes, TheAlternateScreenIsLeftToATextThatSwitchesItself) {
  const Terminal modes = after("\x1b[?1049h");
  EXPECT_EQ(modes.preamble("plain text"), "\x1b[?1049h");
  EXPECT_EQ(modes.preamble("shell\x1b[?1049hvim"), "");
  EXPECT_EQ(modes.preamble("vim\x1b[?1049lshell\x1b[?25;47hvim"), "");
}

TEST(Modes, TheKeyboardStackIsBounded) {
  std::string pushes;
  for (std::size_t i = 0; i <= Modes::kMaxKeyboardStack; ++i) pushes += "\x1b[>" + std::to_string(1 + i) + "u";
  Terminal modes = after(pushes);
  feed(modes, "\x1b[<" + std::to_string(Modes::kMaxKeyboardStack - 1) + "u");
  EXPECT_EQ(modes.modes().keyboard_flags(Buffer::primary), 2) << "the oldest was forgotten";
  feed(modes, "\x1b[<u");
  EXPECT_EQ(modes.modes().keyboard_flags(Buffer::primary), 0);
}

TEST(Modes, ReportsWhatItKnows) {
  const Terminal modes = after("\x1b[?2026h\x1b[4h");
  EXPECT_EQ(modes.modes().is_set(2026, false), true);
  EXPECT_EQ(modes.modes().is_set(2004, false), false);
  EXPECT_EQ(modes.modes().is_set(4, false), std::nullopt);
  EXPECT_EQ(modes.modes().is_set(4, true), std::nullopt) << "it decides how text is drawn: others keep it";
  EXPECT_EQ(modes.screen().mode(4, true), true);
}

TEST(Modes, TitlesLoseControlsAndWhatIsTooLong) {
  EXPECT_EQ(after("\x1b]0;a title\a").title(), "a title");
  EXPECT_EQ(after("\x1b]2;ünï\x1b\\").title(), "ünï");
  EXPECT_EQ(after("\x1b]1;icon\a").title(), "");
  EXPECT_EQ(after("\x1b]0;a\n\tb\x7f\a").title(), "ab");
  EXPECT_EQ(after("\x1b]0;bad \xFF\a").title(), "bad \xEF\xBF\xBD");
  EXPECT_EQ(after("\x1b]0;one\a\x1b]0;\a").title(), "");
  std::string wide, more;
  for (std::size_t i = 0; i < Modes::kMaxTitle; ++i) wide += "你";
  EXPECT_EQ(after("\x1b]0;" + wide + "\a").title(), wide);
  EXPECT_EQ(after("\x1b]0;" + wide + "x\a").title(), wide);
  EXPECT_EQ(after("\x1b]0;broken off\x18").title(), "");
  EXPECT_EQ(after("\x1b]0;ended by the next\x1b[m").title(), "ended by the next");
}

TEST(Modes, TitlesAreKeptAndComeBack) {
  const std::string both = "\x1b]1;icon\a\x1b]2;window\a", other = "\x1b]0;other\a";
  const auto titles = [&](const char* keep, const char* restore) {
    const Terminal modes = after(both + keep + other + restore);
    return modes.modes().titles().icon + "," + modes.modes().titles().window;
  };
  EXPECT_EQ(titles("\x1b[22t", "\x1b[23t"), "icon,window");
  EXPECT_EQ(titles("\x1b[22;0t", "\x1b[23;1t"), "icon,other");
  EXPECT_EQ(titles("\x1b[22;0;0t", "\x1b[23;2;0t"), "other,window");
  EXPECT_EQ(titles("\x1b[22;1t", "\x1b[23;0t"), "icon,other");
  EXPECT_EQ(titles("\x1b[22;2t", "\x1b[23;0t"), "other,window");
  EXPECT_EQ(titles("\x1b[22;3t", "\x1b[23;0t"), "other,other");
  EXPECT_EQ(titles("", "\x1b[23t"), "other,other");
}

TEST(Modes, ATitleComesBackWithoutTheOthers) {
  const auto titles = [](const char* steps) {
    const Terminal modes = after(steps);
    return modes.modes().titles().icon + "," + modes.modes().titles().window;
  };
  EXPECT_EQ(titles("\x1b]0;a\a\x1b[22t\x1b]0;b\a\x1b[23;1t\x1b[23;2t"), "a,a") << "kept at once, brought back apart";
  EXPECT_EQ(titles("\x1b]0;a\a\x1b[22;1t\x1b]0;b\a\x1b[22;2t\x1b]0;c\a\x1b[23t"), "a,b");
  EXPECT_EQ(titles("\x1b]0;a\a\x1b[22t\x1b]0;b\a\x1b[22;1t\x1b]0;c\a\x1b[23;2t\x1b[23;2t"), "c,a");
}

TEST(Modes, KeptTitlesAreBounded) {
  std::string pushes, pops;
  for (std::size_t i = 0; i <= Modes::kMaxKeptTitles; ++i) pushes += "\x1b]2;t" + std::to_string(i) + "\a\x1b[22t";
  for (std::size_t i = 0; i <= Modes::kMaxKeptTitles; ++i) pops += "\x1b[23t";
  EXPECT_EQ(after(pushes).modes().kept_titles().window.size(), Modes::kMaxKeptTitles);
  EXPECT_EQ(after(pushes).modes().kept_titles().icon.size(), Modes::kMaxKeptTitles);
  EXPECT_EQ(after(pushes + pops).title(), "t1") << "the oldest was forgotten";
}

TEST(Modes, TheFolderIsBelievedWhenItIsOne) {
  EXPECT_EQ(after("\x1b]7;file://host/home/a%20b\a").cwd(), "/home/a b");
  EXPECT_EQ(after("\x1b]7;file:///tmp\x1b\\").cwd(), "/tmp");
  for (const char* url : {"http://host/x", "file://host", "file:///a%0Ab", "file:///a%2", "file:///%FF", "/tmp", ""}) {
    EXPECT_EQ(after(std::string("\x1b]7;") + url + "\a").cwd(), "") << url;
  }
  EXPECT_EQ(after("\x1b]7;file:///tmp\a\x1b]7;\a").cwd(), "") << "it is taken back";
  EXPECT_EQ(after("\x1b]7;file:///" + std::string(Modes::kMaxCwd - 1, 'a') + "\a").cwd().size(), Modes::kMaxCwd);
  EXPECT_EQ(after("\x1b]7;file:///" + std::string(Modes::kMaxCwd, 'a') + "\a").cwd(), "");
}

TEST(Modes, ThePreambleRecreatesTheModesAndStaysShort) {
  std::mt19937 random(12);
  const int numbers[] = {1,    66,   2004, 6,    45,   1004, 7,    25,   9, 1000, 1002,
                         1003, 1005, 1006, 1015, 1016, 47,   1047, 1049, 5, 20};
  for (int round = 0; round < 2000; ++round) {
    Terminal modes;
    for (int i = 0; i < 20; ++i) {
      const int number = numbers[random() % std::size(numbers)];
      feed(modes, "\x1b[?" + std::to_string(number) + (random() % 2 == 0 ? "h" : "l"));
      if (random() % 5 == 0) feed(modes, "\x1b[>" + std::to_string(random() % 32) + "u");
      if (random() % 9 == 0) feed(modes, "\x1b[" + std::to_string(random() % 7) + " q");
    }
    const std::string preamble = modes.preamble();
    ASSERT_LE(preamble.size(), 4096U);
    ASSERT_EQ(after(preamble).preamble(), preamble);
  }
}

TEST(Modes, RandomOutputDoesNoHarm) {
  std::mt19937 random(13);
  for (int round = 0; round < 300; ++round) {
    const Terminal modes = after(test::random_output(random, 200));
    ASSERT_LE(modes.preamble().size(), 4096U);
    ASSERT_TRUE(utf8::valid(modes.title()));
  }
}

}  // namespace
}  // namespace ptyd
