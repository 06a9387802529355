#include "pty/shell/integration.hpp"

#include <gtest/gtest.h>

#include <string>

#include "pty/shell/shell_marker.hpp"

namespace ptyd {
namespace {

const Integration kWith{std::string(kNonceDigits, 'a'), "/private/it's"};

TEST(Integration, KnowsShellsByTheirFileName) {
  EXPECT_EQ(shell_kind("/bin/bash"), ShellKind::bash);
  EXPECT_EQ(shell_kind("bash"), ShellKind::bash);
  EXPECT_EQ(shell_kind("/usr/bin/zsh"), ShellKind::zsh);
  EXPECT_EQ(shell_kind("/usr/bin/fish"), ShellKind::fish);
  for (const auto* name : {"/bin/sh", "dash", "/bin/ash"}) EXPECT_EQ(shell_kind(name), ShellKind::posix) << name;
  for (const auto* name : {"", "/bin/tcsh", "bash5", "/bin/bash/", "xbash"})
    EXPECT_EQ(shell_kind(name), ShellKind::other) << name;
}

TEST(Integration, IsThereForBashAlone) {
  EXPECT_TRUE(has_integration(ShellKind::bash));
  for (const auto kind : {ShellKind::zsh, ShellKind::fish, ShellKind::posix, ShellKind::other})
    EXPECT_FALSE(has_integration(kind));
}

TEST(Integration, GivesBashAStartFileBeforeItsOtherArguments) {
  const Program bash{"/bin/bash", {"--noprofile"}};
  EXPECT_EQ(integrated(bash, kWith), (Program{"/bin/bash", {"--rcfile", "/private/it's/rc", "--noprofile"}}));
}

TEST(Integration, ItsStartFileBeginsWithTheNonceAndTheQuotedPlace) {
  const auto text = start_text(ShellKind::bash, kWith);
  EXPECT_TRUE(text.starts_with("__ptyd_n='" + kWith.nonce + "'\n__ptyd_f='/private/it'\\''s/c'\n#"))
      << text.substr(0, 120);
  EXPECT_NE(text.find("${PROMPT_COMMAND@a}"), text.npos) << "the script is taken as it stands";
  EXPECT_TRUE(text.ends_with("__ptyd_hook\n"));
}

TEST(Integration, ACommandFollowsItsToken) {
  EXPECT_EQ(command_text(ShellKind::bash, "token", "echo a\necho b\n"), "token\necho a\necho b\n");
  EXPECT_EQ(command_text(ShellKind::bash, "token", ""), "token\n");
}

TEST(Integration, TheTypedLineIsPlainAndNotKept) {
  const auto line = typed_line(ShellKind::bash);
  EXPECT_TRUE(line.starts_with(' '));
  EXPECT_TRUE(line.ends_with('\r'));
  EXPECT_EQ(line.find_first_of("!\t\n"), line.npos);
}

}  // namespace
}  // namespace ptyd
