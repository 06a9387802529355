// The native emulator: side effects of modes, the saved caret and resets.
#include <algorithm>

#include "pty/screen/mode_rows.hpp"
#include "pty/screen/native/native_emulator.hpp"

namespace ptyd {

void NativeEmulator::switch_modes(const Csi& csi) {
  for (std::size_t i = 0; i < csi.count; ++i) {
    const ModeRow* const row = mode_row(csi.params[i], csi.leader == 0);
    if (row != nullptr) switch_mode(*row, csi.final == 'h');
  }
}

void NativeEmulator::switch_mode(const ModeRow& row, bool on) {
  if (!switch_flag(state_, row, on) || row.ansi) return;
  switch (row.number) {
    case 3:
      return clear_columns();
    case 6:
      return moves_.move_to(0, 0);
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

/// DECCOLM: resets the margins, erases and homes the caret. The size is the viewers' and stays.
void NativeEmulator::clear_columns() {
  whole_margins(state_, grid_.size());
  edits_.erase_display(2, false);
  moves_.move_to(0, 0);
}

/// DECLRMM. Margins and double lines do not go together.
void NativeEmulator::switch_margins(bool on) {
  state_.left = 0;
  state_.right = grid_.size().cols - 1;
  if (on) edits_.single_lines(0, grid_.size().rows);
}

void NativeEmulator::switch_buffer(int mode, bool alternate) {
  const BufferSwitch does = buffer_switch(mode, alternate, grid_.active());
  if (does.saves_caret) save_caret();
  if (does.erases_before) edits_.erase_display(2, false);
  grid_.activate(alternate ? Buffer::alternate : Buffer::primary);
  if (does.erases_after) edits_.erase_display(2, false);
  if (does.restores_caret) restore_caret();
  state_.caret.column = std::min(state_.caret.column, grid_.columns(state_.caret.row) - 1);
}

/// DECSTBM.
void NativeEmulator::set_rows(int top, int bottom) {
  if (set_row_margins(state_, grid_.size(), top, bottom)) moves_.move_to(0, 0);
}

/// DECSLRM.
void NativeEmulator::set_columns(int left, int right) {
  if (set_column_margins(state_, grid_.size(), left, right)) moves_.move_to(0, 0);
}

/// DECSTR.
void NativeEmulator::soft_reset() {
  softly_reset(state_, grid_.size());
  pens_.changed();
}

/// RIS.
void NativeEmulator::full_reset() {
  reset();
  grid_.clear_scrollback();
}

/// DECRC.
void NativeEmulator::restore_caret() {
  moves_.restore(take_saved(state_, grid_.active()));
  pens_.changed();
}

}  // namespace ptyd
