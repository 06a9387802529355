#include "tests/bench/instrument/process_usage.hpp"

#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <system_error>

namespace ptyd::bench {
namespace {

std::string path_of(pid_t pid, const char* leaf) {
  return "/proc/" + std::to_string(pid) + "/" + leaf;
}

/// The numbers of lines `Key:   123 kB`.
std::map<std::string, double> numbers_in(const std::string& path) {
  std::map<std::string, double> found;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) continue;
    std::istringstream rest(line.substr(colon + 1));
    if (double value = 0; rest >> value) found[line.substr(0, colon)] = value;
  }
  return found;
}

long entries_of(const std::string& folder) {
  std::error_code gone;
  return std::distance(std::filesystem::directory_iterator(folder, gone), std::filesystem::directory_iterator());
}

}  // namespace

Footprint footprint(pid_t pid) {
  auto maps = numbers_in(path_of(pid, "smaps_rollup")), status = numbers_in(path_of(pid, "status"));
  Footprint found;
  found.rss_kb = maps["Rss"];
  found.private_kb = maps["Private_Dirty"] + maps["Private_Clean"];
  found.peak_rss_kb = status["VmHWM"];
  found.threads = static_cast<long>(status["Threads"]);
  found.descriptors = entries_of(path_of(pid, "fd"));
  return found;
}

void reset_peak_rss(pid_t pid) {
  std::ofstream(path_of(pid, "clear_refs")) << "5";
}

double cpu_seconds(pid_t pid) {
  clockid_t clock = 0;
  timespec used{};
  if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

}  // namespace ptyd::bench
