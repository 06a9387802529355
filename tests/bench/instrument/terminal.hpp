// Terminal, Flood: sessions of the measured server, in which bench_program runs.
#pragma once

#include <sys/types.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "tests/bench/instrument/client.hpp"

namespace ptyd::bench {

/// The server that is measured. It runs bench_program as the shell of each session.
struct Server {
  std::uint16_t port = 0;
  pid_t pid = 0;

  /// The name of a session that no earlier run had.
  std::string session(std::size_t number) const;
};

/// A session with one client that waits for marks in its output.
///
/// Thread  the one that runs its io_context.
/// Errors  std::runtime_error where a mark does not come in time, or the connection is lost.
class Terminal {
 public:
  static constexpr double kStartLimit = 20;  ///< seconds

  Terminal(boost::asio::io_context& context, const Server& server, std::size_t number);

  Client& client() { return client_; }
  /// Returns when the program is ready.
  void open();
  void command(std::string_view line);
  /// Waits until the output since the last command holds `mark`; little may be printed behind it.
  void expect(std::string_view mark, double limit_s);

  /// Sees all output.
  std::function<void(std::string_view)> tap = [](std::string_view) {};

 private:
  static constexpr std::size_t kRecent = 256;

  void take(std::string_view output);

  boost::asio::io_context& context_;
  Client client_;
  std::string recent_;
};

/// A session that prints as fast as it can, with a client on a thread of its own.
class Flood {
 public:
  Flood(const Server& server, std::size_t number);
  ~Flood();

  void pause();
  void resume();
  /// Output that has arrived.
  double megabytes();
  bool is_alive();

 private:
  double ask(const std::function<double()>& question);

  boost::asio::io_context context_{1};
  Terminal terminal_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  std::thread thread_;
};

}  // namespace ptyd::bench
