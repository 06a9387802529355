#include <algorithm>

#include "pty/screen/mode_rows.hpp"
#include "pty/screen/vterm/vterm_emulator.hpp"

namespace ptyd {

void VtermEmulator::switch_mode(const ModeRow& row, bool on) {
  if (!switch_flag(state_, row, on) || row.ansi) return;
  switch (row.number) {
    case 3:
      return clear_columns();
    case 6:
      return moves_.go_in_origin(0, 0);
    case 7:
      return moves_.machine().csi(on ? 'h' : 'l', {7}, '?');
    case 69:
      return switch_margins(on);
    case 47:
    case 1047:
    case 1049:
      return switch_buffer(row.number, on);
    case 1048:
      return on ? save_caret() : restore_caret();
    default:
      return;
  }
}

/// DECSTBM.
void VtermEmulator::set_rows(int top, int bottom) {
  if (!set_row_margins(state_, grid_.size(), top, bottom)) return;
  moves_.tell_margins();
  moves_.go_in_origin(0, 0);
}

/// DECSLRM.
void VtermEmulator::set_columns(int left, int right) {
  if (!set_column_margins(state_, grid_.size(), left, right)) return;
  moves_.tell_margins();
  moves_.go_in_origin(0, 0);
}

/// DECLRMM.
void VtermEmulator::switch_margins(bool on) {
  state_.left = 0;
  state_.right = grid_.size().cols - 1;
  if (on) edits_.single_lines(0, grid_.size().rows);
  moves_.tell_margins();
}

/// DECRC.
void VtermEmulator::restore_caret() {
  const Caret saved = take_saved(state_, grid_.active());
  moves_.tell_charsets();
  moves_.go_in_origin(saved.row - (state_.origin ? state_.top : 0), saved.column - (state_.origin ? state_.left : 0));
  state_.caret.pending_wrap = saved.pending_wrap && state_.caret.column == last_column(state_, grid_);
}

/// DECCOLM: resets the margins, erases and homes the caret. The size is the viewers' and stays.
void VtermEmulator::clear_columns() {
  whole_margins(state_, grid_.size());
  moves_.tell_margins();
  edits_.erase_screen();
  moves_.go_in_origin(0, 0);
}

void VtermEmulator::switch_buffer(int mode, bool alternate) {
  const BufferSwitch does = buffer_switch(mode, alternate, grid_.active());
  if (does.saves_caret) save_caret();
  if (does.erases_before) edits_.erase_screen();
  grid_.activate(alternate ? Buffer::alternate : Buffer::primary);
  if (does.erases_after) edits_.erase_screen();
  if (does.restores_caret) restore_caret();
  state_.caret.column = std::min(state_.caret.column, grid_.columns(state_.caret.row) - 1);
}

/// DECSTR.
void VtermEmulator::soft_reset() {
  softly_reset(state_, grid_.size());
  moves_.tell_all();
}

/// A fresh terminal's state, in libvterm too.
void VtermEmulator::begin() {
  state_ = fresh_state(grid_.size());
  edits_.forget_double_lines();
  moves_.tell_all();
}

}  // namespace ptyd
