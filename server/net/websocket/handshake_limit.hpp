// HandshakeLimit: time limit for the answer of a peer that the server speaks to first.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "server/loop/loops.hpp"

namespace ptyd {

/// Owns    its timer.
/// Thread  the loop's.
class HandshakeLimit {
 public:
  /// An agent's start takes a few seconds.
  static constexpr std::chrono::seconds kTime{30};
  static constexpr std::string_view kReason = "what the server asked first had no good answer within 30 s";
  static_assert(kTime == std::chrono::seconds(30));

  explicit HandshakeLimit(Loop& loop) : loop_(loop), timer_(loop.make_timer()) {}

  void begin(std::function<void()> is_over) { timer_->wait_until(loop_.clock().now() + kTime, std::move(is_over)); }
  void cancel() { timer_->cancel(); }

 private:
  Loop& loop_;
  std::unique_ptr<Timer> timer_;
};

}  // namespace ptyd
