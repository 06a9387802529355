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
  EXPECT_EQ(told(*first), "nothing");
  pass(2s);
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

TEST_F(Typed, KeysAtThePromptAreAnsweredByTheNextOne) {
  make_ready();
  const auto key = ask(asked("C-c"));
  EXPECT_EQ(typed_, "\x03");
  EXPECT_EQ(told(*key), "nothing");
  turn({"^C\r\n", prompt(130)});
  EXPECT_EQ(told(*key), "completed 130 []");
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
  is_canonical_ = true;
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
  EXPECT_EQ(typed_, "\x15" + std::string(typed_line(ShellKind::bash)));
}

TEST_F(Typed, AnAnswerThatNobodyHasReadIsGivenUp) {
  make_ready();
  begin(asked("printf '\\033[6n'"));
  turn({ended(0), prompt()});
  runner_->on_answered();
  ask(asked("make"));
  EXPECT_EQ(typed_, "");
  pass(30ms);
  EXPECT_EQ(typed_, "\x15" + std::string(typed_line(ShellKind::bash)));
  turn({begun()});
  turn({ended(0), prompt()});
  typed_.clear();
  ask(asked("make"));
  EXPECT_EQ(typed_, typed_line(ShellKind::bash)) << "it was for one command";
}

}  // namespace
}  // namespace ptyd
