// Lines: everything that is written in one terminal: the rows of both buffers, and what left them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/row.hpp"
#include "pty/screen/grid/scrollback.hpp"

namespace ptyd {

enum class Buffer : std::uint8_t { primary, alternate };

/// The rows of one buffer, in a ring, so that scrolling is O(1). Takes memory when something is drawn.
class RowRing {
 public:
  /// Null: nothing has been drawn yet. `row` is on the screen.
  const Row* find(int row) const { return ring_.empty() ? nullptr : &ring_[slot(row)]; }
  /// A row to draw in. `rows` is the height of the screen.
  Row& touch(int row, int rows) {
    if (ring_.empty()) ring_.resize(static_cast<std::size_t>(rows));
    return ring_[slot(row)];
  }
  /// Makes the topmost `count` rows the lowest ones. Call only after something was drawn.
  void rotate(int count) { first_ = (first_ + static_cast<std::size_t>(count)) % ring_.size(); }

 private:
  std::size_t slot(int row) const {
    const std::size_t at = first_ + static_cast<std::size_t>(row);
    return at >= ring_.size() ? at - ring_.size() : at;
  }

  std::vector<Row> ring_;  // as many as the screen has rows, or none
  std::size_t first_ = 0;  // row 0 of the screen
};

/// The Grid draws in Lines, Names searches them for names in use, resize_lines() gives them another size.
struct Lines {
  /// Most rows of a screen.
  static constexpr int kMaxRows = 4096;
  /// Cells that wait below the screen: a full screen of 2000 x 1000, the largest that a client may ask for.
  static constexpr std::size_t kMaxBelow = 2'000'000;

  Lines(int width, int height, Scrollback above) : columns(width), rows(height), scrollback(std::move(above)) {}

  bool inside(int row) const { return row >= 0 && row < rows; }
  /// Null outside the screen, and where nothing has been drawn yet.
  const Row* find(Buffer buffer, int row) const { return inside(row) ? ring(buffer).find(row) : nullptr; }
  Row& touch(Buffer buffer, int row) { return buffers[static_cast<std::size_t>(buffer)].touch(row, rows); }
  const RowRing& ring(Buffer buffer) const { return buffers[static_cast<std::size_t>(buffer)]; }
  Line line(Buffer buffer, int row) const {
    const Row* found = find(buffer, row);
    return found == nullptr ? Line{} : found->view();
  }

  int columns, rows;
  std::array<RowRing, 2> buffers;
  /// Above the primary buffer. Lines that a resize left as they were are laid out when they are asked for:
  /// lay_out_scrollback().
  mutable Scrollback scrollback;
  /// Rows that a resize pushed out at the bottom, until something is erased or scrolled there. Where they are too many,
  /// those nearest to the screen.
  Scrollback below{Scrollback::kUnbounded};
};

}  // namespace ptyd
