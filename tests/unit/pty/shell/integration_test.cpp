#include "pty/shell/integration.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "pty/shell/shell_marker.hpp"

namespace ptyd {
namespace {

const Integration kWith{std::string(kNonceDigits, 'a'), "/private/it's"};
const std::vector kKinds = {ShellKind::bash, ShellKind::zsh, ShellKind::fish, ShellKind::posix};

LaunchSpec integrated(ShellKind kind, Program program, Environment environment = {}) {
  LaunchSpec spec{{std::move(program)}, "/", std::move(environment), {}};
  integrate(spec, kind, kWith);
  return spec;
}
Integration with_theirs(std::string theirs) {
  auto with = kWith;
  with.theirs = std::move(theirs);
  return with;
}

TEST(Integration, KnowsShellsByTheirFileName) {
  EXPECT_EQ(shell_kind("/bin/bash"), ShellKind::bash);
  EXPECT_EQ(shell_kind("bash"), ShellKind::bash);
  EXPECT_EQ(shell_kind("/usr/bin/zsh"), ShellKind::zsh);
  EXPECT_EQ(shell_kind("/usr/bin/fish"), ShellKind::fish);
  for (const auto* name : {"/bin/sh", "dash", "/bin/ash"}) EXPECT_EQ(shell_kind(name), ShellKind::posix) << name;
  for (const auto* name : {"", "/bin/tcsh", "bash5", "/bin/bash/", "xbash"})
    EXPECT_EQ(shell_kind(name), ShellKind::other) << name;
}

TEST(Integration, IsThereForEveryShellThatIsKnown) {
  for (const auto kind : kKinds) EXPECT_TRUE(has_integration(kind));
  EXPECT_FALSE(has_integration(ShellKind::other));
}

TEST(Integration, KnowsThatFishTellsItsEndsOtherwise) {
  for (const auto kind : kKinds) {
    EXPECT_EQ(tells_end_of_exit(kind), kind == ShellKind::fish);
    EXPECT_EQ(keeps_prompt_on_interrupt(kind), kind == ShellKind::fish);
  }
}

TEST(Integration, ShowsBashAStartFileBeforeItsOtherArguments) {
  const auto spec = integrated(ShellKind::bash, {"/bin/bash", {"--noprofile"}}, {{"ENV", "x"}});
  EXPECT_EQ(spec.candidates.at(0), (Program{"/bin/bash", {"--rcfile", "/private/it's/rc", "--noprofile"}}));
  EXPECT_EQ(spec.environment, (Environment{{"ENV", "x"}}));
}

TEST(Integration, ShowsZshAFolderWithAFileOfItsName) {
  const auto spec = integrated(ShellKind::zsh, {"zsh", {"-l"}}, {{"ZDOTDIR", "/mine"}, {"A", "1"}});
  EXPECT_EQ(spec.candidates.at(0), (Program{"zsh", {"-l"}}));
  EXPECT_EQ(spec.environment, (Environment{{"A", "1"}, {"ZDOTDIR", "/private/it's"}}));
  EXPECT_EQ(kWith.start_file(ShellKind::zsh), "/private/it's/.zshenv");
}

TEST(Integration, HasFishReadOursBehindItsConfiguration) {
  const auto spec = integrated(ShellKind::fish, {"fish", {}});
  EXPECT_EQ(spec.candidates.at(0), (Program{"fish", {"-C", "source '/private/it\\'s/rc'"}}));
  EXPECT_TRUE(spec.environment.empty());
}

TEST(Integration, ShowsOtherShellsAFileByEnvWhoseValueIsExpanded) {
  LaunchSpec spec{{{"dash", {}}}, "/", {{"ENV", "/mine"}}, {}};
  integrate(spec, ShellKind::posix, Integration{"", "/a$b`c\"d\\e"});
  EXPECT_EQ(spec.environment, (Environment{{"ENV", "/a\\$b\\`c\\\"d\\\\e/rc"}}));
}

TEST(Integration, StartFilesBeginWithTheNonceAndTheQuotedPlace) {
  const auto variables = "__ptyd_n='" + kWith.nonce + "'\n__ptyd_f='/private/it'\\''s/c'\n";
  EXPECT_TRUE(start_text(ShellKind::bash, kWith).starts_with(variables + "#"));
  EXPECT_TRUE(start_text(ShellKind::zsh, kWith).starts_with(variables + "#"));
  EXPECT_TRUE(start_text(ShellKind::posix, kWith).starts_with(variables + "unset ENV\n__ptyd_v=\n#"));
  EXPECT_TRUE(start_text(ShellKind::fish, kWith)
                  .starts_with("set -g __ptyd_n '" + kWith.nonce + "'\nset -g __ptyd_f '/private/it\\'s/c'\n#"));
  EXPECT_NE(start_text(ShellKind::bash, kWith).find("${PROMPT_COMMAND@a}"), std::string::npos)
      << "the script is taken as it stands";
}

TEST(Integration, StartFilesGiveBackWhatTheUserHas) {
  EXPECT_NE(start_text(ShellKind::zsh, with_theirs("/it's")).find("\n__ptyd_z='/it'\\''s'\n#"), std::string::npos);
  EXPECT_NE(
      start_text(ShellKind::posix, with_theirs("$HOME/\"x")).find("\nENV='$HOME/\"x'\n__ptyd_v=\"$HOME/\\\"x\"\n#"),
      std::string::npos);
  EXPECT_NE(start_text(ShellKind::posix, with_theirs("x\\")).find("\n__ptyd_v=\"x\\\\\"\n#"), std::string::npos)
      << "the quotes are closed";
  EXPECT_EQ(start_variable(ShellKind::zsh), "ZDOTDIR");
  EXPECT_EQ(start_variable(ShellKind::posix), "ENV");
  for (const auto kind : {ShellKind::bash, ShellKind::fish}) EXPECT_EQ(start_variable(kind), "");
}

TEST(Integration, ACommandFollowsItsToken) {
  for (const auto kind : {ShellKind::bash, ShellKind::zsh, ShellKind::fish}) {
    EXPECT_EQ(command_text(kind, "token", "echo a\necho b\n"), "token\necho a\necho b\n");
    EXPECT_EQ(command_text(kind, "token", ""), "token\n");
  }
}

TEST(Integration, ACommandOfOtherShellsIsAScript) {
  const std::string begin = "{ __ptyd_b token \"$?\" && :; } 2>/dev/null\n",
                    end = "{ __ptyd_e \"$?\" && :; } 2>/dev/null\n";
  for (const std::string text : {"echo a", "sleep 1 &"})
    EXPECT_EQ(command_text(ShellKind::posix, "token", text), begin + text + "\n" + end);
  for (const std::string text : {"cat <<EOF", "echo \\", "echo a &&", "echo a ||\n", "echo a | "})
    EXPECT_EQ(command_text(ShellKind::posix, "token", text), begin + text + "\n") << "it could run into ours";
}

TEST(Integration, TheTypedLineIsPlainAndNotKept) {
  for (const auto kind : kKinds) {
    const auto line = typed_line(kind);
    EXPECT_TRUE(line.starts_with(' '));
    EXPECT_TRUE(line.ends_with('\r'));
    EXPECT_EQ(line.find_first_of("!\t\n"), line.npos);
  }
}

}  // namespace
}  // namespace ptyd
