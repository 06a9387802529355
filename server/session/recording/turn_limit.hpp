// TurnLimit: when the work of one turn has taken long enough.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "pty/screen/screen.hpp"
#include "pty/text/utf8.hpp"
#include "server/loop/clock.hpp"

namespace ptyd {

/// Output is bounded in bytes, but a few of them may move the whole screen; so a turn is bounded in time as well.
///
/// Owns    nothing; the clock outlives it. It looks at the clock only after as much work as is worth a look.
class TurnLimit {
 public:
  /// Cells moved or filled until the next look: some 0.1 ms of work.
  static constexpr std::uint64_t kCellsPerLook = 64 << 10;
  /// Bytes of output, likewise: some 10 us where it is ordinary.
  static constexpr std::size_t kBytesPerLook = 2 << 10;
  /// Between side margins every second byte may move the whole screen: of larger ones fewer bytes are drawn until the
  /// next look, so that these are at most some 10 ms of work, but at least kLeastPiece.
  static constexpr std::size_t kCellBytesPerPiece = 4 << 20, kLeastPiece = 16;

  /// Without end.
  TurnLimit() = default;
  TurnLimit(const Clock& clock, std::chrono::milliseconds time) : clock_(&clock), end_(clock.now() + time) {}

  /// Output drawn since the last call was `bytes` long, and its screen has done `cells` by now (Grid::work). True
  /// when time is up.
  bool is_reached(std::size_t bytes, std::uint64_t cells) {
    bytes_ += bytes;
    if (bytes_ < kBytesPerLook && cells - cells_ < kCellsPerLook) return false;
    bytes_ = 0;
    cells_ = cells;
    return clock_ != nullptr && clock_->now() >= end_;
  }

  /// So much of the front of `text` is drawn on `screen` before the next look; whole characters.
  static std::size_t piece_of(std::string_view text, const Screen& screen) {
    if (text.size() <= kLeastPiece) return text.size();
    const std::size_t cells = std::size_t{screen.grid().size().cols} * screen.grid().size().rows;
    const std::size_t most = screen.state().horizontal_margins
                                 ? std::clamp(kCellBytesPerPiece / cells, kLeastPiece, kBytesPerLook)
                                 : kBytesPerLook;
    if (text.size() <= most) return text.size();
    return most - utf8::unfinished_tail(text.substr(0, most));
  }

 private:
  const Clock* clock_ = nullptr;
  TimePoint end_;
  std::size_t bytes_ = 0;
  std::uint64_t cells_ = 0;
};

}  // namespace ptyd
