// Commands that put away what tells their end, and are interrupted.
#include <utility>

#include "tests/support/server/execute/runner_bench.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class Lost : public RunnerBench {
 protected:
  /// A command that tells no end, and a C-c behind which the shell reads keys.
  void lose_one() {
    make_ready();
    begin(within(0ms, asked("PROMPT_COMMAND=; sleep 100")));
    pass(0ms);
    ask(within(0ms, asked("C-c")));
    EXPECT_EQ(std::exchange(typed_, ""), "\x03");
    shell_is_in_front_ = true;
    turn({"^C\r\n$ "});
  }
};

TEST_F(Lost, ItsEndIsToldByTheNextOne) {
  lose_one();
  const auto poll = ask(asked(""));
  pass(300ms);
  const auto next = begin(asked("echo on"));
  EXPECT_EQ(told(*poll).substr(0, 14), "completed 0 [^");
  turn({"on\r\n", ended(5), prompt(5)});
  EXPECT_EQ(told(*next), "completed 5 [on]");
  EXPECT_EQ(told(*ask(asked(""))), "completed 5 []");
}

TEST_F(Lost, ItsCodeIsTheOneBeforeTheNext) {
  lose_one();
  const auto poll = ask(asked(""));
  pass(300ms);
  const auto next = ask(asked("echo on"));
  turn({marker("B;" + token() + ";130"), ended(0)});
  EXPECT_EQ(told(*poll).substr(0, 13), "completed 130");
  EXPECT_EQ(told(*next), "completed 0 []");
}

TEST_F(Lost, APromptThatComesLateAfterAllSaysNothing) {
  lose_one();
  pass(300ms);
  const auto next = ask(asked("echo on"));
  turn({prompt(130), begun(), "on\r\n", ended(0)});
  EXPECT_EQ(told(*next), "completed 0 [on]");
}

TEST_F(Lost, NothingIsTypedBeforeItIsQuietForLongEnough) {
  lose_one();
  pass(299ms);
  EXPECT_EQ(told(*ask(asked("echo on"))).substr(0, 5), "busy:");
  EXPECT_EQ(typed_, "");
  pass(1ms);
  begin(asked("echo on"));
}

TEST_F(Lost, NothingIsTypedIntoWhatMightBeReading) {
  make_ready();
  begin(within(0ms, asked("read -n 1")));
  shell_is_in_front_ = true;
  const auto is_refused = [this](const char* why) {
    pass(10s);
    EXPECT_EQ(told(*ask(asked("echo on"))).substr(0, 5), "busy:") << why;
    EXPECT_EQ(typed_, "") << why;
  };
  is_refused("there was no C-c");
  ask(within(0ms, asked("C-c")));
  typed_.clear();
  is_refused("nothing was printed");
  turn({"^C"});
  is_refused("the terminal only echoed it");
  turn({"caught\r\n"});
  shell_is_in_front_ = false;
  is_refused("a job has the keyboard");
  shell_is_in_front_ = true;
  line_mode_ = {true, true};
  is_refused("no line editor reads");
  line_mode_ = {};
  begin(asked("echo on"));
}

TEST_F(Lost, AShellWithoutLineEditorIsJudgedWithoutIt) {
  line_mode_ = {true, true};
  make_ready();
  ask(within(0ms, asked("PS1=; sleep 100")));
  pass(30ms);
  turn({begun()});
  ask(within(0ms, asked("C-c")));
  typed_.clear();
  shell_is_in_front_ = true;
  turn({"^C\r\n"});
  pass(300ms);
  ask(asked("echo on"));
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
}

TEST_F(Lost, AnAnswerSaysThatTheShellMayBeIdle) {
  make_ready();
  begin(within(0ms, asked("make")));
  turn({"one\r\n"});
  const auto maybe_idle = [this] {
    const auto poll = ask(within(0ms, asked("")));
    return (**poll)->maybe_idle;
  };
  pass(250ms);
  EXPECT_FALSE(maybe_idle());
  shell_is_in_front_ = true;
  EXPECT_TRUE(maybe_idle());
  turn({"two\r\n"});
  pass(249ms);
  EXPECT_FALSE(maybe_idle());
  pass(1ms);
  EXPECT_TRUE(maybe_idle());
  turn({ended(0), prompt()});
  EXPECT_FALSE(maybe_idle());
}

TEST_F(Lost, AShellThatDoesNotKnowOurLineIsForeign) {
  lose_one();
  pass(300ms);
  const auto next = ask(within(60s, asked("ls")));
  EXPECT_EQ(std::exchange(typed_, ""), typed_line(ShellKind::bash));
  turn({"$ "});
  pass(8s);
  EXPECT_EQ(told(*next), "nothing");
  pass(2s);
  EXPECT_EQ(told(*next).substr(0, 15), "no_integration:");
  EXPECT_EQ(told(*ask(asked("ls"))).substr(0, 15), "no_integration:");
  const auto typed = ask(within(1s, input("ls")));
  EXPECT_EQ(typed_, "ls\r");
  turn({"a file\r\n$ "});
  pass(250ms);
  EXPECT_NE(told(*typed).find("a file"), std::string::npos) << told(*typed);
}

TEST_F(Lost, AShellWhoseOutputIsNotReadHasNotBeenSilent) {
  make_ready();
  shell_is_in_front_ = true;
  const auto next = ask(within(60s, asked("ls")));
  is_read_ = false;
  for (int i = 0; i < 10; ++i) pass(2s);
  EXPECT_EQ(told(*next), "nothing");
  is_read_ = true;
  pass(2s);
  EXPECT_EQ(told(*next), "nothing") << "it may have told all there is, and is read from now on";
  turn({begun(), "a file\r\n", ended(0), prompt()});
  EXPECT_EQ(told(*next), "completed 0 [a file]");
}

TEST_F(Lost, AShellThatWorksOnOurLineIsWaitedFor) {
  make_ready();
  const auto next = ask(within(60s, asked("ls")));
  shell_is_in_front_ = true;
  for (int i = 0; i < 10; ++i) {
    time_used_ += 100ms;
    pass(2s);
  }
  EXPECT_EQ(told(*next), "nothing");
  turn({begun(), ended(0)});
  EXPECT_EQ(told(*next), "completed 0 []");
}

TEST_F(Lost, TheEndOfTheShellIsItsEnd) {
  lose_one();
  const auto poll = ask(asked(""));
  pass(300ms);
  const auto next = begin(asked("exit 3"));
  runner_->on_ended({3, {}});
  EXPECT_EQ(told(*poll).substr(0, 11), "completed 0") << "it was told before";
  EXPECT_EQ(told(*next), "completed 3 closed []");
}

TEST_F(Lost, TheEndOfTheShellIsItsEndAlsoWhereTheNextOneHasNotBegun) {
  lose_one();
  const auto poll = ask(asked(""));
  pass(300ms);
  const auto next = ask(asked("make"));
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
  runner_->on_ended({3, {}});
  EXPECT_EQ(told(*poll).substr(0, 18), "completed 3 closed");
  EXPECT_EQ(told(*next).substr(0, 7), "exited:");
}

}  // namespace
}  // namespace ptyd
