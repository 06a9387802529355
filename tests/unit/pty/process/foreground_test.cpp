// The program in the foreground of a real terminal.
#include "pty/process/foreground.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include "pty/process/unix_pty.hpp"
#include "tests/support/pty/process/terminal_test.hpp"

namespace ptyd {
namespace {

using ForegroundTest = TerminalTest;

TEST_F(ForegroundTest, IsAProgramAndItsDirectory) {
  ASSERT_TRUE(
      terminal.start(shell_script("set -m; cd /usr; (cd /etc; exec sleep 100000) & echo ready; fg", "/bin/bash")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  const auto is_there = [&] {
    const auto foreground = terminal.pty->foreground();
    return foreground && foreground->name == "sleep" && foreground->cwd == "/etc";
  };
  EXPECT_TRUE(eventually(context, is_there));
  EXPECT_TRUE(terminal.pty->signal(SIGTERM));
  ASSERT_TRUE(terminal.wait_for_end());
  EXPECT_FALSE(terminal.pty->foreground()) << "it has ended";
}

TEST_F(ForegroundTest, IsWhatIsLeftOfAPipelineWhoseFirstProgramHasEnded) {
  for (const char* shell : {"/bin/bash", "/bin/sh"}) {
    Terminal other{context, launcher};
    ASSERT_TRUE(other.start(shell_script("set -m; true | sleep 100000", shell)));
    const auto is_there = [&] {
      const auto foreground = other.pty->foreground();
      return foreground && foreground->name == "sleep";
    };
    EXPECT_TRUE(eventually(context, is_there)) << shell;
    EXPECT_TRUE(other.pty->signal(SIGTERM));
    ASSERT_TRUE(other.wait_for_end());
  }
}

TEST_F(ForegroundTest, HasNoDirectoryThatWasRemoved) {
  ASSERT_TRUE(terminal.start(shell_script("d=$(mktemp -d); cd $d; rmdir $d; echo ready; read line")));
  ASSERT_TRUE(terminal.wait_for("ready"));
  const auto foreground = terminal.pty->foreground();
  ASSERT_TRUE(foreground);
  EXPECT_EQ(foreground->name, "sh");
  EXPECT_EQ(foreground->cwd, "");
}

}  // namespace
}  // namespace ptyd
