// Ending a terminal ends everything below it, and nothing else.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "pty/process/child_process.hpp"
#include "pty/process/pidfd.hpp"
#include "pty/process/proc_file.hpp"
#include "pty/process/process_tree.hpp"
#include "pty/process/reaper.hpp"
#include "tests/support/lower_limit.hpp"
#include "tests/support/pty/process/hang_up.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// There is neither TERM nor KILL here: the first hang-up has to do.
class HangUpOnce : public HangUp {
 protected:
  HangUpOnce() : HangUp({10min, 10min, 10min}) {}
  void TearDown() override {
    terminal.pty.reset();
    launcher.reset();  // nobody waits for the grace
    HangUp::TearDown();
  }
};

/// Hang-ups without end: there is a TERM after the first one, and no KILL.
class HangUpAgain : public HangUp {
 protected:
  HangUpAgain() : HangUp({50ms, 10min, 10min}) {}
};

TEST(Graces, AreTheReferencesAndShortOfAnEditorsPatience) {
  EXPECT_EQ(Graces().term, 100ms);
  EXPECT_EQ(Graces().kill, 1000ms);
  EXPECT_EQ(Graces().plain_kill, 1500ms);
}

TEST_F(HangUpAgain, EndsAnInteractiveShellAndTellsItsExit) {
  ASSERT_TRUE(terminal.start({{{"/bin/bash", {"--norc", "-i"}}}, "/", {{"PS1", "ready> "}}, {80, 24}}));
  ASSERT_TRUE(terminal.wait_for("ready> "));
  terminal.pty->hang_up();
  EXPECT_TRUE(terminal.exits.empty()) << "told from inside the call";
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.exits[0], (ExitStatus{{}, SIGHUP}));
  EXPECT_TRUE(settles());
  EXPECT_EQ(terminal.exits.size(), 1u);
}

TEST_F(HangUpAgain, ReachesWhoSleptThroughTheFirstOnes) {
  ASSERT_TRUE(terminal.start(shell_script(
      "trap '' TERM; n=0; trap 'n=$((n+1)); [ $n -lt 5 ] || exit 5' HUP; echo ready; while :; do read x; done",
      "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  terminal.pty->hang_up();
  ASSERT_TRUE(terminal.wait_for_exit());
  EXPECT_EQ(terminal.exits[0], (ExitStatus{5, {}}));
}

TEST_F(HangUpAgain, LetsAProgramThatBeganAmongTheLastSaySomethingToo) {
  const test::TemporaryDirectory folder;
  std::ofstream(folder / "late") << "trap 'echo > saved; exit' TERM; echo > gate; while :; do sleep 300 & wait; done";
  start("cd " + folder.path().string() + "; mkfifo gate; trap '' HUP; trap 'sh late & read x <gate; exit' TERM");
  terminal.pty->hang_up();
  EXPECT_TRUE(eventually(context, [&] { return std::filesystem::exists(folder / "saved"); }));
  EXPECT_TRUE(settles());
}

TEST_F(HangUpOnce, LetsProgramsSaySomethingLast) {
  start("trap 'echo saving; exit 3' HUP");
  terminal.pty->hang_up();
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_NE(terminal.output.find("saving"), std::string::npos) << terminal.output;
  EXPECT_EQ(terminal.exits[0], (ExitStatus{3, {}}));
}

TEST_F(HangUpOnce, EndsWhatWasStopped) {
  const auto pids = start("sleep 300 & kill -STOP $!; echo $!", 1);
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(pids));
}

TEST_F(HangUp, KillsTheWholeTreeThoughItIgnoresAllThatCanBeIgnored) {
  const auto pids = start(R"(
    trap '' HUP TERM
    sh -c 'trap "" HUP TERM; sleep 301 & echo $! $$; while :; do sleep 302; done' &
    setsid sh -c 'trap "" HUP TERM; sleep 303 & echo $! $$; wait; sleep 304' &
    (sh -c 'echo $$; exec sleep 305' &))",
                          5);
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(pids)) << terminal.output;
  EXPECT_TRUE(terminal.wait_for_exit());
  EXPECT_TRUE(settles());
}

TEST_F(HangUp, KillsTheWholeTreeOfAProgramWithoutInputToo) {
  null_input = true;
  const auto pids = start(R"(
    trap '' HUP TERM
    set -m
    sh -c 'trap "" HUP TERM; sleep 301 & echo $! $$; while :; do sleep 302; done' &
    set +m
    setsid sh -c 'trap "" HUP TERM; sleep 303 & echo $! $$; wait; sleep 304' &)",
                          4);
  const auto left_its_session =
      std::count_if(pids.begin(), pids.end(), [&](int pid) { return ::getsid(pid) != pids[0]; });
  const auto left_its_group =
      std::count_if(pids.begin(), pids.end(), [&](int pid) { return ::getpgid(pid) != pids[0]; });
  EXPECT_EQ(left_its_session, 2);
  EXPECT_EQ(left_its_group, 4);
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(pids)) << terminal.output;
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.exits[0], (ExitStatus{{}, SIGKILL}));
}

TEST_F(HangUpAgain, AProgramWithoutInputIsToldTermOnceAndNoHangUp) {
  null_input = true;
  start("n=0; trap 'echo hung up' HUP; trap 'n=$((n+1)); echo told $n' TERM");
  terminal.pty->hang_up();
  EXPECT_TRUE(terminal.wait_for_end());
  EXPECT_NE(terminal.output.find("told 1"), std::string::npos);
  EXPECT_EQ(terminal.output.find("told 2"), std::string::npos);
  EXPECT_EQ(terminal.output.find("hung up"), std::string::npos);
}

TEST_F(HangUp, ThatNobodyIsLeftIsToldOnceTheLastOneHasGone) {
  const auto jobs = leave("sleep 300 & echo $!");
  EXPECT_EQ(terminal.left, 0);
  terminal.pty->hang_up();
  EXPECT_TRUE(run_until(context, [&] { return terminal.left == 1; }));
  EXPECT_FALSE(runs(jobs.at(0)));
  EXPECT_FALSE(terminal.pty->has_processes());
}

TEST_F(HangUp, TheDestructorEndsTheTreeAndTellsNobody) {
  const auto pids = start("trap '' HUP TERM; setsid sh -c 'trap \"\" TERM; echo $$; sleep 300' &", 1);
  terminal.pty.reset();
  EXPECT_TRUE(all_gone(pids));
  EXPECT_TRUE(settles());
  EXPECT_TRUE(terminal.exits.empty());
}

TEST_F(HangUp, TheDestructorMayFollowAHangUp) {
  const auto pids = start("trap '' HUP TERM");
  terminal.pty->hang_up();
  terminal.pty->hang_up();
  EXPECT_TRUE(settles());
  EXPECT_TRUE(all_gone(pids));
}

TEST_F(HangUpOnce, ALauncherThatGoesKillsAtOnceWhatIsStillEnding) {
  const auto pids = start("trap 'echo told' HUP; setsid sh -c 'trap \"\" HUP; echo $$; sleep 300' &", 1);
  terminal.pty->hang_up();
  ASSERT_TRUE(terminal.wait_for("told"));
  for (const int pid : pids) EXPECT_TRUE(runs(pid)) << "there is nothing left to kill";
  launcher.reset();
  EXPECT_TRUE(all_gone(pids));
  EXPECT_TRUE(settles());
}

// --- after the exit

TEST_F(HangUp, EndsAJobThatOutlivedItsShell) {
  const auto jobs = leave("sleep 300 & echo $!");
  EXPECT_TRUE(runs(jobs.at(0))) << "nobody has asked for its end yet";
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(jobs));
  EXPECT_EQ(terminal.exits.size(), 1u) << "the exit is told once";
}

TEST_F(HangUp, TheDestructorEndsWhatOutlivedTheShellToo) {
  const auto jobs = leave(R"(sh -c 'echo $$; trap "" TERM; while :; do sleep 300; done' &)");
  terminal.pty.reset();
  EXPECT_TRUE(all_gone(jobs));
}

TEST_F(HangUp, ALauncherThatGoesKillsWhatOutlivedItsShell) {
  const auto jobs = leave("sleep 300 & echo $!");
  launcher.reset();
  EXPECT_TRUE(all_gone(jobs));
}

TEST_F(HangUp, ReachesADaemonWhoseStarterIsAJobThatOutlivedItsShell) {
  const auto pids = leave(R"(
    sh -c 'echo $$; setsid sh -c "echo \$\$; exec sleep 300" & wait' &)",
                          2);
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(pids)) << terminal.output;
}

/// Where the kernel lets this process adopt none.
TEST_F(HangUp, ADaemonOfTheExitedShellItselfIsNotReached) {
  const auto pids = leave(R"(setsid sh -c 'echo $$; exec sleep 300' & sleep 301 & echo $!)", 2);
  std::vector<int> daemon, job;
  for (const int pid : pids) (::getsid(pid) == pid ? daemon : job).push_back(pid);
  ASSERT_EQ(daemon.size(), 1u);
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(job));
  EXPECT_TRUE(settles());
  EXPECT_TRUE(runs(daemon[0])) << "it left the session, and who started it is gone";
  ::kill(daemon[0], SIGKILL);
}

TEST_F(HangUp, AShellThatLeftNobodyBehindIsBuriedAtItsExit) {
  ASSERT_TRUE(terminal.start(shell_script("exit 0")));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_TRUE(run_until(context, [&] { return !terminal.pty->has_processes(); }));
  EXPECT_FALSE(read_process(terminal.pty->pid()));
}

TEST_F(HangUp, AShellKeepsItsNumberWhileAJobOutlivesItAndNoLonger) {
  const auto jobs = leave("sleep 300 & echo $!");
  Terminal later(context, *launcher);
  ASSERT_TRUE(later.start(shell_script("exit 0")));
  ASSERT_TRUE(run_until(context, [&] { return !later.pty->has_processes(); })) << "nobody has looked";
  EXPECT_TRUE(terminal.pty->has_processes());
  const auto shell = read_process(terminal.pty->pid());
  ASSERT_TRUE(shell) << "its number is free, and whoever gets it is taken for the shell";
  EXPECT_TRUE(shell->zombie);
  ::kill(jobs.at(0), SIGKILL);
  EXPECT_TRUE(run_until(context, [&] { return !terminal.pty->has_processes(); }));
  EXPECT_FALSE(read_process(terminal.pty->pid()));
}

/// Lets the reaper look that often while this process has no descriptor for it.
bool look_without_descriptors(boost::asio::io_context& context, std::uint64_t times) {
  const test::LowerLimit none(RLIMIT_NOFILE, 0);
  const auto until = failed_opens + times;
  return run_until(context, [until] { return failed_opens >= until; });
}

TEST_F(HangUp, WithoutDescriptorsAJobThatOutlivedItsShellIsNotTakenForGone) {
  const auto jobs = leave("sleep 300 & echo $!");
  ASSERT_TRUE(look_without_descriptors(context, 10)) << "nobody has looked";
  EXPECT_TRUE(terminal.pty->has_processes());
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(jobs));
}

TEST_F(HangUp, WithoutDescriptorsAnEndIsNotTakenForDone) {
  const auto pids = leave(R"(sh -c 'echo $$; trap "" TERM; while :; do sleep 300; done' &)");
  terminal.pty->hang_up();
  ASSERT_TRUE(look_without_descriptors(context, 100)) << "nobody has looked";
  EXPECT_TRUE(all_gone(pids));
}

TEST_F(HangUp, ANumberThatMeansAStrangerByNowIsNotTouched) {
  Terminal stranger(context, *launcher);
  ASSERT_TRUE(stranger.start(shell_script("sleep 300 & echo $!; wait", "/bin/bash")));
  ASSERT_TRUE(stranger.wait_for("\n"));
  const int job = std::stoi(stranger.output);

  const int pid = ::fork();
  if (pid == 0) ::_exit(0);
  UniqueFd process = open_pidfd(pid);
  ASSERT_TRUE(process);
  ASSERT_EQ(::waitpid(pid, nullptr, 0), pid) << "somebody else waits for a child of ours, and its number is free";
  const auto child = std::make_shared<ChildProcess>(context.get_executor(), stranger.pty->pid(), std::move(process));
  const auto reaper = std::make_shared<Reaper>(context.get_executor(), Graces{20ms, 100ms, 100ms});
  child->watch([](ExitStatus) {});
  reaper->end(child, nullptr);
  EXPECT_TRUE(run_until(context, [&] { return child->buried() && reaper.use_count() == 1; })) << "it goes on ending";
  EXPECT_TRUE(runs(job));
  EXPECT_TRUE(runs(stranger.pty->pid()));
  stranger.pty.reset();
}

TEST_F(HangUp, NeverSignalsAProcessBesideTheTree) {
  Terminal other(context, *launcher);
  ASSERT_TRUE(other.start(shell_script("sleep 300 & echo $!; wait", "/bin/bash")));
  ASSERT_TRUE(other.wait_for("\n"));
  const int neighbour = std::stoi(other.output);
  const auto pids = start("sleep 300 & echo $!", 1);
  terminal.pty->hang_up();
  EXPECT_TRUE(all_gone(pids));
  EXPECT_TRUE(runs(neighbour));
  EXPECT_TRUE(other.exits.empty());
  other.pty.reset();
}

TEST_F(HangUp, Security26LeavesNoZombieAfterManyShortSessionsAndManyClosedOnes) {
  constexpr int kAtOnce = 20, kRounds = 10;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::unique_ptr<Terminal>> terminals;
    for (int i = 0; i < kAtOnce; ++i) {
      terminals.push_back(std::make_unique<Terminal>(context, *launcher));
      terminals.back()->launch(shell_script(i % 2 == 0 ? "exit 0" : "sleep 300"));
    }
    ASSERT_TRUE(run_until(context, [&] {
      return std::all_of(terminals.begin(), terminals.end(), [](auto& each) { return each->answered; });
    }));
  }
}

}  // namespace
}  // namespace ptyd
