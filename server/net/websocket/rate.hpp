// Rate: so many per second and no more.
#pragma once

#include <chrono>
#include <cstddef>

namespace ptyd {

/// Counts within seconds that begin with the first use after the last one's end. No clock of its own.
class Rate {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Rate(std::size_t per_second) : per_second_(per_second) {}

  /// False when this one is beyond what the current second allows.
  bool take(Clock::time_point now) {
    if (now - begun_ >= std::chrono::seconds(1)) {
      begun_ = now;
      taken_ = 0;
    }
    return ++taken_ <= per_second_;
  }

 private:
  std::size_t per_second_;
  std::size_t taken_ = 0;
  Clock::time_point begun_{};
};

}  // namespace ptyd
