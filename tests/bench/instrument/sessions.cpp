#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/bench/instrument/process_usage.hpp"
#include "tests/bench/instrument/scenarios.hpp"

namespace ptyd::bench {
namespace {

/// From the request to the first output, with so many requests under way at once.
class Spawning {
 public:
  Spawning(const Server& server, std::size_t sessions, std::size_t at_once)
      : server_(server), sessions_(sessions), at_once_(at_once) {}

  Samples run() {
    while (took_.size() < sessions_) {
      while (terminals_.size() < sessions_ && terminals_.size() - took_.size() < at_once_) begin_one();
      const auto had = took_.size();
      if (!run_until(context_, Terminal::kStartLimit, [&] { return took_.size() > had; }))
        throw std::runtime_error("a session did not start");
    }
    return took_;
  }

 private:
  void begin_one() {
    auto& made = *terminals_.emplace_back(std::make_unique<Terminal>(context_, server_, terminals_.size()));
    made.tap = [this, is_first = true, begun = Clock::now()](std::string_view) mutable {
      if (std::exchange(is_first, false)) took_.add(seconds_since(begun) * 1e6);
    };
    made.client().open();
  }

  const Server& server_;
  const std::size_t sessions_, at_once_;
  boost::asio::io_context context_{1};
  std::vector<std::unique_ptr<Terminal>> terminals_;
  Samples took_;
};

}  // namespace

void idle(const Server& server, const Asked& asked, Result& result) {
  boost::asio::io_context context(1);
  const auto before = footprint(server.pid);
  std::vector<std::unique_ptr<Terminal>> terminals;
  const auto begun = Clock::now();
  for (long number = 0; number < asked.sessions; ++number) {
    terminals.push_back(std::make_unique<Terminal>(context, server, static_cast<std::size_t>(number)));
    terminals.back()->open();
  }
  const double took = seconds_since(begun);
  run_for(context, 1);
  const double cpu = cpu_seconds(server.pid);
  run_for(context, asked.seconds);
  const double used = cpu_seconds(server.pid) - cpu;
  const auto after = footprint(server.pid);
  const auto each = [sessions = asked.sessions](double more) { return more / static_cast<double>(sessions); };
  result.put("sessions", static_cast<double>(asked.sessions))
      .put("rss_kb_per_session", each(after.rss_kb - before.rss_kb));
  result.put("private_kb_per_session", each(after.private_kb - before.private_kb));
  result.put("fds_per_session", each(static_cast<double>(after.descriptors - before.descriptors)));
  result.put("threads_per_session", each(static_cast<double>(after.threads - before.threads)));
  result.put("idle_cpu_percent", 100 * used / asked.seconds);
  result.put("open_per_s", static_cast<double>(asked.sessions) / took);
}

void spawn(const Server& server, const Asked& asked, Result& result) {
  Spawning spawning(server, static_cast<std::size_t>(asked.sessions), static_cast<std::size_t>(asked.at_once));
  const double cpu = cpu_seconds(server.pid);
  const auto begun = Clock::now();
  auto took = spawning.run();
  const auto sessions = static_cast<double>(asked.sessions);
  result.put("sessions", sessions).put("open_per_s", sessions / seconds_since(begun));
  result.put("cpu_ms_per_open", (cpu_seconds(server.pid) - cpu) * 1e3 / sessions).put_latency("", took);
}

}  // namespace ptyd::bench
