#include "server/config/config.hpp"

#include <gtest/gtest.h>

#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using test::TemporaryDirectory;

std::variant<ServeConfig, int> parse(std::vector<std::string> arguments) {
  std::vector<const char*> argv{"ptyd serve"};
  for (const auto& argument : arguments) argv.push_back(argument.c_str());
  return parse_serve(static_cast<int>(argv.size()), argv.data());
}

/// The complaint when `arguments` are refused; fails when they are taken.
std::string refusal(std::vector<std::string> arguments) {
  ::testing::internal::CaptureStderr();
  const auto parsed = parse(std::move(arguments));
  auto printed = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(std::holds_alternative<int>(parsed)) << "was taken";
  EXPECT_NE(std::holds_alternative<int>(parsed) ? std::get<int>(parsed) : -1, 0);
  return printed;
}

class Environment {
 public:
  Environment(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
  ~Environment() { ::unsetenv(name_); }

 private:
  const char* name_;
};

TEST(Config, DefaultsAreSafe) {
  const Environment state("XDG_STATE_HOME", "/somewhere");
  const auto config = std::get<ServeConfig>(parse({}));
  ASSERT_EQ(config.net.listen.size(), 1U);
  EXPECT_EQ(to_string(config.net.listen[0]), "127.0.0.1:7681");
  EXPECT_EQ(config.net.auth, AuthMode::token);
  EXPECT_EQ(config.sessions.state_dir, "/somewhere/ptyd");
  EXPECT_GE(config.threads, 1U);
  EXPECT_FALSE(config.net.deflate);
  EXPECT_TRUE(config.warnings.empty());
}

TEST(Config, StateGoesToTheHomeDirectoryWithoutXdg) {
  ::unsetenv("XDG_STATE_HOME");
  const Environment home("HOME", "/home/someone");
  EXPECT_EQ(default_state_dir(), "/home/someone/.local/state/ptyd");
}

TEST(Config, ListensOnSeveralAddresses) {
  const auto config =
      std::get<ServeConfig>(parse({"--listen", "127.0.0.1:0", "--listen", "unix:/tmp/p.sock", "--listen=[::1]:0"}));
  ASSERT_EQ(config.net.listen.size(), 3U);
  EXPECT_TRUE(config.net.listen[1].is_unix());
  EXPECT_EQ(config.net.listen[2].ip, "::1");
}

TEST(Config, Security5AuthNoneIsForThisMachineOnly) {
  for (const char* address : {"0.0.0.0:1", "[::]:1", "192.168.0.1:1", "*:1"}) {
    EXPECT_NE(refusal({"--auth", "none", "--listen", address}).find("can be reached from other machines"),
              std::string::npos);
  }
  EXPECT_NE(refusal({"--auth", "none", "--listen", "127.0.0.1:1", "--listen", "0.0.0.0:1"}).find("0.0.0.0:1"),
            std::string::npos);
  for (const char* address : {"127.0.0.1:1", "[::1]:1", "unix:/tmp/p.sock"}) {
    EXPECT_TRUE(std::holds_alternative<ServeConfig>(parse({"--auth", "none", "--listen", address}))) << address;
  }
}

TEST(Config, Security5TheClearIsWarnedOf) {
  EXPECT_EQ(std::get<ServeConfig>(parse({"--listen", "0.0.0.0:1"})).warnings.size(), 1U);
  EXPECT_TRUE(std::get<ServeConfig>(parse({"--listen", "0.0.0.0:1", "--public-url", "https://a.b/"})).warnings.empty());
  EXPECT_TRUE(
      std::get<ServeConfig>(parse({"--listen", "0.0.0.0:1", "--tls-cert", "/c", "--tls-key", "/k"})).warnings.empty());
  EXPECT_EQ(std::get<ServeConfig>(parse({"--auth", "none", "--public-url", "https://a.b/"})).warnings.size(), 1U);
}

TEST(Config, RefusalsNameTheOption) {
  EXPECT_NE(refusal({"--listen", "nowhere"}).find("--listen"), std::string::npos);
  EXPECT_NE(refusal({"--public-url", "a.b"}).find("--public-url"), std::string::npos);
  EXPECT_NE(refusal({"--tls-cert", "/c"}).find("--tls-key"), std::string::npos);
  EXPECT_NE(refusal({"--web-dir", "/nonexistent"}).find("--web-dir"), std::string::npos);
  EXPECT_NE(refusal({"--auth", "password"}).find("--auth"), std::string::npos);
  EXPECT_NE(refusal({"--ping-interval", "5", "--ping-timeout", "5"}).find("--ping-timeout"), std::string::npos);
  EXPECT_NE(refusal({"--no-such-option"}).find("--no-such-option"), std::string::npos);
}

TEST(Config, LimitsHaveEdges) {
  for (const auto& [option, least, most] :
       {std::tuple{"--threads", "1", "256"}, std::tuple{"--max-sessions", "1", "4096"},
        std::tuple{"--max-connections", "1", "100000"}}) {
    EXPECT_TRUE(std::holds_alternative<ServeConfig>(parse({option, least})));
    EXPECT_TRUE(std::holds_alternative<ServeConfig>(parse({option, most})));
    EXPECT_NE(refusal({option, "0"}).find(option), std::string::npos);
    EXPECT_NE(refusal({option, std::string(most) + "1"}).find(option), std::string::npos);
  }
}

TEST(Config, WhatIsKeptAndForHowLongHasEdges) {
  const auto kept = [](std::vector<std::string> arguments) {
    const auto config = std::get<ServeConfig>(parse(std::move(arguments)));
    return std::tuple(config.sessions.retention.days, config.sessions.retention.bytes, config.sessions.linger.count());
  };
  EXPECT_EQ(kept({}), std::tuple(30U, 1U << 30, 10'000));
  EXPECT_EQ(kept({"--retain-days", "0", "--retain-size", "0", "--linger", "0.01"}), std::tuple(0U, 0U, 10));
  EXPECT_EQ(kept({"--retain-days", "36500", "--retain-size", "500M", "--linger", "3600"}),
            std::tuple(36500U, 500U << 20, 3'600'000));
  EXPECT_NE(refusal({"--retain-days", "36501"}).find("--retain-days"), std::string::npos);
  EXPECT_NE(refusal({"--retain-size", "-1"}).find("--retain-size"), std::string::npos);
  EXPECT_NE(refusal({"--retain-size", "much"}).find("--retain-size"), std::string::npos);
  EXPECT_NE(refusal({"--linger", "0"}).find("--linger"), std::string::npos);
  EXPECT_NE(refusal({"--linger", "3601"}).find("--linger"), std::string::npos);
}

TEST(Config, TimesThatAreNoNumbersAreRefusedByName) {
  for (const char* option : {"--ping-interval", "--ping-timeout", "--linger", "--agent-linger"})
    for (const char* time : {"nan", "-nan", "NaN", "inf", "-inf", "soon"})
      EXPECT_NE(refusal({std::string(option) + "=" + time}).find(option), std::string::npos) << time;
}

TEST(Config, EverythingIsTakenFromTheEnvironmentToo) {
  const Environment listen("PTYD_LISTEN", "127.0.0.1:1,unix:/tmp/p.sock"), threads("PTYD_THREADS", "3"),
      auth("PTYD_AUTH", "none"), url("PTYD_PUBLIC_URL", "http://a.b/c"), deflate("PTYD_DEFLATE", "true");
  const auto config = std::get<ServeConfig>(parse({}));
  EXPECT_EQ(config.net.listen.size(), 2U);
  EXPECT_EQ(config.threads, 3U);
  EXPECT_EQ(config.net.auth, AuthMode::none);
  EXPECT_EQ(config.net.public_url->base_path, "/c");
  EXPECT_TRUE(config.net.deflate);
}

TEST(Config, EverythingIsTakenFromAFileTooAndFlagsCountMore) {
  const TemporaryDirectory temporary;
  const auto file = temporary.write(
      "ptyd.toml", "listen = [\"127.0.0.1:1\", \"[::1]:2\"]\nthreads = 3\nmax-sessions = 7\ndeflate = true\n");
  const auto config = std::get<ServeConfig>(parse({"--config", file.string(), "--threads", "5"}));
  EXPECT_EQ(config.net.listen.size(), 2U);
  EXPECT_EQ(config.threads, 5U);
  EXPECT_EQ(config.sessions.max_sessions, 7U);
  EXPECT_TRUE(config.net.deflate);
}

TEST(Config, TheEnvironmentCountsMoreThanTheFileAndLessThanFlags) {
  const TemporaryDirectory temporary;
  const auto file = temporary.write("ptyd.toml", "threads = 3\nmax-sessions = 3\nlisten = \"127.0.0.1:3\"\n").string();
  const Environment threads("PTYD_THREADS", "4"), sessions("PTYD_MAX_SESSIONS", "4"),
      listen("PTYD_LISTEN", "127.0.0.1:4"), config_file("PTYD_CONFIG", file);
  const auto config = std::get<ServeConfig>(parse({"--threads", "5", "--listen=127.0.0.1:5"}));
  EXPECT_EQ(config.threads, 5U);
  EXPECT_EQ(config.sessions.max_sessions, 4U);
  ASSERT_EQ(config.net.listen.size(), 1U);
  EXPECT_EQ(config.net.listen[0].port, 5);
}

/// The configuration that a file of this text makes.
ServeConfig in_file(const std::string& text) {
  const TemporaryDirectory temporary;
  auto parsed = parse({"--config", temporary.write("ptyd.conf", text).string()});
  EXPECT_TRUE(std::holds_alternative<ServeConfig>(parsed)) << text;
  return std::holds_alternative<ServeConfig>(parsed) ? std::get<ServeConfig>(std::move(parsed)) : ServeConfig();
}

std::string refusal_of_file(const std::string& text) {
  const TemporaryDirectory temporary;
  return refusal({"--config", temporary.write("ptyd.conf", text).string()});
}

std::string addresses(const ServeConfig& config) {
  std::string all;
  for (const auto& address : config.net.listen) all += to_string(address) + ";";
  return all;
}

TEST(Config, AFileTakesAnIpv6AddressAsItIsDocumented) {
  const auto config = in_file("listen = [::1]:7681\nthreads = 3\n");
  EXPECT_EQ(addresses(config), "[::1]:7681;");
  EXPECT_EQ(config.threads, 3U) << "the rest of the file counts too";
}

TEST(Config, AFileTakesListsInEachForm) {
  const std::string both = "[::1]:1;unix:/s;";
  for (const auto* text : {"listen = [::1]:1, unix:/s", "listen = [::1]:1,unix:/s", "listen = [[::1]:1, unix:/s]",
                           "listen = [\"[::1]:1\", 'unix:/s']", "listen = \"[::1]:1\", \"unix:/s\"",
                           "listen = [::1]:1\nthreads = 3\nlisten = unix:/s", "listen = [::1]:1\nlisten = unix:/s",
                           "listen = [  # both\n  \"[::1]:1\",\n  # the last\n  unix:/s,  # of two\n]\nthreads = 3"})
    EXPECT_EQ(addresses(in_file(text)), both) << text;
  EXPECT_EQ(addresses(in_file("listen = [::1]:1, [::1]:2")), "[::1]:1;[::1]:2;");
}

TEST(Config, AHashInQuotesIsNoComment) {
  EXPECT_EQ(in_file("shell = \"/opt/ #1/zsh\" # mine").sessions.shell, "/opt/ #1/zsh");
  EXPECT_EQ(in_file("shell = '/opt/\"#1\"/zsh'").sessions.shell, "/opt/\"#1\"/zsh");
  EXPECT_EQ(in_file("shell = /opt/#1/zsh # mine").sessions.shell, "/opt/#1/zsh");
  EXPECT_EQ(in_file("shell = /opt/zsh\t# \"mine").sessions.shell, "/opt/zsh");
  EXPECT_EQ(in_file("shell = /my opt/o'brien\r\n").sessions.shell, "/my opt/o'brien");
}

TEST(Config, AFileHasCommentsAndFlags) {
  const auto config = in_file("; a = b\n\n# c = d\n  deflate # e = f\nthreads=3\n");
  EXPECT_TRUE(config.net.deflate);
  EXPECT_EQ(config.threads, 3U);
  EXPECT_FALSE(in_file("deflate = false").net.deflate);
}

TEST(Config, AFileThatCannotBeReadIsRefusedWithTheLine) {
  const std::pair<const char*, const char*> files[] = {
      {"threads = 3\nshell = \"/bin/sh\n", "line 2: a quote has no end"},
      {"shell = '/bin/sh # mine'\nlisten = \"[::1]:1\", \"x", "line 2: a quote has no end"},
      {"shell = /bin/sh\"", "line 1: a quote has no beginning"},
      {"\nshell = \"/bin\"/sh", "line 2: text follows a quote"},
      {"listen = [\n\"[::1]:1\",\n", "line 1: a list has no end"},
      {"listen = [\n\"[::1]:1\n]", "line 2: a quote has no end"},
      {"listen = [ ]", "line 1: a list has no values"},
      {"= 3", "line 1: a name is missing"}};
  for (const auto& [text, told] : files)
    EXPECT_NE(refusal_of_file(text).find(told), std::string::npos) << text << refusal_of_file(text);
  EXPECT_NE(refusal_of_file("[serve]\nthreads = 3").find("[serve]"), std::string::npos);
}

TEST(Config, AFileWithAnUnknownNameIsRefused) {
  const TemporaryDirectory temporary;
  EXPECT_NE(refusal({"--config", temporary.write("ptyd.toml", "treads = 3\n").string()}).find("treads"),
            std::string::npos);
  EXPECT_NE(refusal({"--config", "/nonexistent.toml"}).find("/nonexistent.toml"), std::string::npos);
}

}  // namespace
}  // namespace ptyd
