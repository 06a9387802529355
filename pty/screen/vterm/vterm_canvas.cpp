#include <algorithm>

#include "pty/screen/vterm/vterm_emulator.hpp"

namespace ptyd {

namespace {

/// What libvterm translates otherwise: its signs for "at most" and "at least" are the slanted ones.
char32_t by_xterm(char32_t glyph) {
  switch (glyph) {
    case 0x2A7D:
      return 0x2264;
    case 0x2A7E:
      return 0x2265;
    default:
      return glyph;
  }
}

}  // namespace

PenId VtermEmulator::blank_pen() {
  return grid_.pen_id(background_of(state_.pen));
}

void VtermEmulator::put(char32_t glyph, int width, int row, int column) {
  // Only libvterm's own wrap, which ends a row of plain text, brings a glyph to column 0 from elsewhere.
  if (!aligning_ && column == 0 && next_column_ != 0 && (row != next_row_ || scrolled_)) {
    state_.caret.row = row;
    join_wrapped(next_row_);
  }
  next_column_ = column + width;
  next_row_ = row;
  scrolled_ = false;
  grid_.put(row, column, drawn_ != 0 ? drawn_ : by_xterm(glyph), width, pen_, guarded_);
}

void VtermEmulator::scroll(const Area& whole, int upward, int leftward) {
  Area area = whole;
  area.right = std::min(area.right, row_end_);
  const PenId blank = blank_pen();
  scrolled_ = upward > 0;
  if (upward > 0 && keeps_) grid_.scroll_up(area, upward, blank);
  if (upward > 0 && !keeps_) grid_.delete_lines(area, upward, blank);
  if (upward < 0) grid_.scroll_down(area, -upward, blank);
  if (leftward > 0) grid_.delete_cells(area, leftward, blank);
  if (leftward < 0) grid_.insert_cells(area, -leftward, blank);
}

void VtermEmulator::erase(const Area& area, bool selective) {
  if (selective) {
    grid_.erase_unguarded(area, blank_pen());
  } else {
    grid_.erase(area, blank_pen());
  }
}

}  // namespace ptyd
