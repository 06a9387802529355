// Flow rules: how much may be on its way to a viewer, and when a child has to wait. Pure decisions, no clock, no I/O.
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
/// Unproven bytes that may be on their way to one viewer: small enough that Ctrl-C is felt on a slow line, large enough
/// for a fast line with a long way.
inline constexpr std::size_t kMinWindow = 8 << 10, kInitialWindow = 64 << 10, kMaxWindow = 256 << 10;
/// What a window should be worth in time, once the line's rate is known.
inline constexpr auto kWindowTime = 250ms;
/// Rates are measured over stretches of at least this length, so that one burst of acks is no rate.
inline constexpr auto kRatePeriod = 20ms;
/// How far the child may be ahead of its fastest viewer ...
inline constexpr std::size_t kLead = 64 << 10;
/// ... and for how long it waits for that viewer before it may go on by another kLead: never below 3 MB/s.
inline constexpr auto kPatience = 20ms;
/// A viewer without credit for this long is not waited for.
inline constexpr auto kStalled = 250ms;
/// A viewer this far behind is shown the present instead.
inline constexpr std::size_t kBudget = 512 << 10;
/// A disconnected lossless viewer is waited for this long.
inline constexpr auto kLinger = 10s;
}  // namespace flow

/// The credit of one subscription: what is on its way, and how much may be.
///
/// Units   bytes of output as the client counts them (UTF-8 of the frame's data).
class Credit {
 public:
  std::size_t window() const { return window_; }
  std::size_t in_flight() const { return in_flight_; }
  /// How many bytes may be sent now.
  std::size_t room() const { return in_flight_ < window_ ? window_ - in_flight_ : 0; }
  /// Since when there has been no room; nothing while there is.
  std::optional<TimePoint> starved_since() const { return starved_since_; }

  void on_sent(std::size_t bytes, TimePoint now);
  void on_returned(std::size_t bytes, TimePoint now);
  /// What was sent until now needs no proof any more. The window stays: it is what the line carries.
  void start_afresh();

 private:
  void measure(std::size_t bytes, TimePoint now);

  std::size_t window_ = flow::kInitialWindow;
  std::size_t in_flight_ = 0;
  std::optional<TimePoint> starved_since_;
  // The stretch being measured: bytes proven since `measured_since_`, and whether credit ran out in it.
  std::size_t measured_ = 0;
  TimePoint measured_since_{}, last_returned_{};
  bool limited_ = false;
};

/// Where in the journal that stands which was sent and not proved yet.
///
/// Units   bytes as Credit counts them. Beyond kMost frames the newest ones are counted as one: its first position stays.
class Unproved {
 public:
  static constexpr std::size_t kMost = 64;

  void on_sent(Position from, std::size_t bytes);
  void on_returned(std::size_t bytes);
  void start_afresh() { frames_.clear(); }
  /// Of the oldest frame that was not proved to its end; nothing when all was.
  std::optional<Position> oldest() const;

 private:
  struct Frame {
    Position from;
    std::size_t bytes;
  };
  std::list<Frame> frames_;  // an empty one takes no memory
};

/// Whether a child may be read on, given where its viewers are.
///
/// Use: ask may_read(); where it says no, ask again when a cursor moved or at retry_at().
class Pace {
 public:
  /// `fastest` is the cursor of the foremost viewer that counts, or nothing when there is none.
  bool may_read(Position head, std::optional<Position> fastest, TimePoint now);
  /// When patience ends; meaningful after may_read() said no.
  TimePoint retry_at() const { return held_since_.value_or(TimePoint{}) + flow::kPatience; }

 private:
  Position granted_ = 0;
  std::optional<TimePoint> held_since_;
};

}  // namespace ptyd
