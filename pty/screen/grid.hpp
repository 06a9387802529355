// Grid: the cells of one terminal, both buffers and the scrollback.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pty/screen/cell.hpp"
#include "pty/types.hpp"

namespace ptyd {

enum class Buffer : std::uint8_t { primary, alternate };

/// Cells, and how they move. Knows no sequence and no mode.
///
/// Thread  one. Units  rows and columns from 0; a row of the screen is 0 at its top, a line of the scrollback 0 when it
/// is the oldest. Order  scrolling is O(1): rows are a ring; rows take memory when they are first written. Bounds
/// whatever is outside the screen is cut off, so no caller can write beside it.
class Grid {
 public:
  /// Narrowest and shortest screens that are drawn on; smaller sizes are taken as these.
  static constexpr int kMinColumns = 2, kMinRows = 1;

  Grid(Size size, std::size_t max_scrollback);

  Size size() const;
  Buffer active() const;

  // Reading; all of it also for the buffer that is not active.
  Line line(Buffer buffer, int row) const;
  /// Lines that are kept above row 0 of the primary buffer.
  std::size_t scrollback() const;
  /// `index` is below scrollback(); `space` takes the cells.
  Line scrollback_line(std::size_t index, std::vector<Cell>& space) const;
  /// Lines that have ever gone into the scrollback; never decreases.
  std::uint64_t scrolled_out() const;
  const Pen& pen(PenId id) const;
  const Link& link(LinkId id) const;
  /// Appends the text of a cell: nothing for the right half of a wide glyph, a space for a blank.
  void append_text(const Cell& cell, std::string& utf8) const;
};

}  // namespace ptyd
