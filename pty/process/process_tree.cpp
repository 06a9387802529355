#include "pty/process/process_tree.hpp"

#include <dirent.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "pty/process/pidfd.hpp"
#include "pty/process/proc_file.hpp"

namespace ptyd {
namespace {

ProcPath children_path(int pid, int thread) {
  ProcPath path;
  std::snprintf(path.data(), path.size(), "/proc/%d/task/%d/children", pid, thread);
  return path;
}

template <class Use>
void for_each_number_in(const char* directory, Use use) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::opendir(directory), ::closedir);
  if (!listing) return note_failed_open(errno);
  while (const dirent* entry = ::readdir(listing.get())) {
    if (const int number = std::atoi(entry->d_name); number > 0) use(number);
  }
}

/// Threads of `pid`: nearly always one, which the link count of its task directory tells without listing it.
std::vector<int> threads(int pid) {
  const ProcPath path = proc_path(pid, "task");
  struct stat status {};
  if (::stat(path.data(), &status) == 0 && status.st_nlink <= 3) return {pid};
  std::vector<int> result;
  for_each_number_in(path.data(), [&](int thread) { result.push_back(thread); });
  return result;
}

void append_children(int pid, int thread, std::vector<int>& result) {
  const auto list = read_file(children_path(pid, thread), 1 << 20);
  std::string_view rest = list ? std::string_view(*list) : std::string_view();
  while (const int child = take_number<int>(rest)) result.push_back(child);
}

std::string command_line(int pid) {
  std::string text = read_file(proc_path(pid, "cmdline"), ProcessInfo::kMaxCommandLine).value_or("");
  while (!text.empty() && text.back() == '\0') text.pop_back();
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

void skip_numbers(std::string_view& rest, int count) {
  for (int i = 0; i < count; ++i) take_number<std::int64_t>(rest);
}

/// Fields 14 to 17 of proc(5): in user mode and in the kernel, its own and its children's.
std::chrono::milliseconds take_times(std::string_view& rest) {
  constexpr int kTimes = 4;
  const std::int64_t a_second = std::max(::sysconf(_SC_CLK_TCK), 1L);
  std::int64_t ticks = 0;
  for (int i = 0; i < kTimes; ++i) ticks += take_number<std::int64_t>(rest);
  return std::chrono::milliseconds(ticks * 1000 / a_second);
}

bool kernel_lists_children() {
  const int self = ::getpid();
  return ::access(children_path(self, self).data(), R_OK) == 0;
}

}  // namespace

std::optional<ProcessInfo> read_process(int pid) {
  const auto text = read_file(proc_path(pid, "stat"), 1024);
  if (!text) return std::nullopt;
  const std::size_t open = text->find('('), close = text->rfind(')');  // the name may hold both
  if (close == std::string::npos || open > close || close + 3 > text->size()) return std::nullopt;
  ProcessInfo info;
  info.pid = pid;
  info.name = text->substr(open + 1, close - open - 1);
  info.zombie = (*text)[close + 2] == 'Z' || (*text)[close + 2] == 'X';
  std::string_view rest = std::string_view(*text).substr(close + 3);
  info.parent = take_number<int>(rest);
  take_number<int>(rest);  // process group
  info.session = take_number<int>(rest);
  constexpr int kBetweenSessionAndTimes = 7;  // fields 7 to 13 of proc(5)
  skip_numbers(rest, kBetweenSessionAndTimes);
  info.time_used = take_times(rest);
  constexpr int kBetweenTimesAndStart = 4;  // fields 18 to 21
  skip_numbers(rest, kBetweenTimesAndStart);
  info.start_time = take_number<std::uint64_t>(rest);
  return info;
}

/// The second of three numbers, in nanoseconds (sched-stats.rst of the kernel).
std::chrono::milliseconds processor_wait(int pid) {
  const auto text = read_file(proc_path(pid, "schedstat"), 128).value_or("");
  std::string_view rest = text;
  skip_numbers(rest, 1);
  return std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::nanoseconds(take_number<std::int64_t>(rest)));
}

/// The last number that was given to a process or thread, which the load's line ends with.
std::uint64_t last_pid() {
  ProcPath path;
  std::snprintf(path.data(), path.size(), "/proc/loadavg");
  const auto line = read_file(path, 128).value_or("");
  std::string_view last = std::string_view(line).substr(line.rfind(' ') + 1);
  return take_number<std::uint64_t>(last);
}

ProcessTree::ProcessTree(Source source) : scans_(source == Source::scan || !kernel_lists_children()) {}

void ProcessTree::scan() {
  scanned_.emplace();
  for_each_number_in("/proc", [&](int pid) {
    if (const auto info = read_process(pid)) scanned_->emplace(info->parent, pid);
  });
}

std::vector<int> ProcessTree::children(int pid) {
  std::vector<int> result;
  if (scans_) {
    if (!scanned_) scan();
    const auto [begin, end] = scanned_->equal_range(pid);
    for (auto it = begin; it != end; ++it) result.push_back(it->second);
  } else {
    for (const int thread : threads(pid)) append_children(pid, thread, result);
  }
  return result;
}

std::vector<ProcessInfo> ProcessTree::descendants(int pid) {
  std::vector<ProcessInfo> result;
  std::unordered_set<int> seen{pid};
  std::vector<int> parents{pid};
  for (std::size_t next = 0; next < parents.size() && result.size() < kMaxListed; ++next) {
    for (const int child : children(parents[next])) {
      if (result.size() >= kMaxListed || !seen.insert(child).second) continue;
      auto info = read_process(child);
      if (!info || info->zombie) continue;
      info->command_line = command_line(child);
      result.push_back(std::move(*info));
      parents.push_back(child);
    }
  }
  return result;
}

std::multimap<int, int> members_of_sessions(const std::vector<int>& sessions) {
  std::multimap<int, int> result;
  const std::unordered_set<int> wanted(sessions.begin(), sessions.end());
  for_each_number_in("/proc", [&](int pid) {
    const int session = ::getsid(pid);  // a fraction of the price of reading its stat file
    if (wanted.count(session) > 0) result.emplace(session, pid);
  });
  return result;
}

std::optional<HeldProcess> HeldProcess::hold(int pid, const std::function<bool(const ProcessInfo&)>& is_wanted) {
  UniqueFd descriptor = open_pidfd(pid);
  if (!descriptor) {
    note_failed_open(errno);
    return std::nullopt;
  }
  const auto info = read_process(pid);
  // Still alive after /proc was read: then the number meant this very process all the while.
  if (!info || !is_wanted(*info) || has_ended(descriptor.get())) return std::nullopt;
  return HeldProcess(pid, std::move(descriptor));
}

bool HeldProcess::alive() const {
  return !has_ended(descriptor_.get());
}

void HeldProcess::signal(int number) const {
  signal_pidfd(descriptor_.get(), number);
}

bool has_ended(int pidfd) {
  pollfd poll{pidfd, POLLIN, 0};
  return ::poll(&poll, 1, 0) > 0;
}

}  // namespace ptyd
