// Flow rules: the window of a viewer, the limit at which it is resynced, and the pauses of a child. Pure decisions, no
// clock, no I/O.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <list>
#include <optional>

#include "pty/types.hpp"
#include "server/loop/clock.hpp"

namespace ptyd {

namespace flow {
using namespace std::chrono_literals;

/// Longest output event, bytes of the journal. Longer frames delay the keys of all other clients.
inline constexpr std::size_t kMaxFrame = 64 << 10;
/// Window: unacked bytes in flight to one viewer. It starts at the minimum, so that a slow link is not filled before it
/// is measured. That is twice the bytes after which clients ack or a ping is sent. The maximum suits a fast link with a
/// long RTT.
inline constexpr std::size_t kMinWindow = 8 << 10, kMaxWindow = 256 << 10;
/// Longest queue on the link, as time beyond the RTT: it keeps the link busy between two acks, and Ctrl-C takes effect
/// soon.
inline constexpr auto kQueueTime = 80ms;
/// An ack that takes this much longer than the RTT: the link limits the rate.
inline constexpr auto kBusyTime = kQueueTime / 2;
/// Shortest time over which a rate is measured, so that one burst of acks is no rate.
inline constexpr auto kRatePeriod = 20ms;
/// Age after which the RTT of a busy link is measured again, since the path may have changed.
inline constexpr auto kRoundTripAge = 10s;
/// Bytes by which the child may be ahead of its fastest viewer.
inline constexpr std::size_t kLead = 64 << 10;
/// Longest wait of the child for that viewer before it may print another kLead. The rate stays above 450 KiB/s, so that
/// a link of 512 KiB/s keeps up, with its acks.
inline constexpr auto kPatience = 140ms;
/// Factor on kPatience while the viewer's link is not measured: its window is still small.
inline constexpr int kPatienceWithNew = 2;
/// The child does not wait for a viewer without credit for this long.
inline constexpr auto kStalled = 250ms;
/// A viewer is resynced when more output waits than its link carries in this time.
inline constexpr auto kBudgetTime = 250ms;
/// Least limit for that: about a screenful.
inline constexpr std::size_t kMinBudget = 8 << 10;
/// Least limit on a link of kPaceRate or more: the lead that Pacer and a turn give a child, with the error of an
/// estimate.
inline constexpr std::size_t kPaceBudget = 3 * kLead, kPaceRate = 448 << 10;
/// Greatest limit, for any link.
inline constexpr std::size_t kBudget = 512 << 10;
/// A repaint has as many skipped lines above the screen as the link carries in this time. It is less than kBudgetTime,
/// since the screen follows.
inline constexpr auto kSkippedTime = 100ms;
inline constexpr std::size_t kMinSkipped = 2 << 10, kMaxSkipped = 256 << 10;
/// Time for which the child waits for a disconnected lossless viewer.
inline constexpr auto kLinger = 10s;
}  // namespace flow

/// The credit of one subscription: bytes in flight, the window, and the bandwidth of the link.
///
/// The shortest ack time is the RTT. While acks take about that long the window limits the rate, and it grows. Once
/// they take longer the link limits: rate = acked bytes / time, window = rate x (RTT + kQueueTime).
///
/// Units   bytes of output as the client counts them (UTF-8 of the frame's data).
class Credit {
 public:
  std::size_t window() const { return window_; }
  std::size_t in_flight() const { return in_flight_; }
  /// Bytes that may still be sent.
  std::size_t room() const { return in_flight_ < window_ ? window_ - in_flight_ : 0; }
  /// Length of the next frame, of `waiting` bytes; 0 while the room is not worth a frame.
  std::size_t room_for(std::size_t waiting) const;
  /// Time since which there has been no room worth a frame; nothing while there is.
  std::optional<TimePoint> starved_since() const { return starved_since_; }
  /// Whether `waiting` bytes are too many for this link. A link that is not measured yet counts as fast.
  bool is_overrun_by(std::size_t waiting) const;
  /// Whether the link is measured. Until then the window may be too small for it.
  bool is_known() const { return !probe_since_ && (is_known_ || window_ == flow::kMaxWindow); }
  /// Bytes of skipped lines that may go with a repaint.
  std::size_t worth_of_skipped() const;

  void on_sent(std::size_t bytes, TimePoint now);
  /// `bytes` of it were not sent after all: they need no ack, and say nothing about the link.
  void take_back(std::size_t bytes);
  /// `sent` is the time at which the last frame was sent that is now acked to its end; nothing where none is.
  void on_returned(std::size_t bytes, std::optional<TimePoint> sent, TimePoint now);
  /// Output sent until now needs no ack any more. The window stays as measured.
  void reset();

 private:
  using Duration = TimePoint::duration;

  std::size_t longest_frame() const { return std::clamp(window_ / 4, flow::kMinWindow / 2, flow::kMaxFrame); }
  bool is_worth_a_frame(std::size_t room) const;
  std::size_t queued() const;
  double carried_in(Duration round_trips) const;
  void begin_stretch(TimePoint now);
  void on_acked(Duration taken, TimePoint sent, TimePoint now);
  void grow(std::size_t bytes);
  bool is_link_busy(Duration taken) const { return taken > *round_trip_ + flow::kBusyTime; }
  void measure(TimePoint now);
  void slow_down(double rate, TimePoint now);
  void probe(TimePoint now);
  void fit_window();

  std::size_t window_ = flow::kMinWindow;
  std::size_t in_flight_ = 0;
  std::optional<TimePoint> starved_since_;
  // The link: bytes per second (a lower bound until it is known), RTT, and the time of the last RTT.
  double rate_ = 0;
  double trusted_ = 0;  // highest rate since the RTT was measured; a drop below half may mean a longer path
  bool is_known_ = false;
  bool is_doubted_ = false;  // a measurement did not fit the earlier ones
  std::optional<Duration> round_trip_;
  TimePoint round_trip_seen_{};
  std::optional<TimePoint> probe_since_;  // a small window shows the RTT
  // The current measurement: bytes acked since `measured_since_`, whether the window was the limit, and the shortest
  // ack time.
  std::size_t measured_ = 0;
  TimePoint measured_since_{}, last_returned_{};
  bool limited_ = false;
  std::optional<Duration> shortest_;
};

/// Position and time of each frame that is not acked yet.
///
/// Units   bytes as Credit counts them. Beyond kMost frames the newest ones count as one, with the first position.
class InFlight {
 public:
  static constexpr std::size_t kMost = 64;

  void on_sent(Position from, std::size_t bytes, TimePoint now);
  /// Time at which the last frame was sent that is now acked to its end.
  std::optional<TimePoint> on_returned(std::size_t bytes);
  /// The newest `bytes` were not sent after all: they need no ack.
  void take_back(std::size_t bytes);
  void reset() { frames_.clear(); }
  /// Start of the oldest frame that is not acked to its end; nothing when all are.
  std::optional<Position> oldest() const;

 private:
  struct Frame {
    Position from;
    std::size_t bytes;
    TimePoint sent;
  };
  std::list<Frame> frames_;  // an empty one takes no memory
};

/// Decides whether a child may be read on, given its viewers' cursors.
///
/// Use: ask may_read() before each reading; where it says no, ask again when a cursor moved or at retry_at().
class Pacer {
 public:
  /// The foremost viewer that counts.
  struct Leader {
    Position cursor;
    bool is_known = true;  ///< its link's bandwidth is known
  };
  /// `fastest` is nothing when there is none.
  bool may_read(Position head, std::optional<Leader> fastest, TimePoint now);
  /// When patience ends; meaningful after may_read() said no.
  TimePoint retry_at() const;

 private:
  void count_down(Position head);

  Position granted_ = 0;
  std::optional<TimePoint> held_since_;
  int patience_with_ = 1;  // times kPatience
  // Time for which the child was held, less what it has read since. A viewer that moves a little now and then does not
  // restart it.
  TimePoint::duration waited_{};
  Position read_to_ = 0;
};

}  // namespace ptyd
