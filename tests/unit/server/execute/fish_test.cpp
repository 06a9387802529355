// Differences of fish: it tells the end of an `exit` as well, and nothing of a Ctrl-C at an empty prompt.
#include <utility>

#include "tests/support/server/execute/runner_bench.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class Fish : public RunnerBench {
 protected:
  Fish() : RunnerBench(ShellKind::fish) {
    line_mode_.canonical = false;
    shell_is_in_front_ = true;
    make_ready();
  }
};

TEST_F(Fish, AnEndIsAnsweredOnceThePromptIsTold) {
  const auto answered = begin(asked("false"));
  turn({"one\r\n", ended(1)});
  EXPECT_EQ(told(*answered), "nothing");
  turn({"two\r\n", prompt(1)});
  EXPECT_EQ(told(*answered), "completed 1 [one]");
}

TEST_F(Fish, OrOnceTheShellIsGone) {
  const auto answered = begin(asked("exit 3"));
  turn({"last\r\n", ended(3)});
  runner_->on_ended({3, {}});
  EXPECT_EQ(told(*answered), "completed 3 closed [last]");
}

TEST_F(Fish, OrOnceTheTimeIsUp) {
  const auto answered = begin(within(5s, asked("true")));
  turn({"one\r\n", ended(0)});
  pass(5s);
  EXPECT_EQ(told(*answered), "completed 0 [one]");
}

TEST_F(Fish, ALineThatWasGivenUpIsNoneOnceItIsQuiet) {
  ask(asked("C-l"));
  const auto key = ask(asked("C-c"));
  pass(299ms);
  typed_.clear();
  const auto answered = ask(asked("make"));
  EXPECT_EQ(typed_, "");
  pass(30ms);
  EXPECT_EQ(typed_, typed_line(ShellKind::fish));
  turn({begun()});
  EXPECT_EQ(told(*key), "nothing");
  turn({ended(0), prompt()});
  EXPECT_EQ(told(*answered), "completed 0 []");
}

TEST_F(Fish, EnterOnALineThatWasGivenUpBringsAnother) {
  ask(asked("C-c"));
  ask(asked("Enter"));
  pass(299ms);
  typed_.clear();
  ask(asked("make"));
  EXPECT_EQ(typed_, "");
  pass(30ms);
  EXPECT_EQ(typed_, typed_line(ShellKind::fish));
}

TEST_F(Fish, WhatIsTypedBehindTheCtrlCIsAnotherLine) {
  ask(asked("C-c"));
  runner_->on_others_typed();
  pass(300ms);
  EXPECT_EQ(told(*ask(asked("make"))).substr(0, 5), "busy:");
}

TEST_F(Fish, NothingIsTypedIntoWhatAPersonRuns) {
  runner_->on_others_typed();
  ask(asked("C-c"));
  shell_is_in_front_ = false;
  pass(300ms);
  EXPECT_EQ(told(*ask(asked("make"))).substr(0, 5), "busy:");
}

class NoFish : public RunnerBench {};

TEST_F(NoFish, ElsewhereThePromptTellsThatALineWasGivenUp) {
  line_mode_.canonical = false;
  shell_is_in_front_ = true;
  make_ready();
  ask(asked("C-c"));
  pass(300ms);
  const auto answered = ask(asked("make"));
  for (int i = 0; i < 34; ++i) pass(30ms);
  EXPECT_EQ(told(*answered).substr(0, 5), "busy:");
}

}  // namespace
}  // namespace ptyd
