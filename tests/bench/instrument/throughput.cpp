#include <algorithm>
#include <cstdint>
#include <fstream>
#include <memory>
#include <vector>

#include "tests/bench/instrument/process_usage.hpp"
#include "tests/bench/instrument/scenarios.hpp"

namespace ptyd::bench {
namespace {

constexpr std::string_view kEnd = "@@END@@\r\n";
constexpr double kLimit = 300;  // seconds

/// The bytes that a terminal shows of a file: each line feed becomes CR LF.
std::uint64_t shown_bytes(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> part(1 << 20);
  std::uint64_t bytes = 0;
  while (file.read(part.data(), static_cast<std::streamsize>(part.size())), file.gcount() > 0) {
    const auto length = file.gcount();
    bytes += static_cast<std::uint64_t>(length + std::count(part.data(), part.data() + length, '\n'));
  }
  return bytes;
}

using Terminals = std::vector<std::unique_ptr<Terminal>>;

std::uint64_t output_bytes(const Terminals& terminals) {
  std::uint64_t sum = 0;
  for (const auto& each : terminals) sum += each->client().output_bytes();
  return sum;
}

}  // namespace

void throughput(const Server& server, const Asked& asked, Result& result) {
  boost::asio::io_context context(1);
  Terminals terminals;
  for (long number = 0; number < asked.sessions; ++number) {
    terminals.push_back(std::make_unique<Terminal>(context, server, static_cast<std::size_t>(number)));
    terminals.back()->open();
  }
  reset_peak_rss(server.pid);
  const auto before = output_bytes(terminals);
  const double cpu = cpu_seconds(server.pid);
  const auto begun = Clock::now();
  for (const auto& each : terminals) each->command("cat " + asked.file);
  for (const auto& each : terminals) each->expect(kEnd, kLimit);
  const double took = seconds_since(begun), used = cpu_seconds(server.pid) - cpu;
  const auto bytes = output_bytes(terminals) - before;
  const auto expected = static_cast<std::uint64_t>(asked.sessions) * (shown_bytes(asked.file) + kEnd.size());
  result.put("mb_s", static_cast<double>(bytes) / took / 1e6)
      .put("cpu_s_per_gb", used / (static_cast<double>(bytes) / 1e9));
  result.put("peak_rss_mb", footprint(server.pid).peak_rss_kb / 1024);
  result.put("byte_exact", bytes == expected ? "yes" : "NO");
}

}  // namespace ptyd::bench
