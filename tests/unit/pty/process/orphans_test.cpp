// Orphans of a terminal, in whatever session they are: they are known, end with it, and leave no zombie.
#include "pty/process/orphans.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <optional>

#include "tests/support/pty/process/hang_up.hpp"

namespace ptyd {
namespace {

/// This process adopts orphans, as the server does.
class HangUpOfOrphans : public HangUp {
 protected:
  void SetUp() override {
    const auto adopted = adopt_orphans();
    ASSERT_TRUE(adopted) << adopted.error().detail();
    watch.emplace(context.get_executor());
  }
  void TearDown() override {
    terminal.pty.reset();
    EXPECT_TRUE(collected());
    watch.reset();
    ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    HangUp::TearDown();
  }
  bool collected() {
    return eventually(context, [] {
      ProcessTree processes;
      return orphans(processes).empty();
    });
  }
  /// Starts a daemon by a double fork, which prints its number, and then is nothing to its terminal but its mark.
  static std::string daemon(const std::string& rest = "exec sleep 300") {
    return "(setsid env -i /bin/sh -c 'echo $$; " + rest + "' & )";
  }
  bool is_adopted(int pid) {
    return eventually(context, [pid] {
      const auto info = read_process(pid);
      return info && info->parent == ::getpid() && info->session == pid;
    });
  }

  void ends_a_deaf_daemon() {
    const auto pids = start(daemon(R"(trap "" HUP TERM; while :; do sleep 300 </dev/null >/dev/null 2>&1; done)"), 1);
    EXPECT_TRUE(is_adopted(pids[1]));
    EXPECT_EQ(root_of(pids[1]), pids[0]);
    terminal.pty->hang_up();
    EXPECT_TRUE(all_gone(pids)) << terminal.output;
    EXPECT_TRUE(run_until(context, [&] { return !terminal.pty->has_processes(); }));
  }

  std::optional<OrphanWatch> watch;
};

TEST_F(HangUpOfOrphans, EndsADaemonWhileItsShellRuns) {
  ends_a_deaf_daemon();
}

TEST_F(HangUpOfOrphans, EndsADaemonOfAProgramWithoutInput) {
  null_input = true;
  ends_a_deaf_daemon();
}

TEST_F(HangUpOfOrphans, TheDestructorEndsADaemonOfTheExitedShell) {
  const auto daemons = leave(daemon());
  EXPECT_TRUE(is_adopted(daemons.at(0)));
  terminal.pty.reset();
  EXPECT_TRUE(all_gone(daemons));
}

TEST_F(HangUpOfOrphans, EndsWhatADaemonHasStarted) {
  const auto pids = leave(daemon("setsid sleep 300 & echo $!; exec sleep 301"), 2);
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(pids)) << terminal.output;
}

TEST_F(HangUpOfOrphans, ALauncherThatGoesKillsThem) {
  const auto daemons = leave(daemon("trap \"\" TERM; while :; do sleep 300; done"));
  launcher.reset();
  EXPECT_TRUE(all_gone(daemons));
}

TEST_F(HangUpOfOrphans, NeverSignalsADaemonOfAnotherTerminal) {
  Terminal other(context, *launcher);
  ASSERT_TRUE(other.start(shell_script(daemon() + "; read line", "/bin/bash")));
  ASSERT_TRUE(other.wait_for("\n"));
  const int neighbour = std::stoi(other.output);
  ASSERT_TRUE(is_adopted(neighbour));
  EXPECT_EQ(root_of(neighbour), other.pty->pid());
  const auto daemons = leave(daemon());
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(daemons));
  EXPECT_TRUE(run_until(context, [&] { return !terminal.pty->has_processes(); }));
  EXPECT_TRUE(runs(neighbour));
  other.pty.reset();
  EXPECT_TRUE(all_gone({neighbour}));
}

TEST_F(HangUpOfOrphans, ADaemonThatTookOffItsMarkIsNotReached) {
  const auto pids = leave("(ulimit -x 1; setsid sh -c 'echo $$; exec sleep 300' & ) ; sleep 301 & echo $!", 2);
  std::vector<int> daemon, job;
  for (const int pid : pids) (::getsid(pid) == pid ? daemon : job).push_back(pid);
  ASSERT_EQ(daemon.size(), 1u);
  EXPECT_EQ(root_of(daemon[0]), 0);
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(job));
  EXPECT_TRUE(run_until(context, [&] { return !terminal.pty->has_processes(); }));
  EXPECT_TRUE(runs(daemon[0]));
  ::kill(daemon[0], SIGKILL);
}

TEST_F(HangUpOfOrphans, AShellKeepsItsNumberWhileADaemonOutlivesItAndNoLonger) {
  const auto daemons = leave(daemon());
  Terminal later(context, *launcher);
  ASSERT_TRUE(later.start(shell_script("exit 0")));
  ASSERT_TRUE(run_until(context, [&] { return !later.pty->has_processes(); })) << "nobody has looked";
  EXPECT_TRUE(terminal.pty->has_processes());
  const auto shell = read_process(terminal.pty->pid());
  ASSERT_TRUE(shell) << "its number is free, though a daemon bears it";
  ::kill(daemons.at(0), SIGKILL);
  EXPECT_TRUE(run_until(context, [&] { return !terminal.pty->has_processes(); }));
  EXPECT_FALSE(read_process(terminal.pty->pid()));
}

TEST_F(HangUpOfOrphans, OnesThatEndAreCollectedAndNoChildOfOursIs) {
  const auto pids = leave("trap '' HUP; (setsid sh -c 'exit 0' &); (sh -c 'exit 0' &); sleep 300 & echo $!");
  EXPECT_TRUE(eventually(context, [&] {
    ProcessTree processes;
    const auto left = orphans(processes);
    return left == pids;
  }));
  EXPECT_EQ(terminal.exits.at(0), (ExitStatus{0, {}}));
  EXPECT_EQ(collect_orphans(), 0u);
  const auto shell = read_process(terminal.pty->pid());
  ASSERT_TRUE(shell) << "somebody else has waited for it";
  EXPECT_TRUE(shell->zombie);
}

}  // namespace
}  // namespace ptyd
