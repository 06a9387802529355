#include <algorithm>

#include "pty/screen/vterm/vterm_emulator.hpp"

namespace ptyd {

void VtermEmulator::set_mode(int number, bool ansi, bool on) {
  if (!ansi) return set_private_mode(number, on);
  if (number == 4) state_.insert = on;
  if (number == 20) state_.newline = on;
}

void VtermEmulator::set_private_mode(int number, bool on) {
  switch (number) {
    case 6:
      state_.origin = on;
      return go_in_origin(0, 0);
    case 7:
      state_.autowrap = on;
      machine_->csi(on ? 'h' : 'l', {7}, '?');
      return;
    case 45:
      state_.reverse_wrap = on;
      return;
    case 69:
      return set_horizontal_margins(on);
    case 3:
      return switch_columns(on);
    case 40:
      state_.column_switch = on;
      return;
    case 47:
    case 1047:
    case 1049:
      return switch_buffer(number, on);
    case 1048:
      return on ? save_caret() : restore_caret();
    default:
      return;
  }
}

/// DECSTBM: at least two rows, but on a screen of one.
void VtermEmulator::set_rows(int top, int bottom) {
  const int rows = grid_.size().rows;
  bottom = bottom <= 0 ? rows : std::min(bottom, rows);
  top = std::max(top, 1);
  if (top >= bottom && rows > 1) return;
  state_.top = std::min(top, bottom) - 1;
  state_.bottom = bottom - 1;
  tell_margins();
  go_in_origin(0, 0);
}

void VtermEmulator::set_columns(int left, int right) {
  const int columns = grid_.size().cols;
  right = right <= 0 ? columns : std::min(right, columns);
  if (std::max(left, 1) >= right) return;
  state_.left = std::max(left, 1) - 1;
  state_.right = right - 1;
  tell_margins();
  go_in_origin(0, 0);
}

void VtermEmulator::set_horizontal_margins(bool on) {
  state_.horizontal_margins = on;
  state_.left = 0;
  state_.right = grid_.size().cols - 1;
  if (on) single_lines(0, grid_.size().rows);
  tell_margins();
}

void VtermEmulator::whole_margins() {
  state_.top = state_.left = 0;
  state_.bottom = grid_.size().rows - 1;
  state_.right = grid_.size().cols - 1;
  tell_margins();
}

void VtermEmulator::save_caret() {
  state_.saved[buffer()] = SavedCaret{state_.caret, state_.pen, state_.charsets, state_.origin, state_.guarded};
}

void VtermEmulator::restore_caret() {
  const SavedCaret saved = state_.saved[buffer()].value_or(SavedCaret{});
  state_.pen = saved.pen;
  state_.charsets = saved.charsets;
  state_.origin = saved.origin;
  state_.guarded = saved.guarded;
  tell_charsets();
  go_in_origin(saved.caret.row - (state_.origin ? state_.top : 0),
               saved.caret.column - (state_.origin ? state_.left : 0));
  state_.caret.pending_wrap = saved.caret.pending_wrap && state_.caret.column == last_column();
}

/// DECCOLM: the size is the viewers', so it only does what else it does.
void VtermEmulator::switch_columns(bool wide) {
  if (!state_.column_switch) return;
  state_.columns_132 = wide;
  whole_margins();
  erase_screen();
  go_in_origin(0, 0);
}

/// 47 only switches; 1047 erases when it leaves; 1049 erases when it enters, and keeps the caret.
void VtermEmulator::switch_buffer(int mode, bool alternate) {
  if (mode == 1049 && alternate) save_caret();
  if (mode == 1047 && !alternate && grid_.active() == Buffer::alternate) erase_screen();
  grid_.activate(alternate ? Buffer::alternate : Buffer::primary);
  if (mode == 1049 && alternate) erase_screen();
  if (mode == 1049 && !alternate) restore_caret();
  state_.caret.column = std::min(state_.caret.column, grid_.columns(state_.caret.row) - 1);
}

/// DECSTR.
void VtermEmulator::soft_reset() {
  TerminalState fresh = fresh_state(grid_.size());
  fresh.caret = state_.caret;
  fresh.tabs = state_.tabs;
  fresh.newline = state_.newline;
  fresh.column_switch = state_.column_switch;
  fresh.columns_132 = state_.columns_132;
  fresh.pen.link = state_.pen.link;
  state_ = std::move(fresh);
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
