// Brake: holds a child that is too far ahead of those who hear it.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "pty/journal/journal.hpp"
#include "server/loop/loops.hpp"
#include "server/session/audience.hpp"
#include "server/session/flow.hpp"

namespace ptyd {

/// Applies the rules of flow.hpp to one session, and says when to ask again.
///
/// Owns    a timer. What it calls back must not count on this Brake, which may be gone by then.
/// Thread  the loop's.
class Brake {
 public:
  explicit Brake(Loop& loop) : timer_(loop.make_timer()) {}

  /// Whether `bytes` more may be read. If not, ask again when a cursor has moved; `retry` is called when it is time to
  /// ask in any case, maybe after release().
  template <class Retry>
  bool may_read(const Journal& journal, Audience& audience, std::size_t bytes, TimePoint now, Retry retry) {
    const bool lossless_full = audience.would_overrun_lossless(journal.inbox().size() + bytes, now);
    holds_ = lossless_full || !pace_.may_read(journal.head(), audience.fastest(now), now);
    if (!holds_) return true;
    timer_->wait_until(lossless_full ? now + flow::kStalled : pace_.retry_at(), std::move(retry));
    return false;
  }
  /// The child waits for a viewer.
  bool holds() const { return holds_; }
  /// Nothing is to be read any more.
  void release() {
    holds_ = false;
    timer_->cancel();
  }

 private:
  Pace pace_;
  bool holds_ = false;
  std::unique_ptr<Timer> timer_;
};

}  // namespace ptyd
