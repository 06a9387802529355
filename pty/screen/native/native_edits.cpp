#include "pty/screen/native/native_edits.hpp"

namespace ptyd {

void NativeEdits::erase(const Area& area, bool unguarded) {
  unguarded ? grid_.erase_unguarded(area, pens_.blank()) : grid_.erase(area, pens_.blank());
}

void NativeEdits::erase_display(int what, bool unguarded) {
  caret().pending_wrap = false;
  if (what == 3 && !unguarded) return grid_.clear_scrollback();
  if (what < 0 || what > 2) return;
  const int top = what == 0 ? caret().row + 1 : 0, bottom = what == 1 ? caret().row : rows();
  if (!unguarded) single_lines(top, bottom);
  if (what != 2) erase_line(what, unguarded);
  erase({top, 0, bottom, columns()}, unguarded);
}

void NativeEdits::erase_line(int what, bool unguarded) {
  caret().pending_wrap = false;
  if (what < 0 || what > 2) return;
  const int row = caret().row, left = what == 0 ? caret().column : 0;
  erase({row, left, row + 1, what == 1 ? caret().column + 1 : columns()}, unguarded);
}

void NativeEdits::erase_cells(int count) {
  caret().pending_wrap = false;
  erase({caret().row, caret().column, caret().row + 1, caret().column + count}, false);
}

void NativeEdits::insert_cells(int count) {
  caret().pending_wrap = false;
  if (!within_columns()) return;
  grid_.insert_cells({caret().row, caret().column, caret().row + 1, last_column() + 1}, count, pens_.blank());
}

void NativeEdits::delete_cells(int count) {
  caret().pending_wrap = false;
  if (!within_columns()) return;
  grid_.delete_cells({caret().row, caret().column, caret().row + 1, last_column() + 1}, count, pens_.blank());
}

void NativeEdits::insert_lines(int count) {
  if (!within_margins()) return;
  Area area = margins();
  area.top = caret().row;
  grid_.scroll_down(area, count, pens_.blank());
  moves_.place(caret().row, state_.left);
}

void NativeEdits::delete_lines(int count) {
  if (!within_margins()) return;
  Area area = margins();
  area.top = caret().row;
  grid_.delete_lines(area, count, pens_.blank());
  moves_.place(caret().row, state_.left);
}

void NativeEdits::scroll_up(int count) {
  grid_.scroll_up(margins(), count, pens_.blank());
}

void NativeEdits::scroll_down(int count) {
  grid_.scroll_down(margins(), count, pens_.blank());
}

void NativeEdits::shift_columns(int leftward) {
  if (!within_margins()) return;
  leftward > 0 ? grid_.delete_cells(margins(), leftward, pens_.blank())
               : grid_.insert_cells(margins(), -leftward, pens_.blank());
}

void NativeEdits::insert_columns(int count) {
  if (!within_margins()) return;
  Area area = margins();
  area.left = caret().column;
  grid_.insert_cells(area, count, pens_.blank());
}

void NativeEdits::delete_columns(int count) {
  if (!within_margins()) return;
  Area area = margins();
  area.left = caret().column;
  grid_.delete_cells(area, count, pens_.blank());
}

/// DECCRA.
void NativeEdits::copy_area(const Csi& csi) {
  const auto [from, to] = area_copy(csi, origin());
  if (from.top < from.bottom && from.left < from.right) grid_.copy(from, to.row, to.column);
}

/// DECFRA: with a printable character of ASCII or Latin-1.
void NativeEdits::fill_area(const Csi& csi) {
  const int glyph = csi.param(0, 0);
  if (glyph < 0x20 || (glyph > 0x7E && glyph < 0xA0) || glyph > 0xFF) return;
  grid_.fill(area_of(csi, 1, origin()), static_cast<char32_t>(glyph), pens_.id(), state_.guarded);
}

void NativeEdits::erase_area(const Csi& csi, bool unguarded) {
  erase(area_of(csi, 0, origin()), unguarded);
}

void NativeEdits::set_line_size(LineSize size) {
  if (state_.horizontal_margins) return;
  grid_.set_line_size(caret().row, size);
  if (caret().column < grid_.columns(caret().row)) return;
  caret() = {caret().row, grid_.columns(caret().row) - 1, false};
}

void NativeEdits::single_lines(int top, int bottom) {
  for (int row = top; row < bottom; ++row)
    if (grid_.columns(row) != columns()) grid_.set_line_size(row, LineSize::single);
}

void NativeEdits::align() {
  whole_margins(state_, grid_.size());
  for (int row = 0; row < rows(); ++row) grid_.set_line_size(row, LineSize::single);
  grid_.erase({0, 0, rows(), columns()}, 0);
  grid_.fill({0, 0, rows(), columns()}, U'E', 0, false);
  moves_.place(0, 0);
}

}  // namespace ptyd
