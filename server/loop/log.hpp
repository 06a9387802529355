// Log: lines for the operator, written beside the loops.
#pragma once

#include <spdlog/common.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace ptyd {

/// spdlog's default logger while this lives: one thread writes, and no loop waits for it.
///
/// Owns    that thread. Make it before there is any other: logging looks the default logger up without a lock.
/// Errors  of lines that wait for a reader, the oldest are dropped, and counted.
class Log {
 public:
  /// Lines that wait: a burst of trace lines, some 400 KiB.
  static constexpr std::size_t kWaiting = 1024;

  /// `level` as spdlog names it.
  Log(spdlog::sink_ptr to, const std::string& level, std::size_t waiting = kWaiting);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  /// Lines that were dropped since the start; 0 where there is no Log. Any thread.
  static std::uint64_t dropped();

  /// The last lines: what waits is written. False when that takes longer than `patience`: then the thread is left
  /// behind, still at it, and the process is to end without more ado. Nothing is logged from now on.
  bool end(std::chrono::milliseconds patience);

 private:
  std::shared_ptr<spdlog::logger> before_, logger_;
  bool ended_ = false;
};

}  // namespace ptyd
