// Which shells are tried, in which order.
#include "pty/process/shell_choice.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ptyd {
namespace {

std::string order(std::string_view preferred, std::string_view variable) {
  std::string result;
  for (const Program& program : shell_candidates(preferred, variable)) {
    result += (result.empty() ? "" : ", ") + program.path;
    for (const std::string& arg : program.args) result += ' ' + arg;
  }
  return result;
}

const std::string kUsual = "/bin/zsh -l -o nopromptsp, /bin/bash, /bin/sh, zsh -l -o nopromptsp, bash, sh";

TEST(ShellChoice, PrefersTheConfiguredThenTheServersShellThenTheUsualOnes) {
  EXPECT_EQ(order("/opt/fish", "/usr/bin/dash"), "/opt/fish, /usr/bin/dash, " + kUsual);
}

TEST(ShellChoice, TakesBashWhenNobodySaysAnything) {
  EXPECT_EQ(order("", " \t"), "bash, /bin/zsh -l -o nopromptsp, /bin/bash, /bin/sh, zsh -l -o nopromptsp, sh");
}

TEST(ShellChoice, NamesEachShellOnce) {
  EXPECT_EQ(order("/bin/bash", "/bin/bash"),
            "/bin/bash, /bin/zsh -l -o nopromptsp, /bin/sh, zsh -l -o nopromptsp, bash, sh");
}

TEST(ShellChoice, DropsArgumentsAndOneQuote) {
  for (const char* value :
       {"/opt/fish", "  /opt/fish -i -l ", "\"/opt/fish\"", "'/opt/fish'", "\"/opt/fish -i\"", "/opt/fish\t-i"}) {
    EXPECT_EQ(order(value, ""), "/opt/fish, " + kUsual) << value;
  }
  EXPECT_EQ(order("''/opt/fish", ""), "'/opt/fish, " + kUsual) << "only one";
}

TEST(ShellChoice, GivesZshItsArgumentsWhereverItLives) {
  EXPECT_EQ(shell_candidates("/usr/local/bin/zsh", "")[0].args, (std::vector<std::string>{"-l", "-o", "nopromptsp"}));
  EXPECT_TRUE(shell_candidates("/usr/local/bin/zshx", "")[0].args.empty());
}

}  // namespace
}  // namespace ptyd
