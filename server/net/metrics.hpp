// Metrics: numbers in Prometheus' text form.
#pragma once

#include <cstdint>
#include <string>

#include "server/session/session_manager.hpp"

namespace ptyd {

/// NetCounters of all loops, added up.
struct NetMetrics {
  std::uint64_t accepted = 0, requests = 0, refused = 0, failures = 0, handshakes = 0, connections = 0, upgrades = 0;
  std::uint64_t frames_in = 0, frames_out = 0, bytes_in = 0, bytes_out = 0;
};

struct ProcessMetrics {
  std::uint64_t resident_bytes = 0, open_descriptors = 0, start_seconds = 0;
};
/// Of this process, now.
ProcessMetrics measure_process();

std::string metrics_text(const SessionMetrics& sessions, const NetMetrics& net, const ProcessMetrics& process);

}  // namespace ptyd
