#include "pty/screen/vterm/vterm_moves.hpp"

#include <algorithm>

namespace ptyd {

// A caret inside the margins stops at them; one outside stops at the edges of the screen.
int VtermMoves::first_row() const {
  return state_.caret.row >= state_.top ? state_.top : 0;
}

int VtermMoves::last_row() const {
  return state_.caret.row <= state_.bottom ? state_.bottom : grid_.size().rows - 1;
}

int VtermMoves::first_column() const {
  return state_.caret.column >= state_.left ? state_.left : 0;
}

void VtermMoves::bring() {
  if (!ahead_ && machine_->row() == state_.caret.row && machine_->column() == state_.caret.column) return;
  machine_->csi('H', {state_.caret.row + 1, state_.caret.column + 1});
  ahead_ = false;
}

void VtermMoves::take() {
  state_.caret.row = machine_->row();
  state_.caret.column = std::min(machine_->column(), grid_.columns(state_.caret.row) - 1);
}

void VtermMoves::go_to(int row, int column) {
  machine_->csi('H', {std::max(row, 0) + 1, std::max(column, 0) + 1});
  ahead_ = false;
  take();
  state_.caret.pending_wrap = false;
}

void VtermMoves::go_in_origin(int row, int column) {
  const Place to = from_origin(state_, row, column);
  go_to(to.row, to.column);
}

void VtermMoves::move(char final, int count) {
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

void VtermMoves::tab(char final, int count) {
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

void VtermMoves::tell_all() {
  machine_ = std::make_unique<VtermMachine>(grid_.size(), canvas_);
  ahead_ = false;
  machine_->csi(state_.autowrap ? 'h' : 'l', {7}, '?');
  tell_charsets();
  tell_tabs();
  tell_margins();
}

void VtermMoves::tell_margins() {
  machine_->csi(state_.horizontal_margins ? 'h' : 'l', {69}, '?');
  if (state_.horizontal_margins) machine_->csi('s', {state_.left + 1, state_.right + 1});
  machine_->csi('r', {state_.top + 1, state_.bottom + 1});
  wraps_ = false;
}

void VtermMoves::tell_tabs() {
  wraps_ = false;
  machine_->csi('g', {3});
  for (std::size_t column = 0; column < state_.tabs.size(); ++column) {
    if (!state_.tabs[column]) continue;
    machine_->csi('G', {static_cast<int>(column) + 1});
    machine_->escape(0, 'H');
  }
}

void VtermMoves::tell_charsets() {
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

void VtermMoves::wait_together(bool pending_wrap) {
  state_.caret.pending_wrap = ahead_ = wraps_ = pending_wrap;
}

void VtermMoves::may_wait() {
  ahead_ = true;
  wraps_ = false;
}

}  // namespace ptyd
