#include "pty/screen/native/native_moves.hpp"

#include <algorithm>

namespace ptyd {

void NativeMoves::controls_in(std::string_view bytes) {
  carry_out(
      bytes, [this](char c) { control(c); }, [this](int lines) { scroll(lines); });
}

/// Scrolls up between the margins.
void NativeMoves::scroll(int count) {
  for (const int height = state_.bottom + 1 - state_.top; count > 0; count -= height)
    grid_.scroll_up(margins(), std::min(count, height), pens_.blank());
}

void NativeMoves::control(char c) {
  switch (c) {
    case '\b':
      return back(1);
    case '\t':
      return tab(1);
    case '\n':
    case '\v':
    case '\f':
      return new_line();
    case '\r':
      return carriage_return();
    case '\x0e':
    case '\x0f':
      state_.charsets.left = c == '\x0e' ? 1 : 0;
      return;
    default:
      return;
  }
}

bool NativeMoves::line_feed() {
  caret().pending_wrap = false;
  if (caret().row == state_.bottom) {
    if (!within_columns()) return false;
    grid_.scroll_up(margins(), 1, pens_.blank());
    return true;
  }
  if (caret().row + 1 >= rows()) return false;
  ++caret().row;
  caret().column = std::min(caret().column, grid_.columns(caret().row) - 1);
  return true;
}

void NativeMoves::new_line() {
  line_feed();
  if (state_.newline) carriage_return();
}

void NativeMoves::reverse_index() {
  caret().pending_wrap = false;
  if (caret().row == state_.top) {
    if (within_columns()) grid_.scroll_down(margins(), 1, pens_.blank());
  } else if (caret().row > 0) {
    place(caret().row - 1, caret().column);
  }
}

void NativeMoves::carriage_return() {
  const bool at_margin = state_.origin || caret().column >= state_.left;
  caret().column = at_margin ? state_.left : 0;
  caret().pending_wrap = false;
}

void NativeMoves::tab(int count) {
  const int last = last_column();
  int column = caret().column;
  for (; count > 0 && column < last; --count) {
    ++column;
    while (column < last && !state_.tabs[static_cast<std::size_t>(column)]) ++column;
  }
  caret().column = column;
}

void NativeMoves::back_tab(int count) {
  const int first = state_.origin ? state_.left : 0;
  int column = caret().column;
  for (; count > 0 && column > first; --count) {
    --column;
    while (column > first && !state_.tabs[static_cast<std::size_t>(column)]) --column;
  }
  caret().column = column;
  caret().pending_wrap = false;
}

void NativeMoves::back(int count) {
  const bool reverse = (state_.reverse_wrap || state_.extended_reverse_wrap) && state_.autowrap;
  if (reverse && caret().pending_wrap) --count;
  caret().pending_wrap = false;
  while (count > 0) {
    const int first = caret().column >= state_.left ? state_.left : 0;
    const int step = std::min(count, caret().column - first);
    caret().column -= step;
    count -= step;
    if (count == 0) return;
    const auto before = before_first_column(state_, grid_);
    if (!before) return;
    place(before->row, before->column);
    --count;
  }
}

void NativeMoves::place(int row, int column) {
  caret().row = std::clamp(row, 0, rows() - 1);
  caret().column = std::clamp(column, 0, grid_.columns(caret().row) - 1);
  caret().pending_wrap = false;
}

void NativeMoves::move_to(int row, int column) {
  const Place to = from_origin(state_, row, column);
  place(to.row, to.column);
}

void NativeMoves::to_row(int row) {
  move_to(row, caret().column - relative_to_column());
}

void NativeMoves::to_column(int column) {
  move_to(caret().row - relative_to_row(), column);
}

void NativeMoves::by_rows(int count) {
  to_row(caret().row - relative_to_row() + count);
}

void NativeMoves::by_columns(int count) {
  to_column(caret().column - relative_to_column() + count);
}

void NativeMoves::restore(const Caret& saved) {
  move_to(saved.row - relative_to_row(), saved.column - relative_to_column());
  caret().pending_wrap = saved.pending_wrap && caret().column == last_column();
}

void NativeMoves::up(int count) {
  const int first = caret().row >= state_.top ? state_.top : 0;
  place(std::max(caret().row - count, first), caret().column);
}

void NativeMoves::down(int count) {
  const int last = caret().row <= state_.bottom ? state_.bottom : rows() - 1;
  place(std::min(caret().row + count, last), caret().column);
}

void NativeMoves::forward(int count) {
  place(caret().row, std::min(caret().column + count, last_column()));
}

void NativeMoves::set_tab() {
  state_.tabs[static_cast<std::size_t>(caret().column)] = true;
}

void NativeMoves::clear_tabs(int which) {
  if (which == 0) state_.tabs[static_cast<std::size_t>(caret().column)] = false;
  if (which == 3) state_.tabs.assign(state_.tabs.size(), false);
}

}  // namespace ptyd
