// A real child on a real pty: what it gets, what it says, and how its end is told.
#include "pty/process/unix_pty.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

#include "pty/process/process_tree.hpp"
#include "pty/process/reaper.hpp"
#include "pty/process/spawn.hpp"
#include "tests/support/pty/process/terminal_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

class UnixPty : public TerminalTest {
 protected:
  /// Output of `script` until it ends.
  std::string run(const std::string& script, const std::string& shell = "/bin/sh") {
    return run(shell_script(script, shell));
  }
  /// The same for a script that nobody can type to.
  std::string run_without_input(const std::string& script) {
    LaunchSpec spec = shell_script(script);
    spec.null_input = true;
    return run(std::move(spec));
  }
  std::string run(LaunchSpec spec) {
    EXPECT_TRUE(terminal.start(std::move(spec))) << (terminal.error ? terminal.error->detail() : "no answer");
    EXPECT_TRUE(terminal.wait_for_end()) << "exits " << terminal.exits.size() << ", ended " << terminal.ended << "\n"
                                         << terminal.output;
    return terminal.output;
  }
};

TEST_F(UnixPty, ASignalReachesItsProgramWhoeverItsInputIs) {
  for (const bool null_input : {false, true}) {
    Terminal other{context, launcher};
    auto spec = shell_script("trap 'echo caught; exit 3' USR1; echo ready; while :; do sleep 0.01; done");
    spec.null_input = null_input;
    ASSERT_TRUE(other.start(std::move(spec)) && other.wait_for("ready"));
    EXPECT_TRUE(other.pty->signal(SIGUSR1));
    EXPECT_TRUE(other.wait_for_end());
    EXPECT_NE(other.output.find("caught"), std::string::npos);
    EXPECT_EQ(other.exits.at(0), (ExitStatus{3, {}}));
  }
}

TEST_F(UnixPty, ASignalGoesToTheJobInTheForegroundAndNotToItsShell) {
  ASSERT_TRUE(terminal.start(shell_script("set -m; sh -c 'echo ready; exec sleep 100000'; echo \"job $?\"")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  EXPECT_TRUE(terminal.pty->signal(SIGTERM));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_NE(terminal.output.find("job 143"), std::string::npos) << terminal.output;
  EXPECT_EQ(terminal.exits.at(0), (ExitStatus{0, {}}));
}

TEST_F(UnixPty, ASignalToWhoHasEndedIsRefused) {
  run("true");
  const auto sent = terminal.pty->signal(SIGTERM);
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().code(), Errc::exited);
}

TEST_F(UnixPty, TellsOutputAndExitCode) {
  EXPECT_EQ(run("echo hello; exit 7"), "hello\r\n");
  ASSERT_EQ(terminal.exits.size(), 1u);
  EXPECT_EQ(terminal.exits[0], (ExitStatus{7, {}}));
  EXPECT_FALSE(terminal.told_in_call) << "the observer was called from inside a call";
}

TEST_F(UnixPty, TellsTheSignalThatEndedAChild) {
  run("kill -9 $$");
  EXPECT_EQ(terminal.exits.at(0), (ExitStatus{{}, 9}));
}

TEST_F(UnixPty, LosesNoOutputOfAChildThatEndsAtOnce) {
  const std::string output = run("i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done");
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 2000);
  EXPECT_NE(output.find("line 1999\r\n"), std::string::npos);
}

TEST_F(UnixPty, KeepsOutputThatIsReadLongAfterTheExit) {
  terminal.keep_reading(false);
  ASSERT_TRUE(terminal.start(shell_script("printf '%10000s' x")));
  ASSERT_TRUE(terminal.wait_for_exit());
  EXPECT_EQ(terminal.received, 0u);
  terminal.keep_reading(true);
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.received, 10000u);
}

TEST_F(UnixPty, EndsWithItsLeaderThoughABackgroundJobIgnoresTheHangUp) {
  terminal.start(shell_script("trap '' HUP; sleep 300 & echo job $!"));
  ASSERT_TRUE(terminal.wait_for_end()) << terminal.output;
  const int job = std::stoi(terminal.output.substr(4));
  EXPECT_EQ(::kill(job, 0), 0) << "a job that ignores hang-ups outlives its shell's own exit";
  ::kill(job, SIGKILL);
}

TEST_F(UnixPty, EndsThoughABackgroundJobNeverStopsWriting) {
  terminal.keeps_output = false;
  terminal.start(shell_script("trap '' HUP; yes & exit 0", "/bin/bash"));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_TRUE(terminal.ended);
}

TEST_F(UnixPty, DoesNotTakeAClosedTerminalForTheEnd) {
  const char* script = "trap 'echo back >/dev/tty; exit' USR1; exec 0<&- 1>&- 2>&-; sleep 300 & wait";
  ASSERT_TRUE(terminal.start(shell_script(script, "/bin/bash")));
  std::array<char, 16> space;
  ASSERT_TRUE(run_until(context, [&] { return terminal.readable > 3; })) << "it is told to look again, and again";
  const auto nothing = terminal.pty->read(space);
  ASSERT_TRUE(nothing) << nothing.error().detail();
  EXPECT_EQ(*nothing, 0u);
  ASSERT_TRUE(eventually(context, [&] { return !ProcessTree().children(terminal.pty->pid()).empty(); }));
  ASSERT_TRUE(eventually(context, [&] { return sleeps(terminal.pty->pid()); })) << "in its wait";
  ::kill(terminal.pty->pid(), SIGUSR1);
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.output, "back\r\n");
}

TEST_F(UnixPty, Security17ChildHasOnlyItsThreeDescriptors) {
  const UniqueFd leaked(::dup(0));  // inheritable on purpose
  EXPECT_EQ(run("exec ls -x /proc/self/fd"), "0  1  2  3\r\n") << "3 is the directory that ls lists";
}

TEST_F(UnixPty, Security17ChildWithoutInputHasOnlyItsThreeDescriptorsToo) {
  const UniqueFd leaked(::dup(0));
  EXPECT_EQ(run_without_input("exec ls -x /proc/self/fd"), "0  1  2  3\r\n") << "3 is the directory that ls lists";
}

TEST_F(UnixPty, AProgramWithoutInputReadsTheEndAtOnce) {
  EXPECT_EQ(run_without_input("readlink /proc/self/fd/0; cat; echo end; exit 7"), "/dev/null\r\nend\r\n");
  EXPECT_EQ(terminal.exits.at(0), (ExitStatus{7, {}}));
}

TEST_F(UnixPty, AProgramWithoutInputPrintsToATerminalThatIsNotItsControllingOne) {
  const std::string output = run_without_input(
      "[ -t 0 ] || echo no input; [ -t 1 ] && [ -t 2 ] && echo terminal; stty size <&1; "
      "(: </dev/tty) 2>/dev/null || echo nobody to ask; "
      "[ \"$(cut -d' ' -f6,7,8 /proc/$$/stat)\" = \"$$ 0 -1\" ] && echo alone");
  EXPECT_EQ(output, "no input\r\nterminal\r\n24 80\r\nnobody to ask\r\nalone\r\n");
}

TEST_F(UnixPty, AProgramWithoutInputHearsOfANewSizeOnce) {
  LaunchSpec spec =
      shell_script("trap 'stty size <&1' WINCH; echo ready; while [ ! -e /proc/self/none ]; do sleep 0.01; done");
  spec.null_input = true;
  ASSERT_TRUE(terminal.start(std::move(spec)) && terminal.wait_for("ready"));
  EXPECT_TRUE(terminal.pty->resize({100, 30}));
  EXPECT_TRUE(terminal.wait_for("30 100"));
}

TEST_F(UnixPty, OfAProgramWithoutInputAJobRunsOnAndIsReadOn) {
  const test::TemporaryDirectory folder;
  // A gate each: one that is opened again before its writer has gone has an end at once.
  LaunchSpec spec = shell_script(
      "mkfifo later last; sh -c 'read x <later; echo later; read x <last; echo last' & echo first; exit 3");
  spec.cwd = folder.path();
  spec.null_input = true;
  ASSERT_TRUE(terminal.start(std::move(spec)));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.exits.at(0), (ExitStatus{3, {}}));
  EXPECT_EQ(terminal.output, "first\r\n");
  EXPECT_TRUE(terminal.pty->prints_on());
  EXPECT_TRUE(terminal.pty->has_processes());
  for (const std::string text : {"later", "last"}) {
    folder.write(text, "go\n");
    EXPECT_TRUE(terminal.wait_for(text + "\r\n")) << terminal.output;
  }
  EXPECT_TRUE(run_until(context, [&] { return terminal.ends == 2 && terminal.left == 1; })) << terminal.ends;
  EXPECT_FALSE(terminal.pty->prints_on());
  EXPECT_FALSE(terminal.told_in_call);
}

TEST_F(UnixPty, OfAProgramWithoutInputEndsThoughAJobNeverStopsWriting) {
  terminal.keeps_output = false;
  LaunchSpec spec = shell_script("yes & exit 0");
  spec.null_input = true;
  terminal.start(std::move(spec));
  ASSERT_TRUE(terminal.wait_for_end());
  const auto before = terminal.received;
  EXPECT_TRUE(run_until(context, [&] { return terminal.received > before + (1 << 20); })) << "it is read on";
}

TEST_F(UnixPty, WhatAnswersAProgramWithoutInputIsNotEchoed) {
  LaunchSpec spec = shell_script("echo ready; read line <&1; echo heard $line", "/bin/bash");
  spec.null_input = true;
  ASSERT_TRUE(terminal.start(std::move(spec)));
  ASSERT_TRUE(terminal.wait_for("ready"));
  ASSERT_TRUE(terminal.type("answer\n"));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.output, "ready\r\nheard answer\r\n");
}

TEST_F(UnixPty, Security22ChildLeadsASessionWithItsOwnTerminal) {
  const std::string output = run("echo $$; cut -d' ' -f5-8 /proc/$$/stat; tty; exec 3</dev/tty && echo has-tty");
  std::istringstream in(output);
  int pid = 0, group = 0, session = 0, device = 0, foreground = 0;
  std::string name, has;
  in >> pid >> group >> session >> device >> foreground >> name >> has;
  EXPECT_EQ(pid, terminal.pty->pid());
  EXPECT_EQ(group, pid);
  EXPECT_EQ(session, pid);
  EXPECT_EQ(foreground, pid);
  EXPECT_TRUE(name.starts_with("/dev/pts/")) << output;
  EXPECT_EQ(has, "has-tty");
}

TEST_F(UnixPty, Security21ChildHasDefaultSignalsAndAnEmptyMask) {
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  const auto pipe_before = ::signal(SIGPIPE, SIG_IGN), usr_before = ::signal(SIGUSR1, SIG_IGN);
  const std::string output = run("exec cat /proc/self/status");
  ::signal(SIGPIPE, pipe_before);
  ::signal(SIGUSR1, usr_before);
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  for (const char* field : {"SigBlk", "SigIgn", "SigCgt"}) {
    const std::size_t at = output.find(field);
    ASSERT_NE(at, std::string::npos) << output;
    EXPECT_EQ(output.substr(at + 8, 16), "0000000000000000") << field;
  }
}

TEST_F(UnixPty, ChildGetsBackTheOriginalDescriptorLimit) {
  const rlimit original = raise_descriptor_limit();
  rlimit now{};
  ::getrlimit(RLIMIT_NOFILE, &now);
  EXPECT_EQ(now.rlim_cur, now.rlim_max);
  EXPECT_EQ(run("ulimit -n"), std::to_string(original.rlim_cur) + "\r\n");
}

TEST_F(UnixPty, ChildFindsSizeAndUtf8EditingSetFromItsFirstInstruction) {
  const std::string output = run("stty size; stty -a | grep -o -- '-*iutf8'");
  EXPECT_EQ(output, "24 80\r\niutf8\r\n");
}

TEST_F(UnixPty, Security24ChildGetsExactlyItsEnvironmentAndArguments) {
  LaunchSpec spec;
  spec.candidates = {
      {"/bin/sh", {"-c", "pwd; env -u PWD | sort; printf '<%s>' \"$@\"", "x", "a b", "\"q'", ";$(id)", "l\nf", ""}}};
  spec.cwd = "/usr/bin";
  spec.environment = {{"PATH", "/usr/bin:/bin"}, {"GREETING", "h\xc3\xa4llo = \n x"}};
  ASSERT_TRUE(terminal.start(spec));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.output,
            "/usr/bin\r\n x\r\nGREETING=h\xc3\xa4llo = \r\nPATH=/usr/bin:/bin\r\n<a b><\"q'><;$(id)><l\r\nf><>");
}

TEST_F(UnixPty, ResizeReachesTheProgram) {
  ASSERT_TRUE(terminal.start(shell_script("trap 'stty size; exit' WINCH; sleep 300 & echo ready; wait")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  ASSERT_TRUE(eventually(context, [&] { return sleeps(terminal.pty->pid()); })) << "in its wait";
  EXPECT_TRUE(terminal.pty->resize({132, 50}));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.output, "ready\r\n50 132\r\n");
}

TEST_F(UnixPty, TellsHowLinesAreRead) {
  ASSERT_TRUE(terminal.start(shell_script(
      "echo cooked; read x; stty -echo; echo hidden; read x; stty -icanon; echo raw; read x", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("cooked"));
  EXPECT_EQ(terminal.pty->line_mode(), (LineMode{true, true}));
  ASSERT_TRUE(terminal.type("\r"));
  ASSERT_TRUE(terminal.wait_for("hidden"));
  EXPECT_EQ(terminal.pty->line_mode(), (LineMode{true, false}));
  ASSERT_TRUE(terminal.type("\r"));
  ASSERT_TRUE(terminal.wait_for("raw"));
  EXPECT_EQ(terminal.pty->line_mode(), (LineMode{false, false}));
}

TEST_F(UnixPty, TellsWhetherItsChildHasTheKeyboard) {
  ASSERT_TRUE(terminal.start(shell_script("set -m; echo shell; read x; sh -c 'echo job; read x'; true", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("shell"));
  EXPECT_TRUE(terminal.pty->is_in_front());
  ASSERT_TRUE(terminal.type("\r"));
  ASSERT_TRUE(terminal.wait_for("job"));
  EXPECT_FALSE(terminal.pty->is_in_front());
}

TEST_F(UnixPty, TellsTheTimeOfItsChildAndOfThoseThatItHasWaitedFor) {
  ASSERT_TRUE(terminal.start(
      shell_script("bash -c 'for ((i = 0; i < 300000; ++i)); do :; done'; echo done; read x", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("done"));
  EXPECT_GT(terminal.pty->time_used(), std::chrono::milliseconds(50));
}

TEST_F(UnixPty, CarriesSixteenMebibytesInAndTheirSumOut) {
  constexpr std::size_t kBytes = 16 << 20;
  std::string paste(kBytes, '\0');
  for (std::size_t i = 0; i < kBytes; ++i) paste[i] = static_cast<char>((i * 2654435761u) >> 13);
  ASSERT_TRUE(terminal.start(shell_script("stty raw -echo; echo ready; head -c 16777216 | sha256sum")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  ASSERT_TRUE(terminal.type(paste)) << "the child stopped taking input";
  EXPECT_GT(terminal.writable, 0) << "all at once: the test does not test waiting";
  ASSERT_TRUE(terminal.wait_for_end());

  const std::string file = testing::TempDir() + "ptyd_paste_" + std::to_string(::getpid());
  std::ofstream(file, std::ios::binary) << paste;
  Terminal reference(context, launcher);
  ASSERT_TRUE(reference.start(shell_script("sha256sum <" + file)));
  ASSERT_TRUE(reference.wait_for_end());
  ::unlink(file.c_str());
  EXPECT_EQ(terminal.output.substr(0, 6), "ready\n");
  EXPECT_EQ(terminal.output.substr(6, 64), reference.output.substr(0, 64));
}

TEST_F(UnixPty, CarriesSixteenMebibytesOut) {
  terminal.keeps_output = false;
  ASSERT_TRUE(terminal.start(shell_script("stty raw; head -c 16777216 /dev/zero")));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.received, 16777216u);
}

TEST_F(UnixPty, AChildThatDoesNotReadTakesLittleAndBlocksNobody) {
  ASSERT_TRUE(terminal.start(shell_script("stty raw -echo; echo ready; sleep 300")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  const std::string chunk(4096, 'x');
  std::size_t taken = 0;
  while (true) {
    const auto count = terminal.pty->write(chunk);
    ASSERT_TRUE(count);
    if (*count == 0) break;
    taken += *count;
    ASSERT_LT(taken, 1u << 20) << "a queue without a bound";
  }
  terminal.pty->watch_writable();
  Terminal other(context, launcher);
  ASSERT_TRUE(other.start(shell_script("echo fine")));
  EXPECT_TRUE(other.wait_for("fine"));
  other.pty.reset();
}

TEST_F(UnixPty, WhatTheLoopCannotWatchIsAnErrorOfThatLaunchAloneAndLeavesNoChild) {
  auto spawned = spawn(shell_script("sleep 300"));
  ASSERT_TRUE(spawned);
  const int pid = spawned->pid;
  spawned->master.reset();  // epoll refuses it, as it refuses any when its limit is reached
  const auto reaper = std::make_shared<Reaper>(context.get_executor());
  const auto made = make_pty(context.get_executor(), reaper, std::move(*spawned), terminal);
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code(), Errc::spawn_failed);
  EXPECT_FALSE(read_process(pid)) << "it runs, or nobody has waited for it";
  EXPECT_EQ(run("echo next"), "next\r\n");
}

TEST_F(UnixPty, WritingAfterTheExitSaysExited) {
  run("exit 0");
  const auto written = terminal.pty->write("x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), Errc::exited);
}

}  // namespace
}  // namespace ptyd
