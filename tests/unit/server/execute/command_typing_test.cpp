// Typing besides commands: into what runs, as keys, and by people.
#include <utility>

#include "tests/support/server/execute/runner_bench.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using Typed = RunnerBench;

TEST_F(Typed, TypesIntoWhatRuns) {
  make_ready();
  begin(within(0ms, asked("python3")));
  pass(0ms);
  const auto first = ask(input("1+1"));
  EXPECT_EQ(std::exchange(typed_, ""), "1+1\r");
  turn({"1+1\r\n2\r\n>>> "});
  pass(249ms);
  EXPECT_EQ(told(*first), "nothing");
  pass(1ms);
  EXPECT_EQ(told(*first), "running [1+1\n2\n>>>]");
  auto half = input("exi");
  half.no_enter = true;
  ask(half);
  EXPECT_EQ(std::exchange(typed_, ""), "exi");
  const auto last = ask(input("t()"));
  turn({"t()\r\n", ended(0)});
  EXPECT_EQ(told(*last).substr(0, 12), "completed 0 ");
}

TEST_F(Typed, InputForACommandThatHasNotBegunIsTypedWhenItBegins) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  ask(within(0ms, asked("python3")));
  ask(input("before its line"));
  EXPECT_EQ(typed_, "");
  turn({prompt()});
  EXPECT_EQ(std::exchange(typed_, ""), typed_line(ShellKind::bash));
  ask(input("behind it"));
  EXPECT_EQ(typed_, "");
  turn({begun()});
  EXPECT_EQ(std::exchange(typed_, ""), "before its line\rbehind it\r");
  turn({ended(0)});
  EXPECT_EQ(typed_, "");
}

TEST_F(Typed, InputThatIsKeptForACommandHasABound) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  ask(within(0ms, asked("python3")));
  auto most = input(std::string(CommandRunner::kMaxKept, 'x'));
  most.no_enter = true;
  EXPECT_EQ(told(*ask(most)), "nothing");
  EXPECT_EQ(told(*ask(input("y"))).substr(0, 6), "limit:");
  turn({prompt()});
  typed_.clear();
  turn({begun()});
  EXPECT_EQ(typed_, most.command);
}

TEST_F(Typed, WhatIsTypedIsAnsweredOnceItIsQuiet) {
  make_ready();
  begin(within(0ms, asked("python3")));
  pass(0ms);
  const auto answered = ask(input("slow()"));
  pass(500ms);
  EXPECT_EQ(told(*answered), "nothing") << "nothing was printed";
  for (int i = 0; i < 5; ++i) {
    turn({"."});
    pass(200ms);
  }
  EXPECT_EQ(told(*answered), "nothing");
  pass(50ms);
  EXPECT_EQ(told(*answered), "running [.....]");
  EXPECT_EQ(told(*ask(asked(""))), "nothing") << "an empty command waits for the end";
}

TEST_F(Typed, WhatIsNeverQuietIsAnsweredWhenTheTimeIsUp) {
  make_ready();
  begin(within(0ms, asked("yes")));
  pass(0ms);
  const auto key = ask(asked("Enter")), timed = ask(within(1s, asked("Space")));
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(told(*timed), "nothing");
    turn({"y"});
    pass(100ms);
  }
  EXPECT_EQ(told(*timed), "running [yyyyyyyyyy]");
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(told(*key), "nothing");
    turn({"y"});
    pass(100ms);
  }
  EXPECT_EQ(told(*key), "running [yyyyyyyyyy]");
}

TEST_F(Typed, WhatIsSilentIsAnsweredWhenTheTimeIsUp) {
  make_ready();
  begin(within(0ms, asked("sudo true")));
  pass(0ms);
  const auto answered = ask(input("secret"));
  pass(1999ms);
  EXPECT_EQ(told(*answered), "nothing");
  pass(1ms);
  EXPECT_EQ(told(*answered), "running []");
}

TEST_F(Typed, InputThatWasKeptIsAnsweredOnceItIsQuietBehindIt) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  ask(within(0ms, asked("python3")));
  const auto answered = ask(input("1"));
  turn({"the prompt's own", prompt()});
  pass(300ms);
  EXPECT_EQ(told(*answered), "nothing");
  turn({begun()});
  turn({"1\r\n"});
  pass(250ms);
  EXPECT_EQ(told(*answered), "running [1]");
}

TEST_F(Typed, AKeyIsTypedAsTheProgramWantsIt) {
  make_ready();
  begin(within(0ms, asked("vim")));
  ask(asked("Up"));
  show("\x1b[?1h");
  ask(asked("up"));
  EXPECT_EQ(std::exchange(typed_, ""), "\x1b[A\x1bOA");
  ask(input("up"));
  EXPECT_EQ(std::exchange(typed_, ""), "up\r") << "debuggers have such a command";
  ask(input("M-x"));
  EXPECT_EQ(std::exchange(typed_, ""), "\x1bx");
  auto literal = input("C-c");
  literal.literal = true;
  ask(literal);
  EXPECT_EQ(std::exchange(typed_, ""), "C-c\r");
}

TEST_F(Typed, TheNameOfAKeyIsACommandWhereThatIsMeant) {
  make_ready();
  for (const auto* text : {"S-foo", "^old^new", "C-hello"}) {
    begin(asked(text));
    EXPECT_EQ(command_file().substr(kTokenDigits + 1), text);
    turn({ended(0), prompt()});
  }
  auto literal = asked("dc");
  literal.literal = true;
  begin(literal);
  EXPECT_EQ(command_file().substr(kTokenDigits + 1), "dc");
}

TEST_F(Typed, LinesArePastedWhereTheProgramWantsThat) {
  make_ready();
  show("\x1b[?2004h");
  ask(within(0ms, asked("python3")));
  ask(input("before\nit"));
  typed_.clear();
  turn({begun()});
  EXPECT_EQ(std::exchange(typed_, ""), "before\rit\r") << "it was the prompt that wanted it";
  ask(input("if 1:\n  2\n"));
  EXPECT_EQ(std::exchange(typed_, ""), "\x1b[200~if 1:\r  2\r\x1b[201~\r");
  ask(input("1"));
  EXPECT_EQ(std::exchange(typed_, ""), "1\r");
}

TEST_F(Typed, AnAnswerSaysWhatReadsTheKeyboard) {
  make_ready();
  begin(within(1s, asked("ssh host")));
  foreground_ = Foreground{"ssh\xff", "/"};
  struct Row {
    LineMode mode;
    InputMode told;
  };
  for (const auto& row : {Row{{true, true}, InputMode::line}, Row{{true, false}, InputMode::password},
                          Row{{false, false}, InputMode::raw}, Row{{false, true}, InputMode::raw}}) {
    line_mode_ = row.mode;
    const auto poll = ask(within(0ms, asked("")));
    EXPECT_EQ((**poll)->input_mode, row.told);
    EXPECT_EQ((**poll)->foreground, "ssh\uFFFD");
    EXPECT_FALSE((**poll)->alt_screen);
    EXPECT_FALSE((**poll)->screen);
  }
  const auto last = ask(asked(""));
  turn({ended(0), prompt()});
  EXPECT_FALSE((**last)->input_mode);
  EXPECT_FALSE((**last)->foreground);
}

TEST_F(Typed, AnAnswerShowsTheScreenOfAFullScreenProgram) {
  make_ready();
  begin(within(0ms, asked("vim")));
  show("above\x1b[?1049h\x1b[H\x1b[2J~  one \r\n\r\n\xe6\x96\x87\x1b[2;5H\x1b[?25l");
  turn({"\x1b[?1049h~"});
  const auto poll = ask(within(0ms, asked("")));
  ASSERT_TRUE((**poll)->alt_screen && (**poll)->screen);
  const auto& shown = *(**poll)->screen;
  ASSERT_EQ(shown.rows.size(), 24u);
  EXPECT_EQ(shown.rows[0], "~  one");
  EXPECT_EQ(shown.rows[1], "");
  EXPECT_EQ(shown.rows[2], "\xe6\x96\x87");
  EXPECT_EQ(shown.caret.row, 1);
  EXPECT_EQ(shown.caret.column, 4);
  EXPECT_FALSE(shown.caret.visible);
  EXPECT_EQ((**poll)->content, "");
}

TEST_F(Typed, AKeyAtThePromptThatBringsNoOtherPromptIsAnsweredOnceItIsQuiet) {
  make_ready();
  const auto key = ask(asked("C-r"));
  turn({"(reverse-i-search)`': "});
  pass(250ms);
  EXPECT_EQ(told(*key), "completed 0 []");
  EXPECT_EQ((**key)->input_mode, InputMode::raw);
  const auto refused = ask(asked("make"));
  pass(1s);
  EXPECT_EQ(told(*refused).substr(0, 5), "busy:");
  ask(asked("C-c"));
  typed_.clear();
  turn({"^C\r\n", prompt(130)});
  begin(asked("make"));
}

TEST_F(Typed, InputWithoutACommandIsNotTyped) {
  EXPECT_EQ(told(*ask(input("x"))).substr(0, 12), "not_running:");
  make_ready();
  EXPECT_EQ(told(*ask(input("x"))).substr(0, 12), "not_running:");
  begin(asked("true"));
  turn({ended(0)});
  EXPECT_EQ(told(*ask(input("x"))).substr(0, 12), "not_running:");
  EXPECT_EQ(typed_, "");
}

TEST_F(Typed, NoEnterIsForInput) {
  make_ready();
  auto execute = asked("ls");
  execute.no_enter = true;
  EXPECT_EQ(told(*ask(execute)), "bad_request: noEnter: is only for isInput");
}

TEST_F(Typed, APersonAtThePromptMakesItBusy) {
  make_ready();
  runner_->on_others_typed();
  const auto refused = told(*ask(asked("make")));
  EXPECT_EQ(refused.substr(0, 14), "busy: A person");
  EXPECT_EQ(told(*ask(input("x"))).substr(0, 14), "busy: A person");
  EXPECT_EQ(typed_, "");
  turn({"what a person ran\r\n", prompt(9)});
  EXPECT_EQ(told(*ask(asked(""))), "completed 9 []");
  const auto answered = begin(asked("make"));
  turn({"ours\r\n", ended(0)});
  EXPECT_EQ(told(*answered), "completed 0 [ours]");
}

TEST_F(Typed, WhatWasTypedAheadIsRunFirst) {
  make_ready();
  begin(within(0ms, asked("sleep 1")));
  runner_->on_others_typed();
  turn({ended(0), prompt()});
  pass(0ms);
  const auto answered = ask(asked("make"));
  EXPECT_EQ(typed_, "") << "a line that waits there is run at once";
  line_mode_.canonical = true;
  pass(30ms);
  EXPECT_EQ(told(*answered).substr(0, 14), "busy: A person");
  EXPECT_EQ(typed_, "");
}

TEST_F(Typed, ALineEditorThatTakesItsTimeIsWaitedForBehindInput) {
  make_ready();
  begin(within(0ms, asked("python3")));
  ask(input("exit()"));
  shell_is_in_front_ = line_mode_.canonical = true;
  turn({ended(0), prompt()});
  typed_.clear();
  const auto answered = ask(asked("make"));
  for (int i = 0; i < 10; ++i) pass(30ms);
  EXPECT_EQ(typed_, "");
  line_mode_.canonical = false;
  pass(30ms);
  EXPECT_EQ(typed_, "\a\x15" + std::string(typed_line(ShellKind::bash)));
  turn({begun(), ended(0)});
  EXPECT_EQ(told(*answered), "completed 0 []");
}

TEST_F(Typed, ALineThatTheShellItselfRunsIsGivenWayToAfterASecond) {
  make_ready();
  begin(within(0ms, asked("sleep 1")));
  runner_->on_others_typed();
  shell_is_in_front_ = line_mode_.canonical = true;
  turn({ended(0), prompt()});
  const auto answered = ask(asked("make"));
  for (int i = 0; i < 33; ++i) pass(30ms);
  EXPECT_EQ(told(*answered), "nothing");
  pass(30ms);
  EXPECT_EQ(told(*answered).substr(0, 14), "busy: A person");
  EXPECT_EQ(typed_, "");
}

TEST_F(Typed, HalfALineThatWasTypedAheadIsGivenUp) {
  make_ready();
  begin(within(0ms, asked("sleep 1")));
  runner_->on_others_typed();
  turn({ended(0), prompt()});
  ask(asked("make"));
  pass(30ms);
  EXPECT_EQ(typed_, "\a\x15" + std::string(typed_line(ShellKind::bash)));
}

TEST_F(Typed, AnAnswerThatNobodyHasReadIsGivenUp) {
  make_ready();
  begin(asked("printf '\\033[6n'"));
  turn({ended(0), prompt()});
  runner_->on_answered("\x1b[1;1R");
  ask(asked("make"));
  EXPECT_EQ(typed_, "");
  pass(30ms);
  EXPECT_EQ(typed_, "\a\x15" + std::string(typed_line(ShellKind::bash)));
  turn({begun()});
  turn({ended(0), prompt()});
  typed_.clear();
  ask(asked("make"));
  EXPECT_EQ(typed_, typed_line(ShellKind::bash)) << "it was for one command";
}

}  // namespace
}  // namespace ptyd
