// Keys of clients at the prompt, or behind the command that brings it.
#include <utility>

#include "tests/support/server/execute/runner_bench.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class KeysAtPrompt : public RunnerBench {
 protected:
  void expect_refused_after_a_second(const Answered& answered) {
    pass(999ms);
    EXPECT_EQ(told(answered), "nothing");
    for (int i = 0; i < 2; ++i) pass(30ms);
    EXPECT_EQ(told(answered).substr(0, 14), "busy: A person");
    EXPECT_EQ(typed_, "");
  }
};

TEST_F(KeysAtPrompt, KeysAtThePromptAreAnsweredByTheNextOne) {
  make_ready();
  const auto key = ask(asked("C-c"));
  EXPECT_EQ(typed_, "\x03");
  EXPECT_EQ(told(*key), "nothing");
  turn({"^C\r\n", prompt(130)});
  EXPECT_EQ(told(*key), "completed 130 []");
}

TEST_F(KeysAtPrompt, CtrlCBeforeACommandIsTypedGivesItUp) {
  const auto command = ask(asked("make"));
  const auto key = ask(asked("C-c"));
  EXPECT_EQ(told(*command).substr(0, 31), "busy: The command did not begin");
  EXPECT_EQ(told(*key).substr(0, 7), "running");
  make_ready();
  EXPECT_EQ(typed_, "") << "neither the key nor the command";
}

TEST_F(KeysAtPrompt, AKeyBehindACommandIsTypedAtItsPromptAndNotAnsweredByIt) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  const auto key = ask(asked("C-d"));
  EXPECT_EQ(typed_, "");
  turn({prompt()});
  EXPECT_EQ(typed_, "\x04");
  EXPECT_EQ(told(*key), "nothing");
  runner_->on_ended({0, std::nullopt});
  EXPECT_EQ(told(*key), "completed 0 closed []");
}

TEST_F(KeysAtPrompt, CtrlCGivesUpACommandThatWaitsForThePrompt) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  const auto command = ask(asked("make"));
  ask(asked("C-c"));
  EXPECT_EQ(told(*command).substr(0, 31), "busy: The command did not begin");
  turn({prompt()});
  EXPECT_EQ(typed_, "\x03");
}

TEST_F(KeysAtPrompt, AKeyIsTypedOnceTheLineEditorReads) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  ask(asked("C-d"));
  line_mode_.canonical = true;
  turn({prompt(), "$ "});
  pass(900ms);
  EXPECT_EQ(typed_, "") << "it had a line editor before";
  line_mode_.canonical = false;
  pass(30ms);
  EXPECT_EQ(typed_, "\x04");
}

TEST_F(KeysAtPrompt, AShellWithoutLineEditorReadsKeysRightBehindItsPrompt) {
  line_mode_.canonical = true;
  make_ready();
  ask(asked("C-d"));
  EXPECT_EQ(typed_, "");
  pass(30ms);
  EXPECT_EQ(typed_, "\x04");
}

TEST_F(KeysAtPrompt, AKeyBehindACommandThatTellsNoPromptIsTypedAfterASecond) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  ask(asked("C-l"));
  const auto command = ask(asked("echo behind it"));
  pass(999ms);
  EXPECT_EQ(typed_, "");
  pass(1ms);
  EXPECT_EQ(typed_.substr(0, 1), "\x0c");
  EXPECT_NE(typed_.find(typed_line(ShellKind::bash)), std::string::npos) << "the command comes behind the key";
  turn({begun(), ended(0)});
  EXPECT_EQ(told(*command).substr(0, 11), "completed 0");
}

TEST_F(KeysAtPrompt, AKeyThatWaitsForAPromptIsRefusedWhenTheShellEnds) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  const auto key = ask(asked("C-d"));
  EXPECT_TRUE(runner_->is_waited_for());
  runner_->on_ended({0, std::nullopt});
  EXPECT_EQ(told(*key).substr(0, 7), "exited:");
  EXPECT_EQ(typed_, "");
}

TEST_F(KeysAtPrompt, ACommandWaitsASecondForThePromptThatAKeyBrings) {
  make_ready();
  const auto key = ask(asked("Enter"));
  turn({"\r\n"});
  pass(250ms);
  EXPECT_EQ(told(*key), "completed 0 []");
  typed_.clear();
  const auto answered = ask(asked("make"));
  pass(999ms);
  EXPECT_EQ(told(*answered), "nothing");
  EXPECT_EQ(typed_, "");
  EXPECT_EQ(told(*ask(asked("other"))).substr(0, 24), "busy: A command is runni");
  turn({prompt(4), "$ "});
  EXPECT_EQ(std::exchange(typed_, ""), typed_line(ShellKind::bash));
  turn({begun(), ended(0), prompt()});
  EXPECT_EQ(told(*answered), "completed 0 []");
}

TEST_F(KeysAtPrompt, ACommandThatWaitsForAKeysPromptIsRefusedAfterASecond) {
  make_ready();
  ask(asked("Enter"));
  typed_.clear();
  const auto answered = ask(asked("make"));
  expect_refused_after_a_second(*answered);
}

TEST_F(KeysAtPrompt, ACommandBehindAKeyThatWasKeptIsRefusedAfterASecond) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  ask(asked("Enter"));
  const auto answered = ask(asked("make"));
  turn({prompt()});
  EXPECT_EQ(std::exchange(typed_, ""), "\r");
  expect_refused_after_a_second(*answered);
}

TEST_F(KeysAtPrompt, ACommandWaitsASecondForThePromptOfAKeyThatIsTypedBeforeIt) {
  line_mode_.canonical = true;
  make_ready();
  const auto answered = ask(asked("make"));
  ask(asked("Enter"));
  EXPECT_EQ(std::exchange(typed_, ""), "\r");
  pass(999ms);
  EXPECT_EQ(told(*answered), "nothing");
  line_mode_.canonical = false;
  turn({"\r\n", prompt()});
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
}

TEST_F(KeysAtPrompt, MoreKeysDoNotKeepACommandWaiting) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  ask(asked("Enter"));
  const auto answered = ask(asked("make"));
  turn({prompt()});
  for (int i = 0; i < 35; ++i) {
    ask(asked("Up"));
    pass(30ms);
  }
  EXPECT_EQ(told(*answered).substr(0, 14), "busy: A person");
}

TEST_F(KeysAtPrompt, AShellThatWorksOnItsPromptIsWaitedForUpToTenSeconds) {
  make_ready();
  ask(asked("Enter"));
  typed_.clear();
  const auto answered = ask(within(60s, asked("make")));
  for (int i = 0; i < 333; ++i) {
    time_used_ += 1ms;
    pass(30ms);
    EXPECT_EQ(told(*answered), "nothing") << i;
  }
  time_used_ += 1s;
  pass(1s);
  EXPECT_EQ(told(*answered).substr(0, 14), "busy: A person");
  EXPECT_EQ(typed_, "");
}

TEST_F(KeysAtPrompt, APersonWhoTypesBehindAKeyIsNotWaitedFor) {
  make_ready();
  ask(asked("Up"));
  const auto waits = ask(asked("make"));
  runner_->on_others_typed();
  pass(30ms);
  EXPECT_EQ(told(*waits).substr(0, 14), "busy: A person");
  ask(asked("Enter"));
  typed_.clear();
  EXPECT_EQ(told(*ask(asked("make"))).substr(0, 14), "busy: A person") << "it may be the person's line that runs";
  turn({prompt()});
  begin(asked("make"));
}

}  // namespace
}  // namespace ptyd
