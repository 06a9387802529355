// The scenarios of bench_client. Each measures a server that was just started, and gives the fields of its result.
#pragma once

#include <string>

#include "tests/bench/instrument/samples.hpp"
#include "tests/bench/instrument/terminal.hpp"

namespace ptyd::bench {

/// The parameters of scenarios; each uses what it needs.
struct Asked {
  long sessions = 1;
  long keys = 2000;
  long at_once = 1;     ///< opens that wait for their first output
  double seconds = 10;  ///< of quiet, or of a client that does not read
  bool floods = false;  ///< beside another session that prints all the time
  std::string file;     ///< that each session prints
};

/// Sessions that print a file at once: `mb_s`, `cpu_s_per_gb`, `peak_rss_mb`, and whether every byte arrived.
void throughput(const Server& server, const Asked& asked, Result& result);
/// From a key to its echo: `p50_us`, `p99_us`.
void latency(const Server& server, const Asked& asked, Result& result);
/// A client stops reading while its session floods: `rss_growth_mb`, and another session's keys meanwhile.
void slow(const Server& server, const Asked& asked, Result& result);
/// The cost of quiet sessions: `private_kb_per_session`, `threads_per_session`, `idle_cpu_percent`, `open_per_s`.
void idle(const Server& server, const Asked& asked, Result& result);
/// Opening sessions until their first output: `open_per_s`, `p50_us`.
void spawn(const Server& server, const Asked& asked, Result& result);

}  // namespace ptyd::bench
