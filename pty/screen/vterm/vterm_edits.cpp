#include <algorithm>

#include "pty/screen/vterm/vterm_emulator.hpp"

namespace ptyd {

/// ED, EL, DECSED, DECSEL. Rows that are erased whole become single.
void VtermEmulator::erase_in(char final, const Csi& csi) {
  const int what = csi.param(0, 0);
  state_.caret.pending_wrap = false;
  if (final == 'J' && what == 3 && csi.leader == 0) return grid_.clear_scrollback();
  if (what > 2) return;
  bring();
  if (final == 'J' && csi.leader == 0 && double_lines_)
    single_lines(what == 0 ? state_.caret.row + 1 : 0, what == 1 ? state_.caret.row : grid_.size().rows);
  machine_->csi(final, {what}, csi.leader);
}

void VtermEmulator::erase_screen() {
  state_.caret.pending_wrap = false;
  bring();
  single_lines(0, grid_.size().rows);
  machine_->csi('J', {2});
}

void VtermEmulator::single_lines(int top, int bottom) {
  for (int row = top; row < bottom && double_lines_; ++row)
    if (grid_.columns(row) != grid_.size().cols) grid_.set_line_size(row, LineSize::single);
}

/// ECH.
void VtermEmulator::erase_cells(int count) {
  state_.caret.pending_wrap = false;
  bring();
  machine_->csi('X', {count});
}

/// ICH, DCH: within the horizontal margins, in any row. libvterm does it between the vertical ones only.
void VtermEmulator::across(char final, int count) {
  state_.caret.pending_wrap = false;
  if (!in_columns()) return;
  const bool outside = !in_margins();
  if (outside) machine_->csi('r', {});
  bring();
  row_end_ = last_column() + 1;
  machine_->csi(final, {count});
  row_end_ = kNoEnd;
  if (outside) tell_margins();
}

/// IL, DL.
void VtermEmulator::lines(char final, int count) {
  if (!in_margins()) return;
  bring();
  keeps_ = false;
  machine_->csi(final, {count});
  go_to(state_.caret.row, state_.left);
}

/// SL, SR: everything between the margins, if the caret is among it.
void VtermEmulator::shift(int leftward) {
  const Area area{state_.top, state_.left, state_.bottom + 1, state_.right + 1};
  const int width = area.right - area.left;
  if (in_margins()) scroll(area, 0, std::clamp(leftward, -width, width));
}

/// DECFI, DECBI: like an index, but sideways.
void VtermEmulator::index_columns(int rightward) {
  const int edge = rightward > 0 ? state_.right : state_.left;
  if (state_.caret.column == edge) return shift(rightward);
  move(rightward > 0 ? 'C' : 'D', 1);
}

/// DECALN.
void VtermEmulator::align() {
  whole_margins(state_, grid_.size());
  tell_margins();
  single_lines(0, grid_.size().rows);
  grid_.erase({0, 0, grid_.size().rows, grid_.size().cols}, 0);
  pen_ = 0;
  guarded_ = false;
  drawn_ = 0;
  aligning_ = true;
  machine_->escape('#', '8');
  aligning_ = false;
  go_to(0, 0);
}

void VtermEmulator::set_line_size(LineSize size) {
  if (state_.horizontal_margins) return;
  double_lines_ = true;
  grid_.set_line_size(state_.caret.row, size);
  const int last = grid_.columns(state_.caret.row) - 1;
  if (state_.caret.column > last) go_to(state_.caret.row, last);
}

/// DECFRA, DECERA, DECSERA, DECCRA.
void VtermEmulator::rectangle(const Csi& csi) {
  const Area within = origin_area(state_, grid_.size());
  const auto is_empty = [](const Area& area) { return area.top >= area.bottom || area.left >= area.right; };
  const Area area = area_of(csi, csi.final == 'x' ? 1 : 0, within);
  if (is_empty(area)) return;
  const int glyph = csi.param(0, 0);
  const bool printable = (glyph >= 0x20 && glyph < 0x7F) || (glyph >= 0xA0 && glyph < 0x100);
  if (csi.final == 'z' || csi.final == '{') return erase(area, csi.final == '{');
  if (csi.final == 'x') {
    if (printable) grid_.fill(area, static_cast<char32_t>(glyph), grid_.pen_id(state_.pen), state_.guarded);
    return;
  }
  const auto [from, to] = area_copy(csi, within);
  if (!is_empty(from)) grid_.copy(from, to.row, to.column);
}

}  // namespace ptyd
