#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "tests/bench/instrument/process_usage.hpp"
#include "tests/bench/instrument/scenarios.hpp"

namespace ptyd::bench {
namespace {

constexpr double kEchoLimit = 30;  // seconds

/// Types keys one by one, each 1 to 2 ms behind the echo of the last.
Samples type_keys(boost::asio::io_context& context, Terminal& terminal, long count) {
  Samples took;
  bool is_echoed = false;
  terminal.tap = [&](std::string_view) { is_echoed = true; };
  for (long number = 0; number < count; ++number) {
    is_echoed = false;
    const char key = static_cast<char>('a' + number % 26);
    const auto begun = Clock::now();
    terminal.client().type({&key, 1});
    run_until(context, kEchoLimit, [&] { return is_echoed || !terminal.client().is_alive(); });
    if (!is_echoed) throw std::runtime_error("a key was not echoed");
    took.add(seconds_since(begun) * 1e6);
    run_for(context, 0.001 + 0.0001 * static_cast<double>(number % 10));
  }
  terminal.tap = [](std::string_view) {};
  return took;
}

void start_echo(Terminal& terminal) {
  terminal.open();
  terminal.command("echo");
  terminal.expect("@@ECHO@@\r\n", Terminal::kStartLimit);
}

}  // namespace

void latency(const Server& server, const Asked& asked, Result& result) {
  boost::asio::io_context context(1);
  Terminal terminal(context, server, 0);
  start_echo(terminal);
  std::optional<Flood> flood;
  if (asked.floods) flood.emplace(server, 1);
  const double before = flood ? flood->megabytes() : 0;
  const auto begun = Clock::now();
  auto took = type_keys(context, terminal, asked.keys);
  result.put_latency("", took);
  if (flood) result.put("flood_mb_s", (flood->megabytes() - before) / seconds_since(begun));
}

void slow(const Server& server, const Asked& asked, Result& result) {
  boost::asio::io_context context(1);
  Terminal terminal(context, server, 0);
  start_echo(terminal);
  Flood flood(server, 1);
  run_for(context, 1);
  const auto memory = [&server] { return footprint(server.pid).rss_kb / 1024; };
  const double before = memory();
  double most = before;
  flood.pause();
  Samples took;
  for (const auto begun = Clock::now(); seconds_since(begun) < asked.seconds;) {
    auto some = type_keys(context, terminal, 20);
    for (const double share : {.0, .25, .5, .75, .95, 1.}) took.add(some.at(share));
    most = std::max(most, memory());
  }
  const double kept = flood.megabytes();
  flood.resume();
  run_for(context, 3);
  result.put("rss_growth_mb", most - before).put("resumed_mb", flood.megabytes() - kept);
  result.put("client_survived", flood.is_alive() ? "yes" : "no").put_latency("other_", took);
}

}  // namespace ptyd::bench
