// Which candidate runs, and what is said when none does.
#include "pty/process/spawn.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <climits>
#include <cstring>
#include <fstream>

#include "pty/process/process_tree.hpp"
#include "tests/support/pty/process/terminal_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

class Spawn : public TerminalTest {
 protected:
  const test::TemporaryDirectory own;
  const std::string folder = own.path().string();

  std::string make_file(const std::string& name, mode_t mode, const std::string& text) {
    const std::string path = folder + "/" + name;
    std::ofstream(path) << text;
    ::chmod(path.c_str(), mode);
    return path;
  }
  Error refusal(LaunchSpec spec) {
    EXPECT_FALSE(terminal.start(std::move(spec)));
    EXPECT_FALSE(terminal.told_in_call) << "answered from inside launch()";
    return terminal.error.value_or(Error());
  }
};

TEST_F(Spawn, TakesTheFirstCandidateThatExists) {
  LaunchSpec spec = shell_script("echo from $0");
  spec.candidates.insert(spec.candidates.begin(), {"/no/such/shell", {}});
  spec.candidates.insert(spec.candidates.begin(), {"/bin/sh/not-a-directory", {}});
  spec.candidates.push_back({"/bin/false", {}});
  ASSERT_TRUE(terminal.start(spec)) << terminal.error->detail();
  EXPECT_TRUE(terminal.wait_for("from /bin/sh"));
  EXPECT_EQ(terminal.pty->candidate(), 2u);
}

TEST_F(Spawn, Security21AChildIsNotSparedWhenMemoryRunsOutThoughTheServerIs) {
  const std::string file = "/proc/self/oom_score_adj";
  std::string before, after;
  std::getline(std::ifstream(file) >> std::ws, before);
  const bool may_be_spared = static_cast<bool>(std::ofstream(file) << "-500" << std::flush);  // root may
  ASSERT_TRUE(terminal.start(shell_script("echo \"score $(cat /proc/self/oom_score_adj).\"")));
  EXPECT_TRUE(terminal.wait_for("score " + (may_be_spared ? "0" : before) + "."));
  std::getline(std::ifstream(file) >> std::ws, after);
  EXPECT_EQ(after, may_be_spared ? "-500" : before);
  std::ofstream(file) << before;
}

TEST_F(Spawn, ANameThatIsTooLongIsNotThere) {
  LaunchSpec spec = shell_script("echo from $0");
  spec.candidates.insert(spec.candidates.begin(), {std::string(NAME_MAX + 1, 'x'), {}});
  spec.candidates.insert(spec.candidates.begin(), {"/" + std::string(PATH_MAX, 'x'), {}});
  ASSERT_TRUE(terminal.start(spec)) << terminal.error->detail();
  EXPECT_TRUE(terminal.wait_for("from /bin/sh"));
}

TEST_F(Spawn, AScriptWithoutItsFirstLineIsRunByShAsExecvpDoesIt) {
  const std::string script = make_file("script", 0700, "printf '<%s>' \"$0\" \"$@\"\n");
  LaunchSpec spec = shell_script("");
  spec.candidates = {{script, {"a b", "", "c"}}};
  ASSERT_TRUE(terminal.start(spec)) << terminal.error->detail();
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_EQ(terminal.output, "<" + script + "><a b><><c>");
}

TEST_F(Spawn, AScriptWithoutItsFirstLineIsFoundInThePathToo) {
  const std::string script = make_file("script", 0700, "echo I am $0\n");
  LaunchSpec spec = shell_script("");
  spec.candidates = {{"script", {}}};
  spec.environment = {{"PATH", "/no/such:" + folder}};
  ASSERT_TRUE(terminal.start(spec)) << terminal.error->detail();
  EXPECT_TRUE(terminal.wait_for("I am " + script));
}

TEST_F(Spawn, AProgramForAnotherMachineIsNoScript) {
  const std::string foreign = make_file("foreign", 0700,
                                        std::string("\x7f"
                                                    "ELF\0\0 echo run by a shell\n",
                                                    28));
  LaunchSpec spec = shell_script("");
  spec.candidates = {{foreign, {}}};
  const Error error = refusal(spec);
  EXPECT_EQ(error.detail(), "Failed to start " + foreign + ": Exec format error. Tried shells: " + foreign + ".");
  EXPECT_EQ(error.exec_error(), ENOEXEC);
}

TEST_F(Spawn, LooksIntoSoManyDirectoriesOfThePathAndNoMore) {
  make_file("tool", 0700, "#!/bin/sh\necho my tool\n");
  LaunchSpec spec = shell_script("");
  spec.candidates = {{"tool", {}}, {"/bin/sh", {"-c", "echo not found"}}};
  constexpr int kDirectories = 1024;
  std::string path = folder;
  for (int i = 1; i < kDirectories; ++i) path = "/no:" + path;
  spec.environment = {{"PATH", path}};
  ASSERT_TRUE(terminal.start(spec));
  EXPECT_TRUE(terminal.wait_for("my tool"));
  spec.environment = {{"PATH", "/no:" + path}};
  Terminal beyond(context, launcher);
  ASSERT_TRUE(beyond.start(spec));
  EXPECT_TRUE(beyond.wait_for("not found"));
}

TEST_F(Spawn, ADirectoryOfThePathThatMayNotBeSearchedHoldsNothing) {
  const std::string closed = folder + "/closed";
  ASSERT_EQ(::mkdir(closed.c_str(), 0), 0);
  LaunchSpec spec = shell_script("");
  spec.candidates = {{"ls -la", {}}, {"/bin/sh", {"-c", "exit 0"}}};
  spec.environment = {{"PATH", closed}};
  constexpr unsigned kNobody = 65534;
  const auto before = static_cast<unsigned>(::setfsuid(kNobody));  // nothing is closed to root
  const auto spawned = spawn(spec);
  ::setfsuid(before);
  ASSERT_TRUE(spawned) << spawned.error().detail();
  EXPECT_EQ(spawned->candidate, 1u);
}

TEST_F(Spawn, SaysWhatWasTriedWhenNothingExists) {
  LaunchSpec spec = shell_script("");
  spec.candidates = {{"/no/zsh", {"--token=secret"}}, {"no-such-shell", {}}};
  const Error error = refusal(spec);
  EXPECT_EQ(error.code(), Errc::spawn_failed);
  EXPECT_EQ(error.detail(),
            "Failed to start no-such-shell: No such file or directory. Tried shells: /no/zsh, no-such-shell.");
}

TEST_F(Spawn, StopsAtACandidateThatIsThereButCannotRun) {
  LaunchSpec spec = shell_script("");
  const std::string forbidden = make_file("forbidden", 0600, "#!/bin/sh\n");
  spec.candidates.insert(spec.candidates.begin(), {{"/no/zsh", {}}, {forbidden, {}}});
  const Error error = refusal(spec);
  EXPECT_EQ(error.code(), Errc::spawn_failed);
  EXPECT_EQ(error.detail(),
            "Failed to start " + forbidden + ": Permission denied. Tried shells: /no/zsh, " + forbidden + ".");
}

TEST_F(Spawn, LooksForNamesInTheChildsPath) {
  make_file("tool", 0700, "#!/bin/sh\necho my tool\n");
  LaunchSpec spec = shell_script("");
  spec.candidates = {{"tool", {}}};
  spec.environment = {{"PATH", "/no/such:" + folder + ":/usr/bin:/bin"}};
  ASSERT_TRUE(terminal.start(spec)) << terminal.error->detail();
  EXPECT_TRUE(terminal.wait_for("my tool"));
}

TEST_F(Spawn, PrefersSayingForbiddenToSayingMissingAlongThePath) {
  make_file("tool", 0600, "#!/bin/sh\n");
  LaunchSpec spec = shell_script("");
  spec.candidates = {{"tool", {}}};
  spec.environment = {{"PATH", folder + ":/no/such"}};
  EXPECT_EQ(refusal(spec).detail(), "Failed to start tool: Permission denied. Tried shells: tool.");
}

TEST_F(Spawn, ReportsADirectoryThatVanishedBeforeTheChildGotThere) {
  LaunchSpec spec = shell_script("");
  spec.cwd = folder + "/gone";
  const Error error = refusal(spec);
  EXPECT_EQ(error.code(), Errc::bad_cwd);
  EXPECT_EQ(error.detail(), "Terminal cwd cannot be entered: " + folder + "/gone: No such file or directory");
}

TEST_F(Spawn, RefusesWhatNoExecCanTake) {
  const auto refused = [](LaunchSpec spec) {
    const auto result = spawn(spec);
    return result ? std::string("accepted") : result.error().detail();
  };
  const LaunchSpec good = shell_script("true");
  LaunchSpec spec = good;
  spec.environment.emplace_back("A=B", "x");
  EXPECT_EQ(refused(spec), "env: a name is empty or contains '='");
  spec = good;
  spec.environment.emplace_back("NUL", std::string("a\0b", 3));
  EXPECT_EQ(refused(spec), "env.NUL: contains a NUL byte");
  spec = good;
  spec.candidates[0].args.push_back(std::string("a\0b", 3));
  EXPECT_EQ(refused(spec), "argument: contains a NUL byte");
  spec = good;
  spec.cwd = std::string("/\0", 2);
  EXPECT_EQ(refused(spec), "cwd: contains a NUL byte");
  spec.candidates.clear();
  EXPECT_EQ(refused(spec), "candidates: there is no program to start");
}

TEST_F(Spawn, SaysWhyArgumentsTooLongForTheKernelCannotRun) {
  LaunchSpec spec = shell_script("");
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  spec.candidates[0].args.push_back(std::string(32 * page, 'x'));  // Linux' MAX_ARG_STRLEN, and the NUL makes it longer
  EXPECT_EQ(refusal(spec).detail(), "Failed to start /bin/sh: Argument list too long. Tried shells: /bin/sh.");
}

TEST_F(Spawn, Security20CwdIsCheckedInTheReferencesWords) {
  const std::string file = make_file("file", 0600, "");
  EXPECT_TRUE(check_cwd(folder));
  ::symlink(folder.c_str(), (folder + "/link").c_str());
  EXPECT_TRUE(check_cwd(folder + "/link"));
  EXPECT_EQ(check_cwd(folder + "/gone").error().code(), Errc::bad_cwd);
  EXPECT_EQ(check_cwd(folder + "/gone").error().detail(), "Terminal cwd does not exist: " + folder + "/gone");
  EXPECT_EQ(check_cwd(file).error().detail(), "Terminal cwd is not a directory: " + file);
  EXPECT_EQ(check_cwd(file + "/x").error().detail(), "Terminal cwd does not exist: " + file + "/x");
  EXPECT_EQ(check_cwd(std::string(5000, 'x')).error().code(), Errc::bad_cwd);
}

/// A program whose exec hangs, as on a drive that never answers: its kernel waits until this lease is given back.
class Leased {
 public:
  explicit Leased(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    ::fcntl(file_.get(), F_SETSIG, SIGURG);  // which nobody minds
    EXPECT_EQ(::fcntl(file_.get(), F_SETLEASE, F_WRLCK), 0) << std::strerror(errno);
  }

 private:
  const UniqueFd file_;
};

TEST_F(Spawn, AProgramThatDoesNotStartInTimeIsGivenUpAndLeavesNobody) {
  LaunchSpec spec = shell_script("");
  const std::string hanging = make_file("hanging", 0700, "#!/bin/sh\n");
  spec.candidates = {{hanging, {"--token=secret"}}, {"/bin/sh", {}}};
  const Leased lease(hanging);
  const auto spawned = spawn(spec, std::chrono::seconds(1));
  ASSERT_FALSE(spawned);
  EXPECT_EQ(spawned.error().code(), Errc::spawn_failed);
  EXPECT_EQ(spawned.error().exec_error(), 0) << "an agent is not told that there is no such program";
  EXPECT_EQ(
      spawned.error().detail(),
      "Failed to start " + hanging + " in /: there was no answer for 1 s. Tried shells: " + hanging + ", /bin/sh.");
  EXPECT_TRUE(ProcessTree().children(::getpid()).empty());
}

TEST_F(Spawn, AProgramThatHasStartedMayRunLongerThanItsStartMayTake) {
  const auto spec = shell_script("sleep 1.2; exit 7");
  int pid = 0;
  UniqueFd master;
  while (pid == 0) {  // again where the machine stood still for a second
    auto spawned = spawn(spec, std::chrono::seconds(1));
    if (!spawned) continue;
    pid = spawned->take_on();
    master = std::move(spawned->master);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_TRUE(WIFEXITED(status)) << "ended by signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

TEST_F(Spawn, AChildThatNobodyTakesOnIsEnded) {
  int pid = 0;
  {
    const auto spawned = spawn(shell_script("sleep 300"));
    ASSERT_TRUE(spawned);
    pid = spawned->pid;
  }
  EXPECT_FALSE(read_process(pid)) << "it runs, or nobody has waited for it";
}

TEST_F(Spawn, ALauncherThatGoesAwayAnswersNobodyAndLeavesNothingRunning) {
  auto leaving = std::make_unique<UnixLauncher>(context.get_executor());
  Terminal abandoned(context, *leaving);
  abandoned.launch(shell_script("sleep 300"));
  leaving.reset();
  EXPECT_TRUE(run_dry(context)) << "something still waits for a child";
  EXPECT_FALSE(abandoned.answered);
}

}  // namespace
}  // namespace ptyd
