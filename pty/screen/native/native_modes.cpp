// The native emulator: what is switched, kept and reset.
#include <algorithm>

#include "pty/screen/native/native.hpp"

namespace ptyd {

void NativeEmulator::set_modes(const Csi& csi) {
  for (std::size_t i = 0; i < csi.count; ++i) switch_mode(csi.params[i], true);
}

void NativeEmulator::reset_modes(const Csi& csi) {
  for (std::size_t i = 0; i < csi.count; ++i) switch_mode(csi.params[i], false);
}

void NativeEmulator::set_private_modes(const Csi& csi) {
  for (std::size_t i = 0; i < csi.count; ++i) switch_private_mode(csi.params[i], true);
}

void NativeEmulator::reset_private_modes(const Csi& csi) {
  for (std::size_t i = 0; i < csi.count; ++i) switch_private_mode(csi.params[i], false);
}

void NativeEmulator::switch_mode(int mode, bool on) {
  if (mode == 4) state_.insert = on;
  if (mode == 20) state_.newline = on;
}

void NativeEmulator::switch_private_mode(int mode, bool on) {
  switch (mode) {
    case 3:
      return switch_columns(on);
    case 6:
      state_.origin = on;
      return move_to(0, 0);
    case 7:
      state_.autowrap = on;
      return;
    case 40:
      state_.column_switch = on;
      return;
    case 45:
      state_.reverse_wrap = on;
      return;
    case 69:
      return switch_margins(on);
    case 47:
    case 1047:
    case 1049:
      return switch_buffer(mode, on);
    case 1048:
      return on ? save_caret() : restore_caret();
    default:
      return;
  }
}

/// DECCOLM: the size is the viewers', so it only does what else it does.
void NativeEmulator::switch_columns(bool wide) {
  if (!state_.column_switch) return;
  state_.columns_132 = wide;
  reset_margins();
  erase_display(2, false);
  move_to(0, 0);
}

/// DECLRMM. Margins and double lines do not go together.
void NativeEmulator::switch_margins(bool on) {
  state_.horizontal_margins = on;
  state_.left = 0;
  state_.right = columns() - 1;
  for (int row = 0; on && row < rows(); ++row) {
    if (grid_.columns(row) != columns()) grid_.set_line_size(row, LineSize::single);
  }
}

/// 47 only switches, 1047 erases when it leaves, 1049 when it enters, and keeps the caret.
void NativeEmulator::switch_buffer(int mode, bool alternate) {
  if (mode == 1049 && alternate) save_caret();
  if (mode == 1047 && !alternate && grid_.active() == Buffer::alternate) erase_display(2, false);
  grid_.activate(alternate ? Buffer::alternate : Buffer::primary);
  if (mode == 1049) alternate ? erase_display(2, false) : restore_caret();
  caret().column = std::min(caret().column, grid_.columns(caret().row) - 1);
}

/// DECSTR.
void NativeEmulator::soft_reset(const Csi&) {
  TerminalState fresh = fresh_state(grid_.size());
  fresh.caret = caret();
  fresh.newline = state_.newline;
  fresh.column_switch = state_.column_switch;
  fresh.columns_132 = state_.columns_132;
  fresh.tabs = state_.tabs;
  fresh.pen.link = state_.pen.link;
  state_ = fresh;
  pen_changed();
}

/// RIS.
void NativeEmulator::full_reset() {
  reset();
  grid_.clear_scrollback();
}

void NativeEmulator::save_caret() {
  state_.saved[static_cast<std::size_t>(grid_.active())] =
      SavedCaret{caret(), state_.pen, state_.charsets, state_.origin, state_.guarded};
}

/// Where nothing was saved the caret goes home and all else that is saved to its start.
void NativeEmulator::restore_caret() {
  const SavedCaret saved = state_.saved[static_cast<std::size_t>(grid_.active())].value_or(SavedCaret{});
  state_.pen = saved.pen;
  state_.charsets = saved.charsets;
  state_.origin = saved.origin;
  state_.guarded = saved.guarded;
  move_to(saved.caret.row - relative_to_row(), saved.caret.column - relative_to_column());
  caret().pending_wrap = saved.caret.pending_wrap && caret().column == last_column();
  pen_changed();
}

/// SCS: ( ) * + and a final byte. Sets that are not known are ASCII.
void NativeEmulator::designate(char place, char final) {
  if (place < '(' || place > '+') return;
  const char set = final == '0' || final == 'A' ? final : 'B';
  state_.charsets.designated[static_cast<std::size_t>(place - '(')] = set;
}

void NativeEmulator::reset_margins() {
  state_.top = state_.left = 0;
  state_.bottom = rows() - 1;
  state_.right = columns() - 1;
}

}  // namespace ptyd
