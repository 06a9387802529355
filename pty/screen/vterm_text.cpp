#include <algorithm>

#include "pty/screen/vterm_emulator.hpp"
#include "pty/screen/widths.hpp"
#include "pty/utf8.hpp"

namespace ptyd {
namespace {

constexpr char32_t kReplacement = 0xFFFD;

bool is_ascii(char c) {
  return c >= 0x20 && c < 0x7F;
}

}  // namespace

void VtermEmulator::text(std::string_view bytes) {
  while (!bytes.empty()) {
    if (is_ascii(bytes[0])) {
      const auto end = std::find_if_not(bytes.begin(), bytes.end(), is_ascii);
      const auto size = static_cast<std::size_t>(end - bytes.begin());
      ascii(bytes.substr(0, size));
      bytes.remove_prefix(size);
    } else if (static_cast<unsigned char>(bytes[0]) < 0x20) {
      text_control(bytes[0]);
      bytes.remove_prefix(1);
    } else {
      const std::size_t size = utf8::unit(bytes);
      const bool whole = utf8::character(bytes) == size;
      glyph(whole ? utf8::decode(bytes.substr(0, size)) : kReplacement);
      bytes.remove_prefix(size);
    }
  }
}

/// Where nothing but the right edge matters libvterm is given whole runs, and wraps them itself.
void VtermEmulator::ascii(std::string_view run) {
  const bool plain = state_.autowrap && !state_.insert && !state_.horizontal_margins && !double_lines_ &&
                     state_.charsets.single_shift == 0;
  if (!plain) {
    for (const char c : run) one(static_cast<unsigned char>(c), 1);
    return;
  }
  if (state_.caret.pending_wrap && !(ahead_ && wraps_)) wrap();
  if (!state_.caret.pending_wrap) bring();
  next_column_ = state_.caret.column + (state_.caret.pending_wrap ? 1 : 0);
  keeps_ = true;
  pen_ = grid_.pen_id(state_.pen);
  drawn_ = 0;
  machine_->print(run);
  take();
  state_.caret.pending_wrap = ahead_ = wraps_ = next_column_ == grid_.size().cols;
}

void VtermEmulator::glyph(char32_t code_point) {
  int width = width_of(code_point);
  if (may_join(code_point) && join_before(code_point, width)) return;
  one(code_point, std::clamp(width, 1, 2));
}

/// True when the code point became part of the glyph before the caret; else `width` is its own.
bool VtermEmulator::join_before(char32_t code_point, int& width) {
  Caret& caret = state_.caret;
  const int next = caret.column + (caret.pending_wrap ? 1 : 0);
  const GlyphBefore before = grid_.glyph_before(caret.row, next);
  const Joining joining = join(before, code_point);
  width = joining.width;
  if (!joining.joins) return false;
  const int grown = grid_.add_to_glyph(caret.row, next, code_point, joining.width) - before.width;
  if (grown > 0) advance(next + grown);
  return true;
}

/// The caret goes to where the next glyph is due.
void VtermEmulator::advance(int to) {
  const int last = last_column();
  state_.caret.pending_wrap = to > last;
  state_.caret.column = std::min(to, last);
}

/// One glyph, whatever the modes.
void VtermEmulator::one(char32_t code_point, int width) {
  if (state_.caret.pending_wrap && state_.autowrap) wrap();
  if (width > last_column() - first_column() + 1) return;
  if (state_.caret.column + width - 1 > last_column()) {
    if (!state_.autowrap) return;
    wrap();
  }
  if (state_.insert) across('@', width);
  bring();
  next_column_ = 0;
  pen_ = grid_.pen_id(state_.pen);
  const bool by_charset = code_point < 0x7F;
  drawn_ = by_charset ? 0 : code_point;
  if (by_charset && state_.charsets.single_shift != 0)
    machine_->escape(0, state_.charsets.single_shift == 2 ? 'N' : 'O');
  state_.charsets.single_shift = 0;
  if (by_charset) {
    const char c = static_cast<char>(code_point);
    machine_->print({&c, 1});
  } else {
    machine_->print_stand_in(width);
  }
  ahead_ = true;
  wraps_ = false;
  advance(state_.caret.column + width);
}

void VtermEmulator::wrap() {
  const int row = state_.caret.row;
  state_.caret.pending_wrap = false;
  const bool scrolls = row == state_.bottom;
  index();
  if (state_.caret.row != row || scrolls) grid_.join_to_above(state_.caret.row);
  go_to(state_.caret.row, first_column());
}

void VtermEmulator::repeat(int count) {
  const char32_t again = last_;
  if (again == 0) return;
  const int most = grid_.size().cols * grid_.size().rows;
  const Charsets charsets = state_.charsets;
  for (int left = std::min(count, most); left > 0; --left) glyph(again);
  state_.charsets = charsets;
}

void VtermEmulator::text_control(char c) {
  switch (c) {
    case '\b':
      return back(1);
    case '\t':
      return tab('I', 1);
    case '\n':
    case '\v':
    case '\f':
      index();
      if (state_.newline) carriage_return();
      return;
    case '\r':
      return carriage_return();
    default:
      return;
  }
}

void VtermEmulator::index() {
  state_.caret.pending_wrap = false;
  if (state_.caret.row == state_.bottom && !in_columns()) return;
  bring();
  keeps_ = true;
  machine_->control('\n');
  take();
}

void VtermEmulator::reverse_index() {
  state_.caret.pending_wrap = false;
  if (state_.caret.row == state_.top && !in_columns()) return;
  bring();
  machine_->escape(0, 'M');
  take();
}

void VtermEmulator::carriage_return() {
  go_to(state_.caret.row, state_.origin ? state_.left : first_column());
}

/// BS and CUB. In reverse wrap the first column is followed by the end of the row before, when that goes on here.
void VtermEmulator::back(int count) {
  if (!state_.reverse_wrap || !state_.autowrap) return move('D', count);
  Caret caret = state_.caret;
  for (int left = std::min(count, grid_.size().cols * grid_.size().rows); left > 0; --left) {
    if (caret.pending_wrap) {
      caret.pending_wrap = false;
    } else if (caret.column > first_column()) {
      --caret.column;
    } else if (caret.row > first_row() && grid_.line(grid_.active(), caret.row - 1).wrapped) {
      --caret.row;
      caret.column = last_column();
    } else {
      break;
    }
    state_.caret = caret;
  }
  go_to(caret.row, caret.column);
}

}  // namespace ptyd
