#include "pty/screen/vterm/vterm_drawing.hpp"

#include <algorithm>

namespace ptyd {

namespace {

/// Signs that libvterm translates otherwise: its signs for "at most" and "at least" are the slanted ones.
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

PenId VtermDrawing::blank_pen() {
  return grid_.pen_id(background_of(state_.pen));
}

void VtermDrawing::put(char32_t glyph, int width, int row, int column) {
  // Only libvterm's own wrap, which ends a row of plain text, brings a glyph to column 0 from elsewhere.
  if (column == 0 && step.next_column != 0 && (row != step.next_row || step.scrolled)) {
    state_.caret.row = row;
    join_wrapped(step.next_row);
  }
  step.next_column = column + width;
  step.next_row = row;
  step.scrolled = false;
  grid_.put(row, column, step.glyph != 0 ? step.glyph : by_xterm(glyph), width, step.pen, step.guarded);
}

void VtermDrawing::scroll(const Area& whole, int upward, int leftward) {
  Area area = whole;
  area.right = std::min(area.right, step.row_end);
  const PenId blank = blank_pen();
  step.scrolled = upward > 0;
  if (upward > 0 && step.keeps) grid_.scroll_up(area, upward, blank);
  if (upward > 0 && !step.keeps) grid_.delete_lines(area, upward, blank);
  if (upward < 0) grid_.scroll_down(area, -upward, blank);
  if (leftward > 0) grid_.delete_cells(area, leftward, blank);
  if (leftward < 0) grid_.insert_cells(area, -leftward, blank);
}

void VtermDrawing::erase(const Area& area, bool selective) {
  if (selective) {
    grid_.erase_unguarded(area, blank_pen());
  } else {
    grid_.erase(area, blank_pen());
  }
}

void VtermDrawing::join_wrapped(int row_before) {
  const bool only_row = state_.top == state_.bottom && row_before == state_.top;
  if (!only_row || row_before == 0) grid_.join_to_above(state_.caret.row);
}

}  // namespace ptyd
