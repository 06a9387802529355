#include <algorithm>

#include "pty/screen/vterm/vterm_emulator.hpp"

namespace ptyd {

// A caret inside the margins stops at them; one outside stops at the edges of the screen.
int VtermEmulator::first_row() const {
  return state_.caret.row >= state_.top ? state_.top : 0;
}

int VtermEmulator::last_row() const {
  return state_.caret.row <= state_.bottom ? state_.bottom : grid_.size().rows - 1;
}

int VtermEmulator::first_column() const {
  return state_.caret.column >= state_.left ? state_.left : 0;
}

bool VtermEmulator::in_columns() const {
  return state_.caret.column >= state_.left && state_.caret.column <= state_.right;
}

bool VtermEmulator::in_margins() const {
  return in_columns() && state_.caret.row >= state_.top && state_.caret.row <= state_.bottom;
}

/// libvterm's caret stands where ours does, with no wrap pending.
void VtermEmulator::bring() {
  if (!ahead_ && machine_->row() == state_.caret.row && machine_->column() == state_.caret.column) return;
  machine_->csi('H', {state_.caret.row + 1, state_.caret.column + 1});
  ahead_ = false;
}

void VtermEmulator::take() {
  state_.caret.row = machine_->row();
  state_.caret.column = std::min(machine_->column(), grid_.columns(state_.caret.row) - 1);
}

void VtermEmulator::go_to(int row, int column) {
  machine_->csi('H', {std::max(row, 0) + 1, std::max(column, 0) + 1});
  ahead_ = false;
  take();
  state_.caret.pending_wrap = false;
}

void VtermEmulator::go_in_origin(int row, int column) {
  const Place to = from_origin(state_, row, column);
  go_to(to.row, to.column);
}

/// CUU CUD CUF CUB.
void VtermEmulator::move(char final, int count) {
  const Caret& caret = state_.caret;
  const int room = final == 'A'   ? caret.row - first_row()
                   : final == 'B' ? last_row() - caret.row
                   : final == 'C' ? last_column() - caret.column
                                  : caret.column - first_column();
  bring();
  if (const int steps = std::min(count, room); steps > 0) machine_->csi(final, {steps});
  take();
  state_.caret.pending_wrap = false;
}

/// CHT, CBT. A pending wrap goes backwards only.
void VtermEmulator::tab(char final, int count) {
  const int last = last_column();
  bring();
  machine_->csi(final, {count});
  take();
  if (final == 'I') {
    state_.caret.column = std::min(state_.caret.column, last);
  } else {
    state_.caret.column = std::max(state_.caret.column, state_.origin ? state_.left : 0);
    state_.caret.pending_wrap = false;
  }
}

}  // namespace ptyd
