// LoopLag: lateness of a loop's timers.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>

#include "server/loop/loops.hpp"

namespace ptyd {

/// The measurements of a LoopLag. Any thread may read them.
struct LagTimes {
  /// Upper bounds of a histogram. A key's echo that is 10 ms late is not noticed, one of 100 ms is.
  static constexpr std::array<std::chrono::milliseconds, 7> kBounds{
      std::chrono::milliseconds(1),   std::chrono::milliseconds(5),   std::chrono::milliseconds(10),
      std::chrono::milliseconds(50),  std::chrono::milliseconds(100), std::chrono::milliseconds(500),
      std::chrono::milliseconds(2000)};

  std::array<std::atomic<std::uint64_t>, kBounds.size()> within{};  ///< of each bound and below
  std::atomic<std::uint64_t> count{0};
  std::atomic<std::int64_t> sum_us{0};      ///< microseconds
  std::atomic<std::int64_t> longest_us{0};  ///< of this minute and the one before
};

/// Sets itself an alarm each second, and notes how long after it the loop came to it.
///
/// Owns    its timer.
/// Thread  the loop's, but for times().
class LoopLag {
 public:
  static constexpr std::chrono::seconds kEvery{1};
  /// The longest lag is told for one to two of these.
  static constexpr std::chrono::seconds kMinute{60};

  explicit LoopLag(Loop& loop) : loop_(loop), timer_(loop.make_timer()) {}
  LoopLag(const LoopLag&) = delete;
  LoopLag& operator=(const LoopLag&) = delete;

  /// On the loop.
  void start();
  const LagTimes& times() const { return times_; }

 private:
  using Lag = std::chrono::microseconds;

  void on_alarm();
  void note(Lag lag, TimePoint now);

  Loop& loop_;
  std::unique_ptr<Timer> timer_;
  TimePoint due_{}, minute_{};
  Lag longest_{}, longest_before_{};
  LagTimes times_;
};

}  // namespace ptyd
