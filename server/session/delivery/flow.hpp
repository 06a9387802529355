// Flow rules: how much may be on its way to a viewer, when he is shown the present, and when a child has to wait. Pure
// decisions, no clock, no I/O.
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

/// Longest output event, bytes of the journal. Longer frames put their time on everybody else's keys.
inline constexpr std::size_t kMaxFrame = 64 << 10;
/// Unproven bytes that may be on their way to one viewer. The least is what is begun with, so that a slow line is not
/// filled before it is known: twice what clients ack together and what a ping is sent after, else proofs would not
/// come. The most is enough for a fast line with a long way.
inline constexpr std::size_t kMinWindow = 8 << 10, kMaxWindow = 256 << 10;
/// Bytes may wait this long on the line, beyond its round trip: long enough to keep it busy between two proofs, short
/// enough that Ctrl-C is felt.
inline constexpr auto kQueueTime = 80ms;
/// From here on it is the line that a window waits for.
inline constexpr auto kBusyTime = kQueueTime / 2;
/// Rates are measured over stretches of at least this length, so that one burst of acks is no rate.
inline constexpr auto kRatePeriod = 20ms;
/// The round trip of a line that is always busy is measured anew after this time, since the way may have changed.
inline constexpr auto kRoundTripAge = 10s;
/// How far the child may be ahead of its fastest viewer ...
inline constexpr std::size_t kLead = 64 << 10;
/// ... and for how long it waits for that viewer before it may go on by another kLead: never below 450 KiB/s, so that a
/// line of 512 KiB/s keeps up, with what proofs cost it.
inline constexpr auto kPatience = 140ms;
/// It waits so many times as long for one whose line is not known yet: its window is small because it is new.
inline constexpr int kPatienceWithNew = 2;
/// A viewer without credit for this long is not waited for.
inline constexpr auto kStalled = 250ms;
/// A viewer is shown the present instead of what his line does not carry in this time, ...
inline constexpr auto kBudgetTime = 250ms;
/// ... if it is more than a screenful, ...
inline constexpr std::size_t kMinBudget = 8 << 10;
/// ... and more than Pacer and a turn let a child be ahead of a line that sets the pace, with what an estimate may be
/// wrong by; ...
inline constexpr std::size_t kPaceBudget = 3 * kLead, kPaceRate = 448 << 10;
/// ... and whatever his line is, when it is this much.
inline constexpr std::size_t kBudget = 512 << 10;
/// Of what he has not seen then as much goes above the present as the line carries in this time: less than the budget,
/// for the screen goes with it.
inline constexpr auto kSkippedTime = 100ms;
inline constexpr std::size_t kMinSkipped = 2 << 10, kMaxSkipped = 256 << 10;
/// A disconnected lossless viewer is waited for this long.
inline constexpr auto kLinger = 10s;
}  // namespace flow

/// The credit of one subscription: what is on its way, how much may be, and what its line carries.
///
/// The shortest time in which a proof came is the round trip. While proofs come in little more than that, the window is
/// the limit, and grows. Once they take longer the line is: so many bytes as are proved meanwhile it carries, and the
/// window is what it carries in its round trip and kQueueTime.
///
/// Units   bytes of output as the client counts them (UTF-8 of the frame's data).
class Credit {
 public:
  std::size_t window() const { return window_; }
  std::size_t in_flight() const { return in_flight_; }
  /// How many bytes may be on their way besides.
  std::size_t room() const { return in_flight_ < window_ ? window_ - in_flight_ : 0; }
  /// How many of `waiting` bytes are to be sent now, in one frame; 0 while the room is not worth one.
  std::size_t room_for(std::size_t waiting) const;
  /// Since when there has been no room worth a frame; nothing while there is.
  std::optional<TimePoint> starved_since() const { return starved_since_; }
  /// Whether `waiting` bytes are too many for this line. Of one that is not known yet nothing is thought but the best.
  bool is_overrun_by(std::size_t waiting) const;
  /// False while the window may turn out to be too small for it.
  bool is_known() const { return !probe_since_ && (is_known_ || window_ == flow::kMaxWindow); }
  /// How much of what was skipped may be sent with the present.
  std::size_t worth_of_skipped() const;

  void on_sent(std::size_t bytes, TimePoint now);
  /// So much of it is not on its way: it needs no proof, and says nothing about the line.
  void take_back(std::size_t bytes);
  /// `sent` is when the last of the frames was sent that are proved to their end by these bytes, if any is.
  void on_returned(std::size_t bytes, std::optional<TimePoint> sent, TimePoint now);
  /// Output sent until now needs no proof any more. The window stays: it is what the line carries.
  void start_afresh();

 private:
  using Duration = TimePoint::duration;

  std::size_t longest_frame() const { return std::clamp(window_ / 4, flow::kMinWindow / 2, flow::kMaxFrame); }
  bool is_worth_a_frame(std::size_t room) const;
  std::size_t queued() const;
  double carried_in(Duration round_trips) const;
  void begin_stretch(TimePoint now);
  void on_proof(Duration taken, TimePoint sent, TimePoint now);
  void grow(std::size_t bytes);
  bool is_line_busy(Duration taken) const { return taken > *round_trip_ + flow::kBusyTime; }
  void measure(TimePoint now);
  void slow_down(double rate, TimePoint now);
  void probe(TimePoint now);
  void fit_window();

  std::size_t window_ = flow::kMinWindow;
  std::size_t in_flight_ = 0;
  std::optional<TimePoint> starved_since_;
  // The line: bytes per second, at least that until it is known; its round trip, and when that was last seen.
  double rate_ = 0;
  double trusted_ = 0;  // what it was at most since the round trip was measured: half of that may be a longer way
  bool is_known_ = false;
  bool is_doubted_ = false;  // there was a stretch that did not fit what was thought of it until then
  std::optional<Duration> round_trip_;
  TimePoint round_trip_seen_{};
  std::optional<TimePoint> probe_since_;  // a small window shows the round trip
  // The stretch being measured: bytes proven since `measured_since_`, whether the window was the limit in it, and the
  // shortest time that a proof took.
  std::size_t measured_ = 0;
  TimePoint measured_since_{}, last_returned_{};
  bool limited_ = false;
  std::optional<Duration> shortest_;
};

/// Where in the journal, and when, that was sent which is not proved yet.
///
/// Units   bytes as Credit counts them. Beyond kMost frames the newest ones are counted as one: its first position stays.
class InFlight {
 public:
  static constexpr std::size_t kMost = 64;

  void on_sent(Position from, std::size_t bytes, TimePoint now);
  /// When the last of the frames was sent that are proved to their end now.
  std::optional<TimePoint> on_returned(std::size_t bytes);
  /// So much of the newest is not on its way: it needs no proof.
  void take_back(std::size_t bytes);
  void start_afresh() { frames_.clear(); }
  /// Of the oldest frame that was not proved to its end; nothing when all was.
  std::optional<Position> oldest() const;

 private:
  struct Frame {
    Position from;
    std::size_t bytes;
    TimePoint sent;
  };
  std::list<Frame> frames_;  // an empty one takes no memory
};

/// Whether a child may be read on, given where its viewers are.
///
/// Use: ask may_read() before each reading; where it says no, ask again when a cursor moved or at retry_at().
class Pacer {
 public:
  /// The foremost viewer that counts.
  struct Leader {
    Position cursor;
    bool is_known = true;  ///< what its line carries
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
  // For how long the child was held, less what it has read since: a viewer that moves a little now and then does not
  // begin its patience again.
  TimePoint::duration waited_{};
  Position read_to_ = 0;
};

}  // namespace ptyd
