// One command at a time in one shell, which the test plays.
#include "server/execute/command_runner.hpp"

#include <sys/stat.h>

#include "tests/support/server/execute/runner_bench.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using Runner = RunnerBench;

TEST_F(Runner, TellsTheEndTheCodeTheDirectoryAndWhatWasPrinted) {
  make_ready();
  const auto answered = begin(asked("make"));
  EXPECT_EQ(command_file().substr(kTokenDigits), "\nmake");
  turn({"one\r\n\x1b[1mtwo\x1b[m\r\n"});
  EXPECT_EQ(told(*answered), "nothing");
  clock_.advance(1500ms);
  turn({"three\r\n", ended(2, "/usr"), "the prompt's own", prompt(2, "/usr"), "$ "});
  EXPECT_EQ(told(*answered), "completed 2 [one\ntwo\nthree]");
  const auto& answer = **answered;
  EXPECT_EQ(answer->command, "make");
  EXPECT_EQ(answer->terminal_id, "a");
  EXPECT_EQ(answer->working_dir, "/usr");
  EXPECT_EQ(answer->duration_ms, 1500);
}

TEST_F(Runner, ItsFilesAreForThisUserAlone) {
  struct stat facts {};
  ASSERT_EQ(::stat(runner_->integration().folder.c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  make_ready();
  ask(asked("secret"));
  for (const auto& file : {runner_->integration().start_file(ShellKind::bash), runner_->integration().command_file()}) {
    ASSERT_EQ(::stat(file.c_str(), &facts), 0) << file;
    EXPECT_EQ(facts.st_mode & 0777, 0600u) << file;
  }
  runner_->close(Error(Errc::exited, "closed"));
  EXPECT_NE(::stat(runner_->integration().folder.c_str(), &facts), 0);
}

TEST_F(Runner, ACommandThatIsStillReadStaysAsItWas) {
  make_ready();
  begin(asked("short"));
  std::ifstream reader(runner_->integration().command_file());
  const auto written = command_file();
  turn({ended(0), prompt()});
  begin(asked("something that is longer"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(reader), {}), written);
  EXPECT_NE(command_file(), written);
}

TEST_F(Runner, ACommandWaitsForTheFirstPrompt) {
  const auto answered = ask(asked("true"), true);
  turn({"what a start file says\r\n"});
  EXPECT_EQ(typed_, "");
  make_ready();
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
  turn({begun(), ended(0), prompt()});
  EXPECT_EQ(told(*answered), "completed 0 created []");
}

TEST_F(Runner, AShellThatTellsNothingForTenSecondsIsNoneOfOurs) {
  const auto answered = ask(asked("true"), true);
  for (int i = 0; i < 4; ++i) pass(2s);
  pass(1999ms);
  EXPECT_EQ(told(*answered), "nothing");
  pass(1ms);
  EXPECT_EQ(told(*answered).substr(0, 15), "no_integration:");
  EXPECT_EQ(told(*ask(asked("true"))).substr(0, 15), "no_integration:");
  EXPECT_EQ(typed_, "");
}

/// A shell that is on its way to its first prompt.
class Starting : public RunnerBench {
 protected:
  /// It uses `each` of a processor between two looks at it.
  void work(int looks, std::chrono::milliseconds each) {
    for (int i = 0; i < looks; ++i) {
      time_used_ += each;
      pass(CommandRunner::kWorkLook);
    }
  }
};

TEST_F(Starting, AShellThatWorksIsWaitedForLonger) {
  const auto answered = ask(within(2min, asked("true")), true);
  work(8, CommandRunner::kWork);
  EXPECT_EQ(told(*answered), "nothing");
  time_used_ += 19ms;
  pass(1999ms);
  EXPECT_EQ(told(*answered), "nothing");
  pass(1ms);
  EXPECT_EQ(told(*answered).substr(0, 15), "no_integration:") << "it works no more";
}

TEST_F(Starting, AShellThatIsReadyAfterLongWorkTakesCommands) {
  const auto answered = ask(within(2min, asked("true")), true);
  work(8, 1s);
  make_ready();
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
  turn({begun(), ended(0), prompt()});
  pass(60s);
  EXPECT_EQ(told(*answered), "completed 0 created []");
}

TEST_F(Starting, AShellThatWorksForAMinuteIsNoneOfOurs) {
  const auto answered = ask(within(2min, asked("true")), true);
  work(29, 2s);
  EXPECT_EQ(told(*answered), "nothing");
  work(1, 2s);
  EXPECT_EQ(told(*answered).substr(0, 15), "no_integration:");
}

TEST_F(Runner, AShellThatTellsNothingCanBeTypedInto) {
  ask(asked("true"), true);
  turn({"Welcome to fish\r\n> "});
  pass(10s);
  const auto first = ask(input("echo hi"));
  EXPECT_EQ(std::exchange(typed_, ""), "echo hi\r");
  turn({"echo hi\r\nhi\r\n> "});
  pass(250ms);
  EXPECT_EQ(told(*first), "running [Welcome to fish\n> echo hi\nhi\n>]");
  EXPECT_EQ((**first)->foreground, "bash");
  const auto poll = ask(asked(""));
  turn({"more"});
  pass(250ms);
  EXPECT_EQ(told(*poll), "running [ more]");
  const auto key = ask(asked("C-d"));
  EXPECT_EQ(std::exchange(typed_, ""), "\x04");
  turn({"exit\r\n"});
  runner_->on_ended({0, {}});
  EXPECT_EQ(told(*key), "completed 0 closed [exit]");
}

TEST_F(Runner, APromptThatComesLateCounts) {
  pass(10s);
  make_ready();
  const auto answered = begin(asked("true"));
  turn({ended(0)});
  EXPECT_EQ(told(*answered), "completed 0 []");
}

TEST_F(Runner, WhenTheTimeIsUpItSaysWhatWasPrintedAndLetsItRun) {
  make_ready();
  const auto first = begin(asked("build"));
  turn({"one\r\n"});
  pass(29999ms);
  EXPECT_EQ(told(*first), "nothing");
  pass(1ms);
  EXPECT_EQ(told(*first), "running [one]");
  const auto second = ask(within(5s, asked("")));
  turn({"two\r\n"});
  pass(5s);
  EXPECT_EQ(told(*second), "running [two]");
  const auto third = ask(asked(" "));
  turn({"three\r\n", ended(7), prompt(7)});
  EXPECT_EQ(told(*third), "completed 7 [three]");
  EXPECT_EQ(told(*ask(asked(""))), "completed 7 []");
  EXPECT_EQ(typed_, "");
}

TEST_F(Runner, ATimeoutOfNothingIsAnsweredAtOnce) {
  make_ready();
  const auto answered = ask(within(0ms, asked("sleep 9")));
  EXPECT_EQ(told(*answered), "running []");
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
  turn({begun(), "x", ended(0)});
  EXPECT_EQ(told(*ask(within(0ms, asked("")))), "completed 0 [x]") << "the end that nobody has heard of";
}

TEST_F(Runner, SaysThatATimeoutWasTooLong) {
  make_ready();
  auto execute = within(limits::kMaxExecuteWait, asked("true"));
  execute.timeout.clamped = true;
  const auto answered = begin(execute);
  turn({ended(0)});
  EXPECT_TRUE((**answered)->timeout_clamped);
}

TEST_F(Runner, ASecondCommandIsBusy) {
  make_ready();
  const auto first = begin(asked("make all"));
  const auto second = told(*ask(asked("make clean")));
  EXPECT_EQ(second.substr(0, 5), "busy:");
  EXPECT_NE(second.find("make all"), second.npos) << "it says what runs";
  EXPECT_EQ(typed_, "");
  EXPECT_EQ(command_file().substr(kTokenDigits), "\nmake all");
  turn({ended(0)});
  EXPECT_EQ(told(*first), "completed 0 []");
}

TEST_F(Runner, OneThatIsAskedForBeforeThePromptStandsIsTypedThen) {
  make_ready();
  begin(asked("true"));
  turn({ended(0)});
  const auto next = ask(asked("false"));
  EXPECT_EQ(typed_, "");
  turn({"the prompt's own", prompt()});
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
  turn({begun(), ended(1)});
  EXPECT_EQ(told(*next), "completed 1 []");
}

TEST_F(Runner, NothingIsTypedBeforeTheLineEditorReads) {
  line_mode_.canonical = true;
  make_ready();
  ask(asked("true"));
  EXPECT_EQ(typed_, "");
  line_mode_.canonical = false;
  turn({"$ "});
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
}

TEST_F(Runner, AShellWithoutLineEditorIsNotWaitedForLong) {
  line_mode_.canonical = true;
  make_ready();
  ask(asked("true"));
  pass(29ms);
  EXPECT_EQ(typed_, "");
  pass(1ms);
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
}

TEST_F(Runner, APromptThatIsNotToldIsSeenByTheLineEditor) {
  make_ready();
  begin(asked("PROMPT_COMMAND="));
  line_mode_.canonical = true;
  turn({ended(0)});
  const auto next = ask(asked("true"));
  pass(30ms);
  pass(30ms);
  EXPECT_EQ(typed_, "");
  line_mode_.canonical = false;
  pass(30ms);
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
  turn({prompt(), begun(), ended(5)});
  EXPECT_EQ(told(*next), "completed 5 []") << "a prompt that came late after all says nothing";
}

TEST_F(Runner, APromptThatNothingShowsIsTakenForGrantedAfterASecond) {
  make_ready();
  begin(asked("set +o emacs; PROMPT_COMMAND="));
  line_mode_.canonical = true;
  turn({ended(0)});
  ask(asked("true"));
  for (int i = 0; i < 33; ++i) pass(30ms);
  EXPECT_EQ(typed_, "");
  pass(30ms);
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
}

TEST_F(Runner, AShellWithoutLineEditorReadsBehindWhatWasTypedAhead) {
  line_mode_.canonical = true;
  make_ready();
  const auto first = ask(asked("sleep 1"));
  pass(30ms);
  EXPECT_EQ(std::exchange(typed_, ""), typed_line(ShellKind::bash));
  turn({begun()});
  runner_->on_others_typed();
  turn({ended(0), prompt()});
  ask(asked("make"));
  pass(30ms);
  EXPECT_EQ(typed_, "\a\x15" + std::string(typed_line(ShellKind::bash)));
}

TEST_F(Runner, AnInterruptedCommandEndsWithThePromptsCode) {
  make_ready();
  const auto command = begin(asked("sleep 100"));
  const auto key = ask(asked("C-c"));
  EXPECT_EQ(typed_, "\x03");
  turn({"^C\r\n", prompt(130)});
  EXPECT_EQ(told(*command), "completed 130 [^C]");
  EXPECT_EQ(told(*key), "completed 130 [^C]");
}

TEST_F(Runner, ALineThatWasGivenUpIsSaidNotToHaveBegun) {
  make_ready();
  const auto answered = ask(asked("rm -rf build"));
  turn({"^C\r\n", prompt(130)});
  EXPECT_EQ(told(*answered).substr(0, 31), "busy: The command did not begin");
}

TEST_F(Runner, TheEndOfTheShellIsTheCommands) {
  make_ready();
  const auto answered = begin(asked("exit 3"));
  turn({"exit\r\n"});
  runner_->on_ended({3, {}});
  EXPECT_EQ(told(*answered), "completed 3 closed [exit]");
}

TEST_F(Runner, ASignalThatEndsTheShellIsToldAsShellsDo) {
  make_ready();
  const auto answered = begin(asked("kill -9 $$"));
  runner_->on_ended({{}, 9});
  EXPECT_EQ(told(*answered), "completed 137 closed []");
}

TEST_F(Runner, AnEndThatNobodyHasHeardOfCanBeAskedFor) {
  make_ready();
  begin(within(0ms, asked("sleep 9; exit 3")));
  pass(0ms);
  runner_->on_ended({3, {}});
  EXPECT_TRUE(runner_->has_untold_end());
  EXPECT_EQ(told(*ask(asked(""))), "completed 3 closed []");
  EXPECT_FALSE(runner_->has_untold_end());
  EXPECT_EQ(told(*ask(asked("true"))).substr(0, 7), "exited:");
}

TEST_F(Runner, AnEndIsKeptForAnotherWhenItsClientHasGone) {
  make_ready();
  const auto gone = begin(asked("sleep 9; echo went on"));
  give_up(gone);
  turn({"went on\r\n", ended(3)});
  EXPECT_EQ(told(*gone), "nothing");
  EXPECT_EQ(told(*ask(asked(""))), "completed 3 [went on]");
}

TEST_F(Runner, WhatIsPrintedIsKeptForAnotherWhenItsClientHasGone) {
  make_ready();
  const auto gone = begin(within(5s, asked("sleep 9")));
  turn({"begun\r\n"});
  give_up(gone);
  pass(5s);
  EXPECT_EQ(told(*gone), "nothing");
  EXPECT_EQ(told(*ask(within(0ms, asked("")))), "running [begun]");
}

TEST_F(Runner, AllThatWaitAreAnsweredWhenTheTerminalCloses) {
  make_ready();
  const auto command = begin(asked("sleep 100")), poll = ask(asked(""));
  runner_->close(Error(Errc::exited, "The terminal was closed"));
  EXPECT_EQ(told(*command), "exited: The terminal was closed");
  EXPECT_EQ(told(*poll), "exited: The terminal was closed");
  turn({ended(0)});
  pass(60s);
}

TEST_F(Runner, NothingPrintedCanForgeAnEnd) {
  make_ready();
  const auto answered = begin(asked("cat log"));
  const std::string foreign = "\x1b]6973;" + std::string(kNonceDigits, '0') + ";E;" + token() + ";0;/\a";
  turn({foreign, "\x1b]133;D;0\a", "\x1b]633;D;0\a", marker("E;" + std::string(kTokenDigits, '0') + ";0;/"),
        marker("E;" + token() + ";0"), marker("B;" + token() + ";0")});
  EXPECT_EQ(told(*answered), "nothing");
  turn({"log\r\n", ended(5)});
  EXPECT_EQ(told(*answered), "completed 5 [log]");
}

TEST_F(Runner, ATerminalThatTakesNoMoreRefusesTheCommand) {
  make_ready();
  typing_ = Error(Errc::busy, "too much waits");
  EXPECT_EQ(told(*ask(asked("true"))), "busy: too much waits");
  typing_ = {};
  const auto answered = begin(asked("true"));
  turn({ended(0)});
  EXPECT_EQ(told(*answered), "completed 0 []");
}

TEST_F(Runner, ADiskThatRefusesTheTextRefusesTheCommand) {
  make_ready();
  std::filesystem::remove_all(runner_->integration().folder);
  EXPECT_EQ(told(*ask(asked("true"))).substr(0, 14), "another error:");
  EXPECT_EQ(typed_, "");
}

TEST_F(Runner, SoManyMayWait) {
  make_ready();
  begin(asked("sleep 100"));
  const auto poll = ask(asked(""));
  for (std::size_t i = 2; i < CommandRunner::kMaxWaiting; ++i) EXPECT_EQ(told(*ask(asked(""))), "nothing") << i;
  EXPECT_EQ(told(*ask(asked(""))).substr(0, 6), "limit:");
  give_up(poll);
  EXPECT_EQ(told(*ask(asked(""))), "nothing");
  EXPECT_EQ(told(*ask(asked(""))).substr(0, 6), "limit:");
  turn({ended(0)});
  EXPECT_FALSE(runner_->is_waited_for());
}

TEST_F(Runner, OutputIsReadAtTheSizeThatTheCommandBeganWith) {
  make_ready();
  size_ = {20, 5};
  const auto answered = begin(asked("wide"));
  turn({"01234567890123456789\x1b[5D|\r\n", ended(0)});
  EXPECT_EQ(told(*answered), "completed 0 [01234567890123|56789]");
}

}  // namespace
}  // namespace ptyd
