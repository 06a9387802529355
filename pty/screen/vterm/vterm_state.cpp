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
      return go_in_origin(0, 0);
    case 7:
      return machine_->csi(on ? 'h' : 'l', {7}, '?');
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
  tell_margins();
  go_in_origin(0, 0);
}

/// DECSLRM.
void VtermEmulator::set_columns(int left, int right) {
  if (!set_column_margins(state_, grid_.size(), left, right)) return;
  tell_margins();
  go_in_origin(0, 0);
}

/// DECLRMM.
void VtermEmulator::switch_margins(bool on) {
  state_.left = 0;
  state_.right = grid_.size().cols - 1;
  if (on) single_lines(0, grid_.size().rows);
  tell_margins();
}

/// DECRC.
void VtermEmulator::restore_caret() {
  const Caret saved = take_saved(state_, grid_.active());
  tell_charsets();
  go_in_origin(saved.row - (state_.origin ? state_.top : 0), saved.column - (state_.origin ? state_.left : 0));
  state_.caret.pending_wrap = saved.pending_wrap && state_.caret.column == last_column();
}

/// DECCOLM: the size is the viewers', so it only does what else it does.
void VtermEmulator::clear_columns() {
  whole_margins(state_, grid_.size());
  tell_margins();
  erase_screen();
  go_in_origin(0, 0);
}

void VtermEmulator::switch_buffer(int mode, bool alternate) {
  const BufferSwitch does = buffer_switch(mode, alternate, grid_.active());
  if (does.saves_caret) save_caret();
  if (does.erases_before) erase_screen();
  grid_.activate(alternate ? Buffer::alternate : Buffer::primary);
  if (does.erases_after) erase_screen();
  if (does.restores_caret) restore_caret();
  state_.caret.column = std::min(state_.caret.column, grid_.columns(state_.caret.row) - 1);
}

/// DECSTR.
void VtermEmulator::soft_reset() {
  softly_reset(state_, grid_.size());
  tell_all();
}

/// A fresh terminal's state, in libvterm too.
void VtermEmulator::begin() {
  state_ = fresh_state(grid_.size());
  double_lines_ = false;
  tell_all();
}

void VtermEmulator::tell_all() {
  VtermCanvas& canvas = *this;
  machine_ = std::make_unique<VtermMachine>(grid_.size(), canvas);
  ahead_ = false;
  machine_->csi(state_.autowrap ? 'h' : 'l', {7}, '?');
  tell_charsets();
  tell_tabs();
  tell_margins();
}

void VtermEmulator::tell_margins() {
  machine_->csi(state_.horizontal_margins ? 'h' : 'l', {69}, '?');
  if (state_.horizontal_margins) machine_->csi('s', {state_.left + 1, state_.right + 1});
  machine_->csi('r', {state_.top + 1, state_.bottom + 1});
  wraps_ = false;
}

void VtermEmulator::tell_tabs() {
  wraps_ = false;
  machine_->csi('g', {3});
  for (std::size_t column = 0; column < state_.tabs.size(); ++column) {
    if (!state_.tabs[column]) continue;
    machine_->csi('G', {static_cast<int>(column) + 1});
    machine_->escape(0, 'H');
  }
}

void VtermEmulator::tell_charsets() {
  for (std::size_t set = 0; set < state_.charsets.designated.size(); ++set) {
    const char final = state_.charsets.designated[set];
    machine_->escape("()*+"[set], final == '0' || final == 'A' ? final : 'B');
  }
  switch (state_.charsets.left) {
    case 0:
      machine_->control('\x0F');
      break;
    case 1:
      machine_->control('\x0E');
      break;
    case 2:
      machine_->escape(0, 'n');
      break;
    default:
      machine_->escape(0, 'o');
  }
}

}  // namespace ptyd
