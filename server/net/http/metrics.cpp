#include "server/net/http/metrics.hpp"

#include <spdlog/fmt/fmt.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>

#include "server/loop/log.hpp"

namespace ptyd {
namespace {

void announce(std::string& text, std::string_view name, std::string_view type, std::string_view help) {
  text.append("# HELP ").append(name).append(" ").append(help);
  text.append("\n# TYPE ").append(name).append(" ").append(type).append("\n");
}

void add(std::string& text, std::string_view name, std::string_view type, std::string_view help, std::uint64_t value) {
  announce(text, name, type, help);
  text.append(name).append(" ").append(std::to_string(value)).append("\n");
}

void add_sessions(std::string& text, const SessionMetrics& sessions) {
  add(text, "ptyd_sessions", "gauge", "Terminals in memory, of any status", sessions.sessions);
  add(text, "ptyd_sessions_running", "gauge", "Terminals with a live child", sessions.running);
  add(text, "ptyd_sessions_started_total", "counter", "Children ever started", sessions.sessions_started);
  add(text, "ptyd_subscriptions", "gauge", "Viewers of terminals", sessions.subscriptions);
  add(text, "ptyd_output_bytes_total", "counter", "Read from children", sessions.output_bytes);
  add(text, "ptyd_input_bytes_total", "counter", "Written to children", sessions.input_bytes);
  add(text, "ptyd_failed_starts_total", "counter", "Programs that could not be started", sessions.failed_starts);
  add(text, "ptyd_disk_errors_total", "counter",
      "Parked screens that could not be written or read, and names that could not be written", sessions.disk_errors);
  add(text, "ptyd_journals_in_memory", "gauge", "Terminals whose transcript is not on disk, since there is no room",
      sessions.journals_in_memory);
  add(text, "ptyd_resyncs_total", "counter", "Viewers that fell behind and were shown the present", sessions.resyncs);
}

void add_net(std::string& text, const NetMetrics& net) {
  add(text, "ptyd_connections", "gauge", "WebSockets open", net.connections);
  add(text, "ptyd_view_connections", "gauge", "Of these, with a token that may only view", net.view_connections);
  add(text, "ptyd_handshakes", "gauge", "Connections that are not WebSockets yet", net.handshakes);
  add(text, "ptyd_accepted_total", "counter", "Connections accepted", net.accepted);
  add(text, "ptyd_upgrades_total", "counter", "Connections that became WebSockets", net.upgrades);
  add(text, "ptyd_http_requests_total", "counter", "Plain HTTP requests answered", net.requests);
  add(text, "ptyd_http_refused_total", "counter", "Of these, answered with 401, 403, 421 or 429", net.refused);
  add(text, "ptyd_auth_failures_total", "counter", "Wrong credentials shown", net.failures);
  add(text, "ptyd_paused_connections", "gauge",
      "Connections that are not read now: answers wait that the client does not take, or it took too much time",
      net.paused);
  add(text, "ptyd_pauses_total", "counter", "Times that this began", net.pauses);
  add(text, "ptyd_frames_received_total", "counter", "WebSocket messages received", net.frames_in);
  add(text, "ptyd_frames_sent_total", "counter", "WebSocket messages sent", net.frames_out);
  add(text, "ptyd_received_bytes_total", "counter", "Bytes of messages received", net.bytes_in);
  add(text, "ptyd_sent_bytes_total", "counter", "Bytes of messages sent", net.bytes_out);
}

void add_refusals(std::string& text, const NetMetrics& net) {
  announce(text, "ptyd_refusals_total", "counter", "Requests and connections refused, by reason");
  for (const auto& row : kRefusals)
    text += fmt::format("ptyd_refusals_total{{reason=\"{}\"}} {}\n", row.name,
                        net.refusals[static_cast<std::size_t>(row.why)]);
}

double in_seconds(std::chrono::microseconds time) {
  return std::chrono::duration<double>(time).count();
}

void add_histogram(std::string& text, std::size_t loop, const LagTimes& lag) {
  constexpr std::string_view kName = "ptyd_loop_lag_seconds";
  for (std::size_t i = 0; i < LagTimes::kBounds.size(); i++)
    text += fmt::format("{}_bucket{{loop=\"{}\",le=\"{}\"}} {}\n", kName, loop, in_seconds(LagTimes::kBounds[i]),
                        lag.within[i].load());
  const auto count = lag.count.load();
  text += fmt::format("{}_bucket{{loop=\"{}\",le=\"+Inf\"}} {}\n", kName, loop, count);
  text += fmt::format("{}_sum{{loop=\"{}\"}} {:.6f}\n", kName, loop,
                      in_seconds(std::chrono::microseconds(lag.sum_us.load())));
  text += fmt::format("{}_count{{loop=\"{}\"}} {}\n", kName, loop, count);
}

void add_lags(std::string& text, const std::vector<const LagTimes*>& lags) {
  announce(text, "ptyd_loop_lag_seconds", "histogram", "How late each event loop came to an alarm, once a second");
  for (std::size_t i = 0; i < lags.size(); i++) add_histogram(text, i, *lags[i]);
  announce(text, "ptyd_loop_lag_longest_seconds", "gauge", "The longest of the last minute or two");
  for (std::size_t i = 0; i < lags.size(); i++)
    text += fmt::format("ptyd_loop_lag_longest_seconds{{loop=\"{}\"}} {:.6f}\n", i,
                        in_seconds(std::chrono::microseconds(lags[i]->longest_us.load())));
}

std::uint64_t resident_bytes() {
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::uint64_t open_descriptors() {
  std::error_code error;
  const std::filesystem::directory_iterator list("/proc/self/fd", error);
  return error ? 0 : static_cast<std::uint64_t>(std::distance(begin(list), end(list)));
}

std::string text_of(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::uint64_t start_seconds(const std::string& process_stat, const std::string& machine_stat,
                            std::uint64_t ticks_per_second) {
  std::istringstream fields(process_stat.substr(process_stat.rfind(')') + 1));  // the name may hold anything
  constexpr int kBefore = 19;                                                   // fields 3 to 21 of proc(5)
  std::string passed;
  for (int i = 0; i < kBefore; i++) fields >> passed;
  std::uint64_t ticks = 0, machine = 0;
  fields >> ticks;
  std::istringstream words(machine_stat);
  for (std::string word; words >> word && word != "btime";) {
  }
  words >> machine;
  return machine + ticks / ticks_per_second;
}

ProcessMetrics measure_process() {
  return {resident_bytes(), open_descriptors(),
          start_seconds(text_of("/proc/self/stat"), text_of("/proc/stat"),
                        static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK))),
          Log::dropped()};
}

std::string metrics_text(const SessionMetrics& sessions, const NetMetrics& net, const ProcessMetrics& process,
                         const std::vector<const LagTimes*>& lags) {
  std::string text = "# HELP ptyd_build_info The program\n# TYPE ptyd_build_info gauge\n";
  text += "ptyd_build_info{version=\"" PTYD_VERSION "\"} 1\n";
  add_sessions(text, sessions);
  add_net(text, net);
  add_refusals(text, net);
  add_lags(text, lags);
  add(text, "process_resident_memory_bytes", "gauge", "Resident memory", process.resident_bytes);
  add(text, "process_open_fds", "gauge", "Open descriptors", process.open_descriptors);
  add(text, "process_start_time_seconds", "gauge", "Seconds since 1970", process.start_seconds);
  add(text, "ptyd_log_lines_dropped_total", "counter",
      "Lines of the log that were dropped because they could not be written in time", process.dropped_log_lines);
  return text;
}

}  // namespace ptyd
