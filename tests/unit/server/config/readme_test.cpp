// Options and limits in server/config/README.md and in the page are those of the server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/screen/screen.hpp"
#include "server/config/option_rows.hpp"
#include "tests/support/source_dir.hpp"

namespace ptyd {
namespace {

using testing::ElementsAreArray;
using testing::HasSubstr;

std::string text_of(const std::string& path) {
  std::ifstream file(test::source_dir() + "/" + path);
  EXPECT_TRUE(file) << path;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

/// The lines of that README that begin with `begin`, without the marks of code.
std::vector<std::string> lines_of_readme(const std::string& begin) {
  std::ifstream file(test::source_dir() + "/server/config/README.md");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    std::erase(line, '`');
    if (line.starts_with(begin)) lines.push_back(line);
  }
  return lines;
}

TEST(Readme, HasEveryOptionWithItsDefaultAndItsMeaning) {
  std::vector<std::string> wanted;
  for (const auto& row : option_rows())
    wanted.push_back("| " + row.flag + " | " + row.initially + " | " + row.meaning + " |");
  EXPECT_THAT(lines_of_readme("| --"), ElementsAreArray(wanted));
}

/// One number in three places that cannot include each other: what is kept, what is sent, and what the page takes.
TEST(Readme, ServerHistoryAndPageHaveTheSameNumberOfLines) {
  const auto lines = std::to_string(limits::kMaxHistoryLines);
  EXPECT_EQ(Screen::kDefaultScrollback, limits::kMaxHistoryLines);
  EXPECT_THAT(text_of("web/app/src/screen.ts"), HasSubstr("const kScrollback = " + lines + ";"));
}

TEST(OptionRows, AnOptionsNameInTheEnvironmentFollowsFromItsFlag) {
  std::vector<std::string> names;
  for (const auto& row : option_rows()) names.push_back(row.flag + " " + row.environment);
  EXPECT_THAT(names, testing::IsSupersetOf({"--auth PTYD_AUTH", "--state-dir PTYD_STATE_DIR",
                                            "--answer-checksums PTYD_ANSWER_CHECKSUMS", "--config PTYD_CONFIG"}));
}

TEST(OptionRows, DefaultsAreThoseOfTheMembersInWords) {
  std::vector<std::string> defaults;
  for (const auto& row : option_rows()) defaults.push_back(row.flag + " " + row.initially);
  EXPECT_THAT(defaults, testing::IsSupersetOf({"--listen 127.0.0.1:7681", "--auth token", "--emulator native",
                                               "--scrollback 5000", "--retain-days 30", "--retain-size 1024MiB",
                                               "--linger 10", "--ping-interval 20", "--ping-timeout 60",
                                               "--log-level info", "--deflate off", "--config none"}));
}

}  // namespace
}  // namespace ptyd
