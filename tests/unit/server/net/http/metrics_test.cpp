#include "server/net/http/metrics.hpp"

#include <gtest/gtest.h>

#include <regex>
#include <sstream>

namespace ptyd {
namespace {

TEST(Metrics, EveryLineIsPrometheusText) {
  SessionMetrics sessions;
  sessions.running = 7;
  const LagTimes lag;
  const auto text = metrics_text(sessions, {}, measure_process(), {&lag, &lag});
  const std::regex line(R"(^(# HELP [a-z_]+ .+|# TYPE [a-z_]+ (gauge|counter|histogram)|)"
                        R"([a-z_]+(\{[a-z]+="[0-9a-z.]+"(,le="[0-9.+Inf]+")?\})? [0-9]+(\.[0-9]{6})?)$)");
  std::istringstream lines(text);
  for (std::string one; std::getline(lines, one);) EXPECT_TRUE(std::regex_match(one, line)) << one;
  EXPECT_NE(text.find("\nptyd_sessions_running 7\n"), std::string::npos) << text;
}

TEST(Metrics, RefusalsHaveTheirReasonAndLagsTheirLoop) {
  NetMetrics net;
  net.refusals[static_cast<std::size_t>(Refusal::origin)] = 3;
  LagTimes quick, slow;
  slow.within.back() = 2;
  slow.count = 3;
  slow.sum_us = 3'000'500;
  slow.longest_us = 2'500'000;
  const auto text = metrics_text({}, net, {}, {&quick, &slow});
  for (const char* line :
       {"ptyd_refusals_total{reason=\"origin\"} 3", "ptyd_refusals_total{reason=\"host\"} 0",
        "ptyd_loop_lag_seconds_bucket{loop=\"0\",le=\"0.001\"} 0",
        "ptyd_loop_lag_seconds_bucket{loop=\"1\",le=\"0.5\"} 0", "ptyd_loop_lag_seconds_bucket{loop=\"1\",le=\"2\"} 2",
        "ptyd_loop_lag_seconds_bucket{loop=\"1\",le=\"+Inf\"} 3", "ptyd_loop_lag_seconds_sum{loop=\"1\"} 3.000500",
        "ptyd_loop_lag_seconds_count{loop=\"1\"} 3", "ptyd_loop_lag_longest_seconds{loop=\"1\"} 2.500000"})
    EXPECT_NE(text.find(std::string("\n") + line + "\n"), std::string::npos) << line << " in\n" << text;
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
