#include "pty/screen/vterm/vterm_edits.hpp"

#include <algorithm>

namespace ptyd {

/// ED, EL, DECSED, DECSEL. Rows that are erased whole become single.
void VtermEdits::erase_in(char final, const Csi& csi) {
  const int what = csi.param(0, 0);
  state_.caret.pending_wrap = false;
  if (final == 'J' && what == 3 && csi.leader == 0) return grid_.clear_scrollback();
  if (what > 2) return;
  moves_.bring();
  if (final == 'J' && csi.leader == 0 && double_lines_)
    single_lines(what == 0 ? state_.caret.row + 1 : 0, what == 1 ? state_.caret.row : grid_.size().rows);
  moves_.machine().csi(final, {what}, csi.leader);
}

void VtermEdits::erase_screen() {
  state_.caret.pending_wrap = false;
  moves_.bring();
  single_lines(0, grid_.size().rows);
  moves_.machine().csi('J', {2});
}

void VtermEdits::single_lines(int top, int bottom) {
  for (int row = top; row < bottom && double_lines_; ++row)
    if (grid_.columns(row) != grid_.size().cols) grid_.set_line_size(row, LineSize::single);
}

/// ECH.
void VtermEdits::erase_cells(int count) {
  state_.caret.pending_wrap = false;
  moves_.bring();
  moves_.machine().csi('X', {count});
}

/// ICH, DCH: within the horizontal margins, in any row. libvterm does it between the vertical ones only.
void VtermEdits::across(char final, int count) {
  state_.caret.pending_wrap = false;
  if (!within_columns()) return;
  const bool outside = !within_margins();
  if (outside) moves_.machine().csi('r', {});
  moves_.bring();
  drawing_.step.row_end = last_column() + 1;
  moves_.machine().csi(final, {count});
  drawing_.step.row_end = VtermStep::kNoEnd;
  if (outside) moves_.tell_margins();
}

/// IL, DL.
void VtermEdits::lines(char final, int count) {
  if (!within_margins()) return;
  moves_.bring();
  drawing_.step.keeps = false;
  moves_.machine().csi(final, {count});
  moves_.go_to(state_.caret.row, state_.left);
}

/// SL, SR: everything between the margins, if the caret is among it.
void VtermEdits::shift(int leftward) {
  const Area area{state_.top, state_.left, state_.bottom + 1, state_.right + 1};
  const int width = area.right - area.left;
  if (within_margins()) drawing_.scroll(area, 0, std::clamp(leftward, -width, width));
}

/// DECFI, DECBI: like an index, but sideways.
void VtermEdits::index_columns(int rightward) {
  const int edge = rightward > 0 ? state_.right : state_.left;
  if (state_.caret.column == edge) return shift(rightward);
  moves_.move(rightward > 0 ? 'C' : 'D', 1);
}

/// DECALN.
void VtermEdits::align() {
  whole_margins(state_, grid_.size());
  moves_.tell_margins();
  single_lines(0, grid_.size().rows);
  const Area all{0, 0, grid_.size().rows, grid_.size().cols};
  grid_.erase(all, 0);
  grid_.fill(all, U'E', 0, false);
  moves_.go_to(0, 0);
}

void VtermEdits::set_line_size(LineSize size) {
  if (state_.horizontal_margins) return;
  double_lines_ = true;
  grid_.set_line_size(state_.caret.row, size);
  const int last = grid_.columns(state_.caret.row) - 1;
  if (state_.caret.column > last) moves_.go_to(state_.caret.row, last);
}

/// DECFRA, DECERA, DECSERA, DECCRA.
void VtermEdits::rectangle(const Csi& csi) {
  const Area within = origin_area(state_, grid_.size());
  const auto is_empty = [](const Area& area) { return area.top >= area.bottom || area.left >= area.right; };
  const Area area = area_of(csi, csi.final == 'x' ? 1 : 0, within);
  if (is_empty(area)) return;
  const int glyph = csi.param(0, 0);
  const bool printable = (glyph >= 0x20 && glyph < 0x7F) || (glyph >= 0xA0 && glyph < 0x100);
  if (csi.final == 'z' || csi.final == '{') return drawing_.erase(area, csi.final == '{');
  if (csi.final == 'x') {
    if (printable) grid_.fill(area, static_cast<char32_t>(glyph), grid_.pen_id(state_.pen), state_.guarded);
    return;
  }
  const auto [from, to] = area_copy(csi, within);
  if (!is_empty(from)) grid_.copy(from, to.row, to.column);
}

/// DECIC, DECDC.
void VtermEdits::columns(char final, int count) {
  if (!within_margins()) return;
  moves_.bring();
  moves_.machine().csi(final, {count}, 0, '\'');
}

void VtermEdits::scroll_up(int count) {
  drawing_.step.keeps = true;
  moves_.machine().csi('S', {count});
}

void VtermEdits::scroll_down(int count) {
  moves_.machine().csi('T', {count});
}

}  // namespace ptyd
