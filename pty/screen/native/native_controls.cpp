// The native emulator: single controls, escapes, links.
#include <algorithm>

#include "pty/screen/native/native.hpp"
#include "pty/screen/pen_parser.hpp"

namespace ptyd {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20;
}

}  // namespace

/// The controls inside a sequence are executed before it.
void NativeEmulator::controls_in(std::string_view bytes) {
  for (const char c : bytes)
    if (is_control(c)) control(c);
}

void NativeEmulator::control(char c) {
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

void NativeEmulator::escape(std::string_view body) {
  std::array<char, 2> bytes{};
  std::size_t count = 0;
  for (const char c : body) {
    if (is_control(c) || c == 0x7F) continue;
    if (count == bytes.size()) return;
    bytes[count++] = c;
  }
  if (count == 1) return escape_final(bytes[0]);
  if (count != 2) return;
  if (bytes[0] == '#') return line_height(bytes[1]);
  designate(state_.charsets, bytes[0], bytes[1]);
}

void NativeEmulator::escape_final(char final) {
  switch (final) {
    case '6':
      return caret().column == state_.left ? shift_columns(-1) : place(caret().row, caret().column - 1);
    case '7':
      return save_caret();
    case '8':
      return restore_caret();
    case '9':
      return caret().column == state_.right ? shift_columns(1) : place(caret().row, caret().column + 1);
    case 'D':
      line_feed();
      return;
    case 'E':
      line_feed();
      return carriage_return();
    case 'H':
      state_.tabs[static_cast<std::size_t>(caret().column)] = true;
      return;
    case 'M':
      return reverse_index();
    case 'N':
    case 'O':
      state_.charsets.single_shift = final == 'N' ? 2 : 3;
      return;
    case 'c':
      return full_reset();
    case 'n':
    case 'o':
      state_.charsets.left = final == 'n' ? 2 : 3;
      return;
    case '~':
    case '}':
    case '|':
      state_.charsets.right = static_cast<std::uint8_t>('\x7f' - final);
      return;
    default:
      return;
  }
}

/// DECDHL, DECSWL, DECDWL, DECALN. With left and right margins lines are single.
void NativeEmulator::line_height(char digit) {
  if (digit == '8') return align();
  if (digit < '3' || digit > '6' || state_.horizontal_margins) return;
  constexpr std::array kSizes{LineSize::double_top, LineSize::double_bottom, LineSize::single, LineSize::double_width};
  grid_.set_line_size(caret().row, kSizes[static_cast<std::size_t>(digit - '3')]);
  if (caret().column < grid_.columns(caret().row)) return;
  caret() = {caret().row, grid_.columns(caret().row) - 1, false};
}

void NativeEmulator::align() {
  whole_margins(state_, grid_.size());
  for (int row = 0; row < rows(); ++row) grid_.set_line_size(row, LineSize::single);
  grid_.erase({0, 0, rows(), columns()}, 0);
  grid_.fill({0, 0, rows(), columns()}, U'E', 0, false);
  place(0, 0);
}

/// OSC 8.
void NativeEmulator::osc(const Token& token) {
  const auto link = parse_link(token);
  if (!link) return;
  state_.pen.link = link->uri.empty() ? LinkId{0} : grid_.link_id(*link);
  pen_changed();
}

/// Down, scrolling at the bottom margin. False where there is no way down.
bool NativeEmulator::line_feed() {
  caret().pending_wrap = false;
  if (caret().row == state_.bottom) {
    if (!within_columns()) return false;
    grid_.scroll_up(margins(), 1, blank());
    return true;
  }
  if (caret().row + 1 >= rows()) return false;
  ++caret().row;
  caret().column = std::min(caret().column, grid_.columns(caret().row) - 1);
  return true;
}

void NativeEmulator::new_line() {
  line_feed();
  if (state_.newline) carriage_return();
}

void NativeEmulator::reverse_index() {
  caret().pending_wrap = false;
  if (caret().row == state_.top) {
    if (within_columns()) grid_.scroll_down(margins(), 1, blank());
  } else if (caret().row > 0) {
    place(caret().row - 1, caret().column);
  }
}

void NativeEmulator::carriage_return() {
  const bool at_margin = state_.origin || caret().column >= state_.left;
  caret().column = at_margin ? state_.left : 0;
  caret().pending_wrap = false;
}

/// In the last column it stays, and so does a pending wrap.
void NativeEmulator::tab(int count) {
  const int last = last_column();
  int column = caret().column;
  for (; count > 0 && column < last; --count) {
    ++column;
    while (column < last && !state_.tabs[static_cast<std::size_t>(column)]) ++column;
  }
  caret().column = column;
}

void NativeEmulator::back_tab(int count) {
  const int first = state_.origin ? state_.left : 0;
  int column = caret().column;
  for (; count > 0 && column > first; --count) {
    --column;
    while (column > first && !state_.tabs[static_cast<std::size_t>(column)]) --column;
  }
  caret().column = column;
  caret().pending_wrap = false;
}

/// BS and CUB. With reverse wrap it goes on at the end of the row above, where that one wrapped into this.
void NativeEmulator::back(int count) {
  const bool reverse = state_.reverse_wrap && state_.autowrap;
  if (reverse && caret().pending_wrap) --count;
  caret().pending_wrap = false;
  while (count > 0) {
    const int first = caret().column >= state_.left ? state_.left : 0;
    const int step = std::min(count, caret().column - first);
    caret().column -= step;
    count -= step;
    if (count == 0 || !reverse || caret().row == 0) return;
    if (first != 0 || !grid_.line(grid_.active(), caret().row - 1).wrapped) return;
    --caret().row;
    caret().column = columns() - 1;
    --count;
  }
}

/// The caret at a place of the screen, wherever margins are.
void NativeEmulator::place(int row, int column) {
  caret().row = std::clamp(row, 0, rows() - 1);
  caret().column = std::clamp(column, 0, grid_.columns(caret().row) - 1);
  caret().pending_wrap = false;
}

/// The caret at a place counted from the origin, which the margins may move and bound.
void NativeEmulator::move_to(int row, int column) {
  const Place to = from_origin(state_, row, column);
  place(to.row, to.column);
}

}  // namespace ptyd
