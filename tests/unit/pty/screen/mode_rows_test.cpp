// Every row of the table of modes, on both emulators: switched, told, reset, and recreated for whoever comes later.
#include "pty/screen/mode_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

#include "pty/screen/report/queries.hpp"
#include "pty/screen/reset_text.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "tests/support/pty/screen/screens.hpp"
#include "tests/support/pty/text/literals.hpp"

namespace ptyd {
namespace {

using Home = ModeRow::Home;
using test::FedScreen;

/// DECSTR and RIS on the wire.
constexpr const char *kDecstr = "\x1b[!p", *kRis = "\x1b\x63";

std::string name_of_mode(const ModeRow& row) {
  return (row.ansi ? "Ansi" : "Dec") + std::to_string(row.number);
}

/// Switches on what the mode needs to be obeyed, then the mode.
std::string switched_text(const ModeRow& row, bool on) {
  std::string text;
  for (const ModeRow& other : mode_rows())
    if (row.needs != nullptr && other.flag == row.needs) text += switch_text(other, true);
  return text + switch_text(row, on);
}

/// The answers to the questions in a text, for a viewer who can follow every mode.
class AnswersTo final : public TokenSink {
 public:
  AnswersTo(std::string_view questions, const Screen& screen) : screen_(screen) { Scanner().scan(questions, *this); }
  void on_token(const Token& token) override { text += classify(token, screen_, viewer_).answer; }
  std::string text;

 private:
  const Screen& screen_;
  const ViewerTraits viewer_{{}, {}, {}, {}, "XTerm(390)"};
};

class EveryMode : public ::testing::TestWithParam<std::tuple<std::size_t, EmulatorKind>> {
 protected:
  Screen::Options options() const { return {.size = {12, 6}, .emulator = std::get<1>(GetParam())}; }
  const ModeRow& row() const { return mode_rows()[std::get<0>(GetParam())]; }
  bool is_on(const FedScreen& terminal) const { return terminal.screen.mode(row()); }
  /// As no fresh terminal has it, save where nothing can change it.
  std::string flipped() const { return switched_text(row(), !row().initially); }
  bool flips() const { return row().home != Home::fixed; }
  bool flipped_value() const { return row().initially != flips(); }
};

TEST_P(EveryMode, BeginsAsItsRowSays) {
  const FedScreen terminal(options());
  EXPECT_EQ(terminal.screen.mode(row().number, row().ansi), row().initially);
}

TEST_P(EveryMode, IsSetAndReset) {
  FedScreen terminal(options());
  terminal.feed(switched_text(row(), true));
  EXPECT_EQ(is_on(terminal), flips() || row().initially);
  terminal.feed(switched_text(row(), false));
  const bool stays = row().home == Home::saved_caret;  // resetting it restores the caret, which stays saved
  EXPECT_EQ(is_on(terminal), stays || (!flips() && row().initially));
}

TEST_P(EveryMode, IsOneOfAListOfModes) {
  FedScreen terminal(options());
  const std::string text = flipped();
  // The same with a number before it that no terminal knows.
  const std::size_t number = text.rfind(row().ansi ? '[' : '?') + 1;
  terminal.feed(text.substr(0, number) + "31337;" + text.substr(number));
  EXPECT_EQ(is_on(terminal), flipped_value());
}

TEST_P(EveryMode, IsToldToProgramsThatAsk) {
  FedScreen terminal(options());
  const std::string asked = std::string(row().ansi ? "\x1b[" : "\x1b[?") + std::to_string(row().number);
  const auto answer = [&](bool on) {
    return asked + ";" + std::to_string((row().home == Home::fixed ? 3 : 1) + (on ? 0 : 1)) + "$y";
  };
  const bool always = row().home == Home::saved_caret;  // what was never saved can be restored all the same
  EXPECT_EQ(AnswersTo(asked + "$p", terminal.screen).text, answer(always || row().initially));
  terminal.feed(flipped());
  EXPECT_EQ(AnswersTo(asked + "$p", terminal.screen).text, answer(flipped_value()));
}

/// XTSAVE or XTRESTORE of it.
std::string kept_text(const ModeRow& row, char final) {
  return "\x1b[?" + std::to_string(row.number) + final;
}

TEST_P(EveryMode, IsKeptAndBroughtBackUnlessItIsAnsi) {
  FedScreen terminal(options());
  terminal.feed(flipped() + kept_text(row(), 's') + switch_text(row(), row().initially));
  terminal.feed(kept_text(row(), 'r'));
  const bool is_kept = !row().ansi || row().home == Home::fixed;
  EXPECT_EQ(is_on(terminal), is_kept ? flipped_value() : row().initially);
}

TEST_P(EveryMode, StaysAsItIsWhenWhatWasNeverKeptIsBroughtBack) {
  FedScreen terminal(options());
  terminal.feed(flipped() + kept_text(row(), 'r'));
  EXPECT_EQ(is_on(terminal), flipped_value());
}

TEST_P(EveryMode, IsForgottenByAFullResetWhereItWasKept) {
  FedScreen terminal(options());
  terminal.feed(kept_text(row(), 's') + kRis + flipped() + kept_text(row(), 'r'));
  EXPECT_EQ(is_on(terminal), flipped_value());
}

TEST_P(EveryMode, IsAsAtTheStartAfterAFullReset) {
  FedScreen terminal(options());
  terminal.feed(flipped());
  ASSERT_EQ(is_on(terminal), flipped_value());
  terminal.feed(kRis);
  EXPECT_EQ(is_on(terminal), row().initially);
}

TEST_P(EveryMode, IsPutBackByASoftResetWhenItsRowSaysSo) {
  FedScreen terminal(options());
  terminal.feed(flipped() + kDecstr);
  EXPECT_EQ(is_on(terminal), row().soft ? row().initially : flipped_value());
}

constexpr int kSynchronized = 2026;

TEST_P(EveryMode, IsRecreatedByACheckpoint) {
  FedScreen terminal(options()), rebuilt(options());
  terminal.feed(flipped());
  rebuilt.feed(vt_checkpoint(terminal.screen, SIZE_MAX).value());
  EXPECT_EQ(is_on(rebuilt), flipped_value());
  EXPECT_EQ(test::difference(terminal.screen, rebuilt.screen), "");
}

/// A viewer would wait for the end of an update.
TEST_P(EveryMode, IsBroughtAboutByASnapshotAndARepaintUnlessItStopsViewersFromDrawing) {
  FedScreen terminal(options()), newcomer(options()), behind(options());
  terminal.feed(flipped());
  newcomer.feed(vt_snapshot(terminal.screen, {}));
  behind.feed(vt_repaint(terminal.screen, {}).text);
  const bool expected = row().number == kSynchronized ? row().initially : flipped_value();
  EXPECT_EQ(is_on(newcomer), expected);
  EXPECT_EQ(is_on(behind), expected);
}

/// Modes that a repaint leaves as the viewer has them: whether its caret blinks is its own taste, DECCOLM does no more
/// than erase, and a caret saved at home is like none.
bool is_left_to_viewers(const ModeRow& row) {
  const auto among = [&row](std::initializer_list<int> numbers) {
    return !row.ansi && std::find(numbers.begin(), numbers.end(), row.number) != numbers.end();
  };
  return among({12, 3, 1048}) && row.home != Home::fixed;
}

TEST_P(EveryMode, IsTakenBackByARepaintUnlessItIsLeftToViewers) {
  FedScreen terminal(options()), viewer(options());
  terminal.feed("a line that wraps\r\nand another\x1b[3;4H");
  viewer.feed(flipped());
  ASSERT_EQ(is_on(viewer), flipped_value());
  viewer.feed(vt_repaint(terminal.screen, {}).text);
  EXPECT_EQ(is_on(viewer), is_left_to_viewers(row()) ? flipped_value() : row().initially);
  EXPECT_EQ(test::difference(terminal.screen, viewer.screen, {.scrollback = false, .modes = false}), "")
      << "the mode may not decide how the repaint is drawn";
}

TEST_P(EveryMode, IsToldByAPreambleUnlessItIsSilent) {
  FedScreen terminal(options()), later(options());
  terminal.feed(flipped());
  later.feed(mode_preamble(terminal.screen));
  const bool told = !row().silent || row().home == Home::buffer;
  EXPECT_EQ(is_on(later), told ? flipped_value() : row().initially);
}

TEST_P(EveryMode, IsUndoneForANewShellAndSoIsWhatXtsaveKept) {
  FedScreen terminal(options());
  const FedScreen fresh(options());
  const bool can_be_kept = !row().ansi && row().home != Home::saved_caret;
  const std::string number = std::to_string(row().number);
  terminal.feed(flipped() + (can_be_kept ? "\x1b[?" + number + "s" : ""));
  ASSERT_EQ(is_on(terminal), flipped_value());
  terminal.feed(reset_text(terminal.screen));
  EXPECT_EQ(test::difference(terminal.screen, fresh.screen), "");
  EXPECT_EQ(is_on(terminal), row().initially);
  if (can_be_kept && row().home != Home::buffer) terminal.feed("\x1b[?" + number + "r");
  EXPECT_EQ(is_on(terminal), row().initially) << "what was kept came back";
}

INSTANTIATE_TEST_SUITE_P(Table, EveryMode,
                         ::testing::Combine(::testing::Range(std::size_t{0}, mode_rows().size()),
                                            ::testing::Values(EmulatorKind::native, EmulatorKind::vterm)),
                         [](const ::testing::TestParamInfo<EveryMode::ParamType>& each) {
                           const bool native = std::get<1>(each.param) == EmulatorKind::native;
                           return name_of_mode(mode_rows()[std::get<0>(each.param)]) + (native ? "Native" : "Vterm");
                         });

/// Numbers of the rows that `holds` is true of, those of ANSI modes negative.
template <class Holds>
std::set<int> modes_that(const Holds& holds) {
  std::set<int> numbers;
  for (const ModeRow& row : mode_rows())
    if (holds(row)) numbers.insert(row.ansi ? -row.number : row.number);
  return numbers;
}

TEST(ModeRows, WhatASoftResetPutsBack) {
  EXPECT_EQ(modes_that([](const ModeRow& row) { return row.soft; }),
            (std::set<int>{-4, 1, 6, 7, 25, 45, 66, 69, 1004, 1045, 1048, 2004}));
}

TEST(ModeRows, WhatIsOnInAFreshTerminal) {
  EXPECT_EQ(modes_that([](const ModeRow& row) { return row.initially && row.home != Home::fixed; }),
            (std::set<int>{7, 25}));
}

TEST(ModeRows, EachStandsWhereItsIndexSays) {
  for (std::size_t i = 0; i < mode_rows().size(); ++i) {
    const ModeRow& row = mode_rows()[i];
    EXPECT_EQ(index_of(row), i);
    EXPECT_EQ(mode_row(row.number, row.ansi), &row);
    EXPECT_EQ(row.flag != nullptr, row.home == Home::state) << name_of_mode(row);
  }
  EXPECT_EQ(mode_row(4711, false), nullptr);
  EXPECT_EQ(mode_row(-1, false), nullptr);
}

TEST(ModeRows, TheWidthIsNotSwitchedUnlessThatIsAllowed) {
  for (const EmulatorKind emulator : {EmulatorKind::native, EmulatorKind::vterm}) {
    FedScreen terminal({.size = {12, 6}, .emulator = emulator});
    terminal.feed("text\x1b[?3h");
    EXPECT_EQ(terminal.screen.mode(3, false), false);
    EXPECT_EQ(terminal.screen.state().caret.column, 4) << "nothing else happens either";
    terminal.feed("\x1b[?40;3h");
    EXPECT_EQ(terminal.screen.mode(3, false), true);
    EXPECT_EQ(terminal.screen.state().caret.column, 0);
  }
}

TEST(ModeRows, OfAGroupTheOneThatWasOnIsBroughtBackInWhateverOrder) {
  for (const char* order : {"1000;1002;1003", "1003;1002;1000", "1002;1003;1000"}) {
    FedScreen terminal({.size = {12, 6}});
    const std::string list = std::string("\x1b[?") + order;
    terminal.feed("\x1b[?1002h" + list + "s\x1b[?1003h" + list + "r");
    EXPECT_EQ(terminal.screen.mode(1000, false), false) << order;
    EXPECT_EQ(terminal.screen.mode(1002, false), true) << order;
    EXPECT_EQ(terminal.screen.mode(1003, false), false) << order;
  }
}

TEST(ModeRows, ToKeepTheSavedCaretIsToSaveIt) {
  for (const EmulatorKind emulator : {EmulatorKind::native, EmulatorKind::vterm}) {
    FedScreen terminal({.size = {12, 6}, .emulator = emulator});
    terminal.feed("ab\x1b[?1048s\x1b[4;4H\x1b[?1048r");
    EXPECT_EQ(terminal.screen.state().caret, (Caret{0, 2}));
  }
}

TEST(ModeRows, AnAnsiModeIsNotTheDecModeOfThatNumber) {
  FedScreen terminal({.size = {12, 6}});
  terminal.feed("\x1b[4h\x1b[?20h");
  EXPECT_EQ(terminal.screen.mode(4, true), true);
  EXPECT_EQ(terminal.screen.mode(4, false), false);
  EXPECT_EQ(terminal.screen.mode(20, true), false);
}

TEST(ModeRows, ASnapshotTellsTheModesInTheOrderOfTheTable) {
  FedScreen terminal({.size = {12, 6}});
  terminal.feed("\x1b[?12;2031;1006;1003h\x1b[20h\x1b[?7l\x1b[?1004;45h\x1b[4h\x1b[?2004;1h\x1b[?2026h");
  const std::string snapshot = vt_snapshot(terminal.screen, {});
  const std::string told =
      "\x1b[?7l\x1b[?1h\x1b[?2004h\x1b[4h\x1b[?45h\x1b[?1004h\x1b[?1003h\x1b[?1006h\x1b[20h\x1b[?2031h\x1b[?12h";
  EXPECT_TRUE(snapshot.ends_with(told)) << test::escaped(snapshot);
}

}  // namespace
}  // namespace ptyd
