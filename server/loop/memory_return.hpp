// MemoryReturn: gives memory back that a burst took.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <utility>

#include "server/loop/loops.hpp"

namespace ptyd {

/// Gives the kernel the free pages that the allocator keeps. Takes milliseconds.
void give_memory_back();

/// Gives memory back once for all that was freed, a while later.
///
/// Owns    its timer.
/// Thread  the loop's.
class MemoryReturn {
 public:
  /// Freed bytes that are worth it.
  static constexpr std::size_t kWorth = 4 << 20;
  static constexpr std::chrono::seconds kLater{2};

  MemoryReturn(Loop& loop, std::function<void()> give_back)
      : loop_(loop), give_back_(std::move(give_back)), timer_(loop.make_timer()) {}

  void freed(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ < kWorth || std::exchange(is_due_, true)) return;
    timer_->wait_until(loop_.clock().now() + kLater, [this] {
      is_due_ = false;
      bytes_ = 0;
      give_back_();
    });
  }

 private:
  Loop& loop_;
  std::function<void()> give_back_;
  std::unique_ptr<Timer> timer_;
  std::size_t bytes_ = 0;
  bool is_due_ = false;
};

}  // namespace ptyd
