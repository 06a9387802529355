#include "server/net/http/metrics.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace ptyd {
namespace {

TEST(Metrics, EveryLineIsPrometheusText) {
  SessionMetrics sessions;
  sessions.running = 7;
  const auto text = metrics_text(sessions, {}, measure_process());
  const std::regex line(
      R"(^(# HELP [a-z_]+ .+|# TYPE [a-z_]+ (gauge|counter)|[a-z_]+(\{version="[0-9.]+"\})? [0-9]+)$)");
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) EXPECT_TRUE(std::regex_match(one, line)) << one;
  EXPECT_NE(text.find("\nptyd_sessions_running 7\n"), std::string::npos) << text;
}

TEST(Metrics, TheProcessIsMeasured) {
  const auto process = measure_process();
  EXPECT_GT(process.resident_bytes, 1'000'000U);
  EXPECT_GE(process.open_descriptors, 3U);
  EXPECT_GT(process.start_seconds, 1'700'000'000U);
}

TEST(Metrics, AProcessBeganWhenTheKernelSaysAndNotWhenItWasFirstAsked) {
  const std::string process =
      "7 (a) name) S 1 7 7 0 -1 4194560 10 11 12 13 14 15 16 17 20 0 3 0 12345 2600000 700 18446744073709551615\n";
  const std::string machine = "cpu  9 8 7\nintr 1 2 3\nctxt 5\nbtime 1700000000\nprocesses 77\n";
  EXPECT_EQ(start_seconds(process, machine, 100), 1'700'000'123U);
}

}  // namespace
}  // namespace ptyd
