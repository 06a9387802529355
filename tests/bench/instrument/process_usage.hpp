// The resources that the measured server uses, as the kernel tells them.
#pragma once

#include <sys/types.h>

namespace ptyd::bench {

/// Of one process.
struct Footprint {
  double rss_kb = 0, private_kb = 0, peak_rss_kb = 0;
  long threads = 0, descriptors = 0;
};

/// Zeros for a process that is gone.
Footprint footprint(pid_t pid);
/// peak_rss_kb begins anew.
void reset_peak_rss(pid_t pid);
/// User and system time of all its threads, by the scheduler's own clock: /proc samples at ticks, and misses the work
/// of a process that sleeps often.
double cpu_seconds(pid_t pid);

}  // namespace ptyd::bench
