// Backpressure: holds a child that is too far ahead of those who hear it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "pty/journal/journal.hpp"
#include "server/loop/loops.hpp"
#include "server/session/delivery/audience.hpp"
#include "server/session/delivery/flow.hpp"

namespace ptyd {

/// Applies the rules of flow.hpp to one session, and says when to ask again.
///
/// Owns    a timer.
/// Thread  the loop's.
class Backpressure {
 public:
  /// `retry` is called while a child is held and it is time to ask again.
  Backpressure(Loop& loop, std::function<void()> retry) : retry_(std::move(retry)), timer_(loop.make_timer()) {}

  /// Whether `bytes` more may be read. If not, ask again when a cursor has moved.
  bool may_read(const Journal& journal, Audience& audience, std::size_t bytes, TimePoint now) {
    if (!has_room(journal, audience, bytes, now)) return false;
    holds_ = !pacer_.may_read(journal.head(), audience.fastest(now), now);
    // A viewer that it waits for may count no longer before patience ends.
    if (holds_) timer_->wait_until(std::min(pacer_.retry_at(), now + flow::kStalled), retry_);
    return !holds_;
  }
  /// The same for a child that is gone: it cannot be paced, and only what a lossless viewer would lose is not read.
  bool has_room(const Journal& journal, Audience& audience, std::size_t bytes, TimePoint now) {
    holds_ = audience.would_overrun_lossless(journal.inbox().size() + bytes, now);
    if (holds_) {
      timer_->wait_until(now + flow::kStalled, retry_);
    } else {
      timer_->cancel();
    }
    return !holds_;
  }
  /// The child waits for a viewer.
  bool holds() const { return holds_; }
  /// Nothing is to be read any more.
  void release() {
    holds_ = false;
    timer_->cancel();
  }

 private:
  std::function<void()> retry_;
  Pacer pacer_;
  bool holds_ = false;
  std::unique_ptr<Timer> timer_;
};

}  // namespace ptyd
