#include <algorithm>

#include "pty/screen/vterm_emulator.hpp"

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
    case 47:
      return show(on ? Buffer::alternate : Buffer::primary);
    case 1047:
      if (!on && grid_.active() == Buffer::alternate) erase_screen();
      return show(on ? Buffer::alternate : Buffer::primary);
    case 1048:
      return on ? save_caret() : restore_caret();
    case 1049:
      if (on && grid_.active() == Buffer::primary) {
        save_caret();
        show(Buffer::alternate);
        erase_screen();
      } else if (!on) {
        show(Buffer::primary);
        restore_caret();
      }
      return;
    default:
      return;
  }
}

void VtermEmulator::set_rows(int top, int bottom) {
  const int rows = grid_.size().rows;
  bottom = bottom <= 0 ? rows : std::min(bottom, rows);
  if (std::max(top, 1) >= bottom) return;
  state_.top = std::max(top, 1) - 1;
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
  if (on && double_lines_) {
    for (int row = 0; row < grid_.size().rows; ++row) grid_.set_line_size(row, LineSize::single);
  }
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
  go_to(saved.caret.row, saved.caret.column);
  state_.caret.pending_wrap = saved.caret.pending_wrap;
}

void VtermEmulator::show(Buffer buffer) {
  grid_.activate(buffer);
}

void VtermEmulator::erase_screen() {
  bring();
  machine_->csi('J', {2});
}

/// DECSTR.
void VtermEmulator::soft_reset() {
  TerminalState fresh = fresh_state(grid_.size());
  fresh.caret = state_.caret;
  fresh.tabs = state_.tabs;
  fresh.reverse_wrap = state_.reverse_wrap;
  fresh.newline = state_.newline;
  fresh.saved = state_.saved;
  fresh.saved[buffer()].reset();
  state_ = std::move(fresh);
  tell_all();
}

/// A fresh terminal's state, in libvterm too.
void VtermEmulator::begin() {
  state_ = fresh_state(grid_.size());
  last_ = 0;
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
}

void VtermEmulator::tell_tabs() {
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
