// The part of the server's environment that reaches a terminal.
#include "pty/process/environment.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

namespace ptyd {
namespace {

std::map<std::string, std::string> as_map(const Environment& environment) {
  return {environment.begin(), environment.end()};
}

TEST(Environment, Security18KeepsWhatIsNoneOfAChildsBusiness) {
  for (const char* name : {"PTYD_TOKEN",
                           "PTYD_",
                           "ptyd_token",
                           "LD_PRELOAD",
                           "LD_LIBRARY_PATH",
                           "NOTIFY_SOCKET",
                           "LISTEN_FDS",
                           "LISTEN_PID",
                           "T3CODE_TERMINAL_CLI_KIND",
                           "VITE_URL",
                           "PORT",
                           "Port",
                           "ELECTRON_RUN_AS_NODE",
                           "ELECTRON_RENDERER_PORT",
                           "TERM",
                           "TERMINFO",
                           "TERMINFO_DIRS",
                           "TERM_PROGRAM",
                           "TERM_PROGRAM_VERSION",
                           "TERM_SESSION_ID",
                           "GHOSTTY_RESOURCES_DIR",
                           "GHOSTTY_BIN_DIR",
                           "ITERM_PROFILE",
                           "ITERM_SESSION_ID",
                           "KITTY_WINDOW_ID",
                           "KITTY_PID",
                           "KITTY_INSTALLATION_DIR",
                           "WEZTERM_EXECUTABLE",
                           "WEZTERM_CONFIG_FILE",
                           "WEZTERM_PANE",
                           "WEZTERM_UNIX_SOCKET",
                           "ALACRITTY_SOCKET",
                           "ALACRITTY_WINDOW_ID",
                           "COLUMNS",
                           "LINES",
                           "TMUX",
                           "STY",
                           "OLDPWD",
                           "SHLVL",
                           "_",
                           "WATCHDOG_USEC"}) {
    EXPECT_TRUE(is_kept_from_children(name)) << name;
  }
  for (const char* name : {"PATH", "HOME", "JAVA_HOME", "NVM_DIR", "SSH_AUTH_SOCK", "MYPTYD_X", "OLD_LD_X", "REPORT",
                           "PORTS", "LANG", "LS_COLORS", "LESS", "TERMINAL"}) {
    EXPECT_FALSE(is_kept_from_children(name)) << name;
  }
}

TEST(Environment, SaysWhatTheTerminalIs) {
  const auto child = as_map(child_environment({{"TERM", "dumb"}, {"COLORTERM", "no"}, {"HOME", "/root"}}, {}, "/srv"));
  EXPECT_EQ(child, (std::map<std::string, std::string>{{"HOME", "/root"},
                                                       {"TERM", "xterm-256color"},
                                                       {"COLORTERM", "truecolor"},
                                                       {"TERM_PROGRAM", "ptyd"},
                                                       {"TERM_PROGRAM_VERSION", PTYD_VERSION},
                                                       {"PWD", "/srv"},
                                                       {"LANG", "C.UTF-8"}}));
}

TEST(Environment, TheRequestHasTheLastWordAndNamesAreUnique) {
  const Environment child =
      child_environment({{"A", "1"}, {"A", "2"}, {"B", "server"}},
                        {{"TERM", "vt100"}, {"T3CODE_X", "y"}, {"B", ""}, {"PWD", "/mine"}}, "/srv");
  const auto values = as_map(child);
  EXPECT_EQ(values.size(), child.size()) << "a name occurs twice";
  EXPECT_EQ(values.at("A"), "2");
  EXPECT_EQ(values.at("B"), "");
  EXPECT_EQ(values.at("TERM"), "vt100");
  EXPECT_EQ(values.at("T3CODE_X"), "y");
  EXPECT_EQ(values.at("PWD"), "/mine");
}

TEST(Environment, ARelativeCwdIsNoPwd) {
  EXPECT_EQ(as_map(child_environment({{"PWD", "/stale"}}, {}, "src")).count("PWD"), 0u);
}

TEST(AgentEnvironment, IsAnAllowListWithoutPagersAndPrompts) {
  const Environment server = {{"PATH", "/opt/bin:/bin"},
                              {"HOME", "/home/me"},
                              {"USER", "me"},
                              {"SHELL", "/bin/zsh"},
                              {"TZ", "UTC"},
                              {"LC_TIME", "de_DE.UTF-8"},
                              {"XDG_CONFIG_HOME", "/home/me/conf"},
                              {"SSL_CERT_FILE", "/etc/ca.pem"},
                              {"TERM", "dumb"},
                              {"PAGER", "less"},
                              {"LC_API_KEY", "secret"},
                              {"AWS_SECRET_ACCESS_KEY", "secret"},
                              {"PTYD_TOKEN", "secret"},
                              {"https_proxy", "http://me:secret@proxy"},
                              {"SSH_AUTH_SOCK", "/run/agent"},
                              {"XDG_RUNTIME_DIR", "/run/user/1"},
                              {"LD_PRELOAD", "/x.so"},
                              {"BASH_ENV", "/x.sh"},
                              {"COLUMNS", "7"},
                              {"PWD", "/stale"}};
  EXPECT_EQ(as_map(agent_environment(server, {}, "/srv")),
            (std::map<std::string, std::string>{{"PATH", "/opt/bin:/bin"},
                                                {"HOME", "/home/me"},
                                                {"USER", "me"},
                                                {"SHELL", "/bin/zsh"},
                                                {"TZ", "UTC"},
                                                {"LC_TIME", "de_DE.UTF-8"},
                                                {"XDG_CONFIG_HOME", "/home/me/conf"},
                                                {"SSL_CERT_FILE", "/etc/ca.pem"},
                                                {"TERM", "xterm-256color"},
                                                {"COLORTERM", "truecolor"},
                                                {"TERM_PROGRAM", "ptyd"},
                                                {"TERM_PROGRAM_VERSION", PTYD_VERSION},
                                                {"PWD", "/srv"},
                                                {"LANG", "C.UTF-8"},
                                                {"PAGER", ""},
                                                {"GIT_PAGER", "cat"},
                                                {"GIT_TERMINAL_PROMPT", "0"}}));
}

TEST(AgentEnvironment, HasAPathInAnyCase) {
  EXPECT_EQ(value_of(agent_environment({}, {}), "PATH"), kDefaultPath);
  EXPECT_EQ(value_of(agent_environment({{"PATH", ""}}, {}), "PATH"), kDefaultPath);
  EXPECT_EQ(value_of(agent_environment({{"PATH", "/bin"}}, {{"PATH", ""}}), "PATH"), "") << "it was asked for";
}

TEST(AgentEnvironment, SpeaksUtf8InTheServersLanguage) {
  const auto child = as_map(agent_environment({{"LC_ALL", "de_DE.ISO-8859-1"}}, {}));
  EXPECT_EQ(child.count("LC_ALL"), 0u);
  EXPECT_EQ(child.at("LANG"), "de_DE.ISO-8859-1");
  EXPECT_EQ(child.at("LC_CTYPE"), "C.UTF-8");
}

TEST(AgentEnvironment, TheRequestIsLiteralAndItsLaterEntriesWin) {
  const Environment child = agent_environment({{"HOME", "/root"}, {"TOKEN", "server's"}}, {{"A", "1"},
                                                                                           {"A", "$HOME `id`"},
                                                                                           {"TOKEN", "mine"},
                                                                                           {"PAGER", "less"},
                                                                                           {"TERM", "dumb"},
                                                                                           {"HOME", ""},
                                                                                           {"PTYD_X", "y"}});
  const auto values = as_map(child);
  EXPECT_EQ(values.size(), child.size()) << "a name occurs twice";
  EXPECT_EQ(values.at("A"), "$HOME `id`");
  EXPECT_EQ(values.at("TOKEN"), "mine");
  EXPECT_EQ(values.at("PAGER"), "less");
  EXPECT_EQ(values.at("TERM"), "dumb");
  EXPECT_EQ(values.at("HOME"), "");
  EXPECT_EQ(values.at("PTYD_X"), "y");
}

TEST(AgentEnvironment, WhatWouldRunOtherCodeFirstIsRefusedThoughItIsAskedFor) {
  for (const char* name : {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "BASH_ENV", "ENV", "PYTHONSTARTUP"}) {
    EXPECT_TRUE(is_refused_to_agents(name)) << name;
    EXPECT_EQ(as_map(agent_environment({}, {{name, "x"}})).count(name), 0u) << name;
  }
  for (const char* name : {"NODE_OPTIONS", "GIT_SSH_COMMAND", "PYTHONPATH", "OLD_LD_X", "ENVIRONMENT", "LD"}) {
    EXPECT_FALSE(is_refused_to_agents(name)) << name;
    EXPECT_EQ(value_of(agent_environment({}, {{name, "x"}}), name), "x") << name;
  }
}

struct LocaleCase {
  const char* name;
  Environment server;
  std::map<std::string, std::string> locale;
};

class Locale : public testing::TestWithParam<LocaleCase> {};

TEST_P(Locale, NamesUtf8) {
  std::map<std::string, std::string> found;
  for (const auto& [name, value] : child_environment(GetParam().server, {})) {
    if (name == "LANG" || name.starts_with("LC_")) found[name] = value;
  }
  EXPECT_EQ(found, GetParam().locale);
}

INSTANTIATE_TEST_SUITE_P(
    Environment, Locale,
    testing::Values(
        LocaleCase{"none", {}, {{"LANG", "C.UTF-8"}}},
        LocaleCase{"empty", {{"LANG", ""}, {"LC_ALL", ""}}, {{"LANG", "C.UTF-8"}, {"LC_ALL", ""}}},
        LocaleCase{"good_lang", {{"LANG", "de_DE.UTF-8"}}, {{"LANG", "de_DE.UTF-8"}}},
        LocaleCase{"other_spelling", {{"LANG", "en_US.utf8"}}, {{"LANG", "en_US.utf8"}}},
        LocaleCase{"only_ctype", {{"LC_CTYPE", "C.UTF-8"}}, {{"LC_CTYPE", "C.UTF-8"}}},
        LocaleCase{"plain_c", {{"LANG", "C"}}, {{"LANG", "C"}, {"LC_CTYPE", "C.UTF-8"}}},
        LocaleCase{"latin", {{"LANG", "de_DE.ISO-8859-1"}}, {{"LANG", "de_DE.ISO-8859-1"}, {"LC_CTYPE", "C.UTF-8"}}},
        LocaleCase{"ctype_beats_lang",
                   {{"LANG", "de_DE.UTF-8"}, {"LC_CTYPE", "C"}},
                   {{"LANG", "de_DE.UTF-8"}, {"LC_CTYPE", "C.UTF-8"}}},
        LocaleCase{"all_beats_everything",
                   {{"LC_ALL", "POSIX"}, {"LANG", "de_DE.UTF-8"}},
                   {{"LANG", "POSIX"}, {"LC_CTYPE", "C.UTF-8"}}},
        LocaleCase{"good_all", {{"LC_ALL", "C.UTF-8"}, {"LANG", "C"}}, {{"LC_ALL", "C.UTF-8"}, {"LANG", "C"}}}),
    [](const auto& param) { return param.param.name; });

TEST(Environment, TheCurrentOneIsRead) {
  ASSERT_EQ(::setenv("PTYD_TEST_VALUE", "a=b", 1), 0);
  EXPECT_EQ(value_of(current_environment(), "PTYD_TEST_VALUE"), "a=b");
  ::unsetenv("PTYD_TEST_VALUE");
  EXPECT_EQ(value_of(current_environment(), "PTYD_TEST_VALUE"), "");
}

TEST(Environment, TheLastValueOfANameCounts) {
  EXPECT_EQ(value_of({{"A", "1"}, {"B", "x"}, {"A", "2"}}, "A"), "2");
  EXPECT_EQ(value_of({{"A", ""}}, "A", "otherwise"), "");
  EXPECT_EQ(value_of({{"A", ""}}, "B", "otherwise"), "otherwise");
}

}  // namespace
}  // namespace ptyd
