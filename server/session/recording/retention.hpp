// Retention: for how long, and how much of, the transcripts of closed terminals are kept.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "server/loop/blocking_pool.hpp"
#include "server/loop/clock.hpp"
#include "server/loop/loops.hpp"
#include "server/session/recording/store.hpp"

namespace ptyd {

/// Limits of transcripts that no session uses. Those of running terminals are bounded by their number.
struct RetentionLimits {
  /// On which a server ran, since the terminal was closed: a user finds it again after a holiday.
  std::size_t days = 30;
  /// On the disk, of all of them: some 30,000 terminals that said little, 900 that filled their journals.
  std::uint64_t bytes = std::uint64_t{1} << 30;
};

/// Result of a sweep.
struct Swept {
  std::size_t transcripts = 0;
  std::uint64_t bytes = 0;
};

/// Deletes the transcripts that have been unused for `limits.days`, then the longest unused ones until the rest takes
/// no more than `limits.bytes`, and parked Screens that belong to no session. Never what a session uses: its journal's
/// file is locked. `passed` is the time since the last sweep, or since the server began: the machine's calendar counts
/// for nothing (see TranscriptUses). May block.
Swept sweep(const Store& store, const RetentionLimits& limits, std::chrono::milliseconds passed);

/// Sweeps at the start, soon after terminals were opened or closed, and now and then.
///
/// Owns    its timer. All else is borrowed and outlives it.
/// Thread  the loop's.
class Retention {
 public:
  using Milliseconds = std::chrono::milliseconds;
  /// So much later at the latest: what is opened and closed meanwhile may go beyond the limits.
  static constexpr Milliseconds kSoon = std::chrono::seconds(30);
  /// Days pass though nothing happens.
  static constexpr Milliseconds kNowAndThen = std::chrono::hours(1);
  /// A sweep that takes longer is written off, and the next one waits for its end.
  static constexpr Milliseconds kPatience = std::chrono::seconds(30);

  /// Does nothing where nothing is kept on disk.
  Retention(Loop& loop, BlockingPool& files, const Store& store, const RetentionLimits& limits);

  /// Terminals were opened or closed.
  void expect_more() { due_within(kSoon); }
  /// Nothing is begun any more.
  void stop();

 private:
  void due_within(Milliseconds delay);
  void begin();
  void on_swept(const Result<Swept>& swept, TimePoint begun);

  Loop& loop_;
  BlockingPool& files_;
  const Store store_;
  const RetentionLimits limits_;
  std::unique_ptr<Timer> timer_;
  TimePoint due_ = TimePoint::max();
  TimePoint counted_to_;  // the time until then stands in the record, or counts for nothing
  bool under_way_ = false;
  bool stopped_ = false;
};

}  // namespace ptyd
