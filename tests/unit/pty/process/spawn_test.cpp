// Which candidate runs, and what is said when none does.
#include "pty/process/spawn.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/support/pty/process/terminal.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

class Spawn : public testing::Test {
 protected:
  boost::asio::io_context context;
  UnixLauncher launcher{context.get_executor()};
  Terminal terminal{context, launcher};
  const test::TemporaryDirectory own;
  const std::string folder = own.path().string();

  void TearDown() override {
    terminal.pty.reset();
    EXPECT_TRUE(run_dry(context)) << "something still waits for a child";
  }

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
