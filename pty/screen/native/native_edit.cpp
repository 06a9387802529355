// The native emulator: control sequences that erase, shift and copy.
#include <algorithm>

#include "pty/screen/native/native.hpp"

namespace ptyd {
namespace {

/// A parameter that counts: 0 is 1.
int counted(const Csi& csi) {
  return std::max(csi.param(0, 1), 1);
}

}  // namespace

void NativeEmulator::erase(const Area& area, bool unguarded) {
  unguarded ? grid_.erase_unguarded(area, blank()) : grid_.erase(area, blank());
}

/// 0 from the caret on, 1 up to it, 2 everything, 3 the scrollback. Rows that are erased whole become single.
void NativeEmulator::erase_display(int what, bool unguarded) {
  caret().pending_wrap = false;
  if (what == 3 && !unguarded) return grid_.clear_scrollback();
  if (what < 0 || what > 2) return;
  const int top = what == 0 ? caret().row + 1 : 0, bottom = what == 1 ? caret().row : rows();
  for (int row = top; row < bottom && !unguarded; ++row) {
    if (grid_.columns(row) != columns()) grid_.set_line_size(row, LineSize::single);
  }
  if (what != 2) erase_line(what, unguarded);
  erase({top, 0, bottom, columns()}, unguarded);
}

void NativeEmulator::erase_line(int what, bool unguarded) {
  caret().pending_wrap = false;
  if (what < 0 || what > 2) return;
  const int row = caret().row, left = what == 0 ? caret().column : 0;
  erase({row, left, row + 1, what == 1 ? caret().column + 1 : columns()}, unguarded);
}

void NativeEmulator::erase_display(const Csi& csi) {
  erase_display(csi.param(0, 0), false);
}

void NativeEmulator::erase_display_unguarded(const Csi& csi) {
  erase_display(csi.param(0, 0), true);
}

void NativeEmulator::erase_line(const Csi& csi) {
  erase_line(csi.param(0, 0), false);
}

void NativeEmulator::erase_line_unguarded(const Csi& csi) {
  erase_line(csi.param(0, 0), true);
}

void NativeEmulator::erase_cells(const Csi& csi) {
  caret().pending_wrap = false;
  erase({caret().row, caret().column, caret().row + 1, caret().column + counted(csi)}, false);
}

void NativeEmulator::insert_cells(const Csi& csi) {
  caret().pending_wrap = false;
  if (!within_columns()) return;
  grid_.insert_cells({caret().row, caret().column, caret().row + 1, last_column() + 1}, counted(csi), blank());
}

void NativeEmulator::delete_cells(const Csi& csi) {
  caret().pending_wrap = false;
  if (!within_columns()) return;
  grid_.delete_cells({caret().row, caret().column, caret().row + 1, last_column() + 1}, counted(csi), blank());
}

void NativeEmulator::insert_lines(const Csi& csi) {
  if (!within_rows() || !within_columns()) return;
  Area area = margins();
  area.top = caret().row;
  grid_.scroll_down(area, counted(csi), blank());
  place(caret().row, state_.left);
}

void NativeEmulator::delete_lines(const Csi& csi) {
  if (!within_rows() || !within_columns()) return;
  Area area = margins();
  area.top = caret().row;
  grid_.delete_lines(area, counted(csi), blank());
  place(caret().row, state_.left);
}

void NativeEmulator::scroll_up(const Csi& csi) {
  grid_.scroll_up(margins(), counted(csi), blank());
}

/// With more parameters it is the mouse's.
void NativeEmulator::scroll_down(const Csi& csi) {
  if (csi.count <= 1) grid_.scroll_down(margins(), counted(csi), blank());
}

void NativeEmulator::scroll_left(const Csi& csi) {
  if (within_rows() && within_columns()) grid_.delete_cells(margins(), counted(csi), blank());
}

void NativeEmulator::scroll_right(const Csi& csi) {
  if (within_rows() && within_columns()) grid_.insert_cells(margins(), counted(csi), blank());
}

/// DECBI and DECFI at the margins.
void NativeEmulator::shift_columns(int leftward) {
  if (!within_rows() || !within_columns()) return;
  leftward > 0 ? grid_.delete_cells(margins(), leftward, blank()) : grid_.insert_cells(margins(), -leftward, blank());
}

void NativeEmulator::insert_columns(const Csi& csi) {
  if (!within_rows() || !within_columns()) return;
  Area area = margins();
  area.left = caret().column;
  grid_.insert_cells(area, counted(csi), blank());
}

void NativeEmulator::delete_columns(const Csi& csi) {
  if (!within_rows() || !within_columns()) return;
  Area area = margins();
  area.left = caret().column;
  grid_.delete_cells(area, counted(csi), blank());
}

/// DECCRA.
void NativeEmulator::copy_area(const Csi& csi) {
  const auto [from, to] = area_copy(csi, origin());
  if (from.top < from.bottom && from.left < from.right) grid_.copy(from, to.row, to.column);
}

/// DECFRA: with a printable character of ASCII or Latin-1.
void NativeEmulator::fill_area(const Csi& csi) {
  const int glyph = csi.param(0, 0);
  if (glyph < 0x20 || (glyph > 0x7E && glyph < 0xA0) || glyph > 0xFF) return;
  if (!pens_known_) refresh_pens();
  grid_.fill(area_of(csi, 1, origin()), static_cast<char32_t>(glyph), pen_, state_.guarded);
}

void NativeEmulator::erase_area(const Csi& csi) {
  erase(area_of(csi, 0, origin()), false);
}

void NativeEmulator::erase_area_unguarded(const Csi& csi) {
  erase(area_of(csi, 0, origin()), true);
}

}  // namespace ptyd
