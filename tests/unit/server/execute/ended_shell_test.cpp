// Shells that end while a command waits for its begin.
#include "tests/support/server/execute/runner_bench.hpp"

namespace ptyd {
namespace {

using EndedShell = RunnerBench;

TEST_F(EndedShell, OneThatEndsBeforeItsPromptRunsNothing) {
  const auto answered = ask(asked("true"));
  runner_->on_ended({1, {}});
  EXPECT_EQ(told(*answered).substr(0, 7), "exited:");
}

TEST_F(EndedShell, OneThatEndsBeforeACommandBeginsHasNotRunIt) {
  make_ready();
  const auto answered = ask(asked("make"));
  EXPECT_EQ(typed_, typed_line(ShellKind::bash));
  turn({" the echo\r\n"});
  runner_->on_ended({0, {}});
  EXPECT_EQ(told(*answered), "exited: The shell of this terminal has ended");
  EXPECT_FALSE(runner_->has_untold_end());
}

}  // namespace
}  // namespace ptyd
