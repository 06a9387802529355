// Where a shell stands, by what it tells and what is typed.
#include "server/execute/shell_line.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ptyd {
namespace {

using State = ShellLine::State;
using Step = ShellLine::Step;

const std::string kNonce(kNonceDigits, 'a'), kToken(kTokenDigits, '1'), kOther(kTokenDigits, '2');

ShellMarker prompt(int status = 0, std::string nonce = kNonce) {
  return {ShellMarker::Kind::prompt, std::move(nonce), "", status, "/p"};
}
ShellMarker begun(const std::string& token = kToken) {
  return {ShellMarker::Kind::begun, kNonce, token, 0, ""};
}
ShellMarker ended(int status, const std::string& token = kToken) {
  return {ShellMarker::Kind::ended, kNonce, token, status, "/e"};
}

/// `v` the prompt is seen, `p` prompt, `t` our line is typed, `b` begun, `e` ended, `o` others type, `s` silence, `g`
/// gone; a capital letter is a marker with a wrong nonce or token.
Step play(ShellLine& line, char what) {
  switch (what) {
    case 'p':
      return line.on_marker(prompt(3));
    case 'P':
      return line.on_marker(prompt(3, kOther + kOther));
    case 'b':
      return line.on_marker(begun());
    case 'B':
      return line.on_marker(begun(kOther));
    case 'e':
      return line.on_marker(ended(4));
    case 'E':
      return line.on_marker(ended(4, kOther));
    case 't':
      line.on_typed(kToken);
      return Step::nothing;
    case 'o':
      line.on_others_typed();
      return Step::nothing;
    case 'v':
      line.on_prompt_seen();
      return Step::nothing;
    case 's':
      line.on_silence();
      return Step::nothing;
    default:
      return line.on_gone(137);
  }
}

struct Walk {
  std::string_view steps;
  State state;
  Step last;
  int status = 0;
};

TEST(ShellLine, GoesFromStateToState) {
  const Walk rows[] = {
      {"", State::starting, Step::nothing},
      {"p", State::idle, Step::ready, 3},
      {"P", State::starting, Step::nothing},
      {"s", State::foreign, Step::nothing},
      {"sp", State::idle, Step::ready, 3},
      {"ps", State::idle, Step::nothing, 3},
      {"pp", State::idle, Step::ready, 3},
      {"po", State::touched, Step::nothing, 3},
      {"poo", State::touched, Step::nothing, 3},
      {"pop", State::idle, Step::ready, 3},
      {"pt", State::typed, Step::nothing, 3},
      {"pts", State::foreign, Step::nothing, 3},
      {"ptsp", State::idle, Step::ready, 3},
      {"ptB", State::typed, Step::nothing, 3},
      {"pte", State::typed, Step::nothing, 3},
      {"ptp", State::idle, Step::never_begun, 3},
      {"ptb", State::running, Step::begun, 3},
      {"ptbb", State::running, Step::nothing, 3},
      {"ptbE", State::running, Step::nothing, 3},
      {"ptbP", State::running, Step::nothing, 3},
      {"ptbp", State::idle, Step::ended, 3},
      {"ptbe", State::ending, Step::ended, 4},
      {"ptbee", State::ending, Step::nothing, 4},
      {"ptbep", State::idle, Step::ready, 4},
      {"ptbeo", State::ending, Step::nothing, 4},
      {"b", State::starting, Step::nothing},
      {"pb", State::idle, Step::nothing, 3},
      {"pob", State::touched, Step::nothing, 3},
      {"pg", State::gone, Step::nothing, 137},
      {"ptg", State::gone, Step::nothing, 137},
      {"ptbg", State::gone, Step::ended, 137},
      {"ptbeg", State::gone, Step::nothing, 137},
      {"ptbgp", State::gone, Step::nothing, 137},
      // A prompt that is seen before it is told, or never is.
      {"v", State::starting, Step::nothing},
      {"pov", State::idle, Step::nothing, 3},
      {"povtp", State::idle, Step::never_begun, 3},
      {"ptbv", State::idle, Step::nothing, 3},
      {"ptbve", State::idle, Step::nothing, 3},
      {"ptbvtpb", State::running, Step::begun, 3},
      {"ptbev", State::idle, Step::nothing, 4},
      {"ptbevp", State::idle, Step::ready, 3},
      {"ptbevtp", State::typed, Step::nothing, 3},
      {"ptbevtpb", State::running, Step::begun, 3},
      {"ptbevtb", State::running, Step::begun, 4},
      {"ptbevtpp", State::idle, Step::never_begun, 3},
      // Lines typed ahead are run before ours.
      {"ptbopt", State::typed, Step::nothing, 3},
      {"ptboptp", State::typed, Step::nothing, 3},
      {"ptboptpb", State::running, Step::begun, 3},
      {"ptboptpp", State::idle, Step::never_begun, 3},
      {"ptboppt", State::typed, Step::nothing, 3},
      {"ptbopptp", State::idle, Step::never_begun, 3},
  };
  for (const auto& row : rows) {
    ShellLine line(kNonce);
    auto last = Step::nothing;
    for (const char step : row.steps) last = play(line, step);
    EXPECT_EQ(line.state(), row.state) << row.steps;
    EXPECT_EQ(last, row.last) << row.steps;
    EXPECT_EQ(line.status(), row.status) << row.steps;
  }
}

TEST(ShellLine, KnowsTheDirectoryThatWasToldLast) {
  ShellLine line(kNonce);
  EXPECT_EQ(line.cwd(), "");
  for (const char step : std::string_view("ptb")) play(line, step);
  EXPECT_EQ(line.cwd(), "/p");
  play(line, 'e');
  EXPECT_EQ(line.cwd(), "/e");
}

TEST(ShellLine, KnowsWhetherTheLineMayHoldWhatWasTypedAhead) {
  ShellLine line(kNonce);
  for (const char step : std::string_view("ptb")) play(line, step);
  EXPECT_FALSE(line.may_hold_typing());
  play(line, 'o');
  play(line, 'p');
  EXPECT_TRUE(line.may_hold_typing());
  play(line, 'p');
  EXPECT_FALSE(line.may_hold_typing());
}

TEST(ShellLine, EachBellOfAnAnswerMayGiveUpALineAndBringAPromptThatIsNotOurs) {
  ShellLine line(kNonce);
  for (const char step : std::string_view("ptb")) play(line, step);
  line.on_answered("\x1b[3;1R\x1b]10;rgb:0/0/0\a\x1b]11;rgb:0/0/0\a");
  for (const char step : std::string_view("epp")) play(line, step);
  EXPECT_TRUE(line.may_hold_typing()) << "the second one is still to come";
  play(line, 't');
  EXPECT_EQ(play(line, 'p'), ShellLine::Step::nothing);
  EXPECT_EQ(line.state(), ShellLine::State::typed);
  EXPECT_EQ(play(line, 'p'), ShellLine::Step::never_begun);
}

}  // namespace
}  // namespace ptyd
