// MessageProgress: finds messages that have begun and come no further.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

#include "server/loop/clock.hpp"

namespace ptyd {

/// A message holds memory from its first byte to its last. So it must end, or bring so many more bytes, within a time
/// that begins anew with them: a slow link is no fault, a message that is left lying is.
class MessageProgress {
 public:
  static constexpr std::chrono::seconds kTime{30};
  static constexpr std::size_t kBytes = 16 << 10;  ///< in kTime: an eighth of what the slowest telephone line carries
  static constexpr std::string_view kReason = "a message brought less than 16 KiB in 30 s";
  static_assert(kTime == std::chrono::seconds(30) && kBytes == 16 << 10);

  /// The message under way has `bytes` now.
  void came(std::size_t bytes, TimePoint now) {
    if (until_ && bytes < wanted_) return;
    wanted_ = bytes + kBytes;
    until_ = now + kTime;
  }
  /// It has come to its end.
  void ended() { until_.reset(); }
  /// The time at which it has failed, unless more comes; nothing while no message is under way.
  std::optional<TimePoint> until() const { return until_; }

 private:
  std::size_t wanted_ = 0;
  std::optional<TimePoint> until_;
};

}  // namespace ptyd
