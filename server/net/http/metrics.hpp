// Metrics: numbers in Prometheus' text form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "server/loop/loop_lag.hpp"
#include "server/net/net_counters.hpp"
#include "server/session/context/session_facts.hpp"

namespace ptyd {

struct ProcessMetrics {
  std::uint64_t resident_bytes = 0, open_descriptors = 0, start_seconds = 0, dropped_log_lines = 0;
};
/// Of this process, now.
ProcessMetrics measure_process();
/// When a process began, in seconds since 1970, from the text of its /proc/PID/stat, which counts clock ticks from the
/// machine's start, and that of /proc/stat, which knows when that was.
std::uint64_t start_seconds(const std::string& process_stat, const std::string& machine_stat,
                            std::uint64_t ticks_per_second);

/// `lags` are those of the loops, in their order.
std::string metrics_text(const SessionMetrics& sessions, const NetMetrics& net, const ProcessMetrics& process,
                         const std::vector<const LagTimes*>& lags);

}  // namespace ptyd
