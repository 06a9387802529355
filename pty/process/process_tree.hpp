// ProcessTree: the descendants of a process, from /proc; HeldProcess: one of them, safe to signal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pty/unique_fd.hpp"

namespace ptyd {

/// A process as /proc shows it at one moment.
struct ProcessInfo {
  int pid = 0;
  int parent = 0;
  int session = 0;
  std::uint64_t start_time = 0;  ///< clock ticks since boot; with the pid it names one process for ever
  bool zombie = false;
  std::chrono::milliseconds time_used{0};  ///< on processors, with that of children it has waited for
  std::string name;                        ///< the kernel's, at most 15 bytes
  std::string command_line;  ///< arguments joined by spaces, at most kMaxCommandLine bytes; "" when unreadable

  static constexpr std::size_t kMaxCommandLine = 4096;
};

/// Facts of /proc about `pid`, without its command line; nothing when there is no such process.
std::optional<ProcessInfo> read_process(int pid);

/// Time for which `pid` was ready to run and no processor was free; 0 where the kernel does not tell.
std::chrono::milliseconds processor_wait(int pid);

/// The pid created last on this machine or in this container: it changes with every fork. A process without descendants
/// has none while it stays the same. 0 where the kernel does not tell.
std::uint64_t last_pid();

/// Finds descendants in /proc.
///
/// Thread  one. Nothing is kept between calls, except where the kernel has no lists of children: there one scan of all
///         processes is used until the next refresh().
class ProcessTree {
 public:
  /// `children`: from the kernel's own lists where it has them. `scan`: always from a scan of all processes.
  enum class Source { children, scan };
  explicit ProcessTree(Source source = Source::children);

  /// Forgets what an earlier scan found: call once before each round of questions.
  void refresh() { scanned_.reset(); }
  std::vector<int> children(int pid);
  /// Everything below `pid` that has not ended, with command lines, parents before their children, at most kMaxListed.
  std::vector<ProcessInfo> descendants(int pid);

  /// A session of more processes is busy whatever the rest of them may be.
  static constexpr std::size_t kMaxListed = 256;

 private:
  void scan();

  bool scans_;
  std::optional<std::multimap<int, int>> scanned_;  // parent -> child
};

/// All processes whose session is one of `sessions`, by session.
std::multimap<int, int> members_of_sessions(const std::vector<int>& sessions);

/// A process held by a descriptor, so that its number cannot come to mean another one.
class HeldProcess {
 public:
  /// Holds `pid` if `is_wanted` says so of what /proc shows. That is certain to be of the process that is held.
  static std::optional<HeldProcess> hold(int pid, const std::function<bool(const ProcessInfo&)>& is_wanted);

  int pid() const { return pid_; }
  bool alive() const;
  void signal(int number) const;

 private:
  HeldProcess(int pid, UniqueFd descriptor) : pid_(pid), descriptor_(std::move(descriptor)) {}

  int pid_;
  UniqueFd descriptor_;
};

/// True once the process behind `pidfd` has ended, also before it was waited for.
bool has_ended(int pidfd);

}  // namespace ptyd
