#include "pty/screen/vterm/vterm_text.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "pty/text/utf8.hpp"
#include "pty/text/widths.hpp"

namespace ptyd {
namespace {

constexpr char32_t kReplacement = 0xFFFD, kByteOrderMark = 0xFEFF;

bool is_ascii(char c) {
  return c >= 0x20 && c < 0x7F;
}

}  // namespace

void VtermText::print(std::string_view bytes) {
  while (!bytes.empty()) {
    if (is_ascii(bytes[0])) {
      const auto end = std::find_if_not(bytes.begin(), bytes.end(), is_ascii);
      const auto size = static_cast<std::size_t>(end - bytes.begin());
      ascii(bytes.substr(0, size));
      bytes.remove_prefix(size);
    } else if (static_cast<unsigned char>(bytes[0]) < 0x20) {
      const std::size_t size = controls_at_front(bytes);
      controls_in(bytes.substr(0, size));
      bytes.remove_prefix(size);
    } else {
      const std::size_t size = utf8::unit(bytes);
      const bool whole = utf8::character(bytes) == size;
      glyph(whole ? utf8::decode(bytes.substr(0, size)) : kReplacement);
      bytes.remove_prefix(size);
    }
  }
}

/// Where nothing but the right edge matters libvterm is given whole runs, and wraps them itself.
void VtermText::ascii(std::string_view run) {
  const bool plain = state_.autowrap && !state_.insert && !state_.horizontal_margins && !edits_.double_lines() &&
                     state_.charsets.single_shift == 0;
  if (!plain) {
    for (const char c : run) one(static_cast<unsigned char>(c), 1);
    return;
  }
  if (state_.caret.pending_wrap && !moves_.wait_is_shared()) take_pending_wrap();
  if (!state_.caret.pending_wrap) moves_.bring();
  drawing_.step.next_column = state_.caret.column + (state_.caret.pending_wrap ? 1 : 0);
  drawing_.step.next_row = state_.caret.row;
  drawing_.step.scrolled = false;
  drawing_.step.keeps = true;
  drawing_.step.pen = grid_.pen_id(state_.pen);
  drawing_.step.guarded = state_.guarded;
  drawing_.step.glyph = 0;
  moves_.machine().print(run);
  moves_.take();
  moves_.wait_together(drawing_.step.next_column == grid_.size().cols);
}

void VtermText::glyph(char32_t code_point) {
  state_.charsets.single_shift = 0;
  if (code_point == kByteOrderMark) return;
  if (may_join(code_point)) return joining(code_point);
  one(code_point, width_of(code_point) == 2 ? 2 : 1);
}

/// Types a code point that may go into the glyph before it.
void VtermText::joining(char32_t code_point) {
  Caret& caret = state_.caret;
  const int next = caret.column + (caret.pending_wrap ? 1 : 0);
  const GlyphBefore before = grid_.glyph_before(caret.row, next);
  const Joining joining = join(before, code_point);
  if (!joining.joins) return one(code_point, joining.width);
  if (joining.width == before.width) {
    grid_.add_to_glyph(caret.row, next, code_point, before.width);
    return;
  }
  if (!caret.pending_wrap) {
    const int last = last_column();
    make_room(1, last);
    if (grid_.add_to_glyph(caret.row, next, code_point, joining.width) == joining.width) advance(next + 1, last);
    return;
  }
  widen_at_edge(code_point);
}

/// A glyph that becomes wide in the last column goes to the next row.
void VtermText::widen_at_edge(char32_t code_point) {
  Caret& caret = state_.caret;
  const Caret before = caret;
  const Cell glyph = grid_.cell(caret.row, caret.column);
  if (!leave_hole(caret.column)) {
    grid_.add_to_glyph(before.row, before.column + 1, code_point, 1);
    return;
  }
  const int last = last_column();
  make_room(2, last);
  grid_.put_cells(caret.row, caret.column, {&glyph, 1});
  advance(caret.column + grid_.add_to_glyph(caret.row, caret.column + 1, code_point, 2), last);
}

/// The caret goes to where the next glyph is due.
void VtermText::advance(int to, int last) {
  state_.caret.pending_wrap = to > last;
  state_.caret.column = std::min(to, last);
}

/// IRM.
void VtermText::make_room(int columns, int last) {
  if (!state_.insert) return;
  drawing_.scroll({state_.caret.row, state_.caret.column, state_.caret.row + 1, last + 1}, 0, -columns);
}

/// One character, whatever the modes.
void VtermText::one(char32_t code_point, int width) {
  if (find_room(width, 1) == 0) return;
  moves_.bring();
  if (code_point > 0x7F) return draw(code_point, width);
  if (state_.charsets.single_shift != 0) moves_.machine().escape(0, state_.charsets.single_shift == 2 ? 'N' : 'O');
  state_.charsets.single_shift = 0;
  draw(code_point, width);
}

/// Brings the caret to where glyphs of this width fit. Returns how many of `wanted` fit there; 0 when no row fits one.
int VtermText::find_room(int width, int wanted) {
  take_pending_wrap();
  int last = last_column();
  state_.caret.column = std::min(state_.caret.column, last);
  while (state_.caret.column + width - 1 > last) {
    if (!leave_hole(last)) return 0;
    last = last_column();
  }
  const int fit = std::min(wanted, (last - state_.caret.column + 1) / width);
  make_room(fit * width, last);
  return fit;
}

/// ASCII as libvterm's charsets translate it; anything else behind a stand-in.
void VtermText::draw(char32_t glyph, int width) {
  const int last = last_column();
  drawing_.step.next_column = 0;
  drawing_.step.pen = grid_.pen_id(state_.pen);
  drawing_.step.guarded = state_.guarded;
  drawing_.step.glyph = glyph < 0x7F ? 0 : glyph;
  const char c = static_cast<char>(glyph);
  if (drawing_.step.glyph == 0) {
    moves_.machine().print({&c, 1});
  } else {
    moves_.machine().print_stand_in(width);
  }
  moves_.may_wait();
  advance(state_.caret.column + width, last);
}

/// Leaves a blank where a wide glyph does not fit before `last`, and goes to the next row. False where no row fits: the
/// glyph is dropped.
bool VtermText::leave_hole(int last) {
  const auto hole = hole_before_wrap(state_, last);
  if (!hole) return false;
  drawing_.erase(*hole, false);
  state_.caret.column = last;
  wrap();
  return true;
}

void VtermText::take_pending_wrap() {
  if (!state_.caret.pending_wrap) return;
  state_.caret.pending_wrap = false;
  if (state_.autowrap) wrap();
}

/// Goes to the beginning of the next row. Both rows are one logical line when the text runs from edge to edge.
void VtermText::wrap() {
  const Caret before = state_.caret;
  const int first = moves_.first_column();
  const bool whole = before.column == grid_.size().cols - 1 && first == 0;
  const bool moved = index();
  if (moved && whole) drawing_.join_wrapped(before.row);
  moves_.go_to(state_.caret.row, first);
}

void VtermText::repeat(int count) {
  int left = std::min(count, places());
  const std::vector<Cell> cells = repeated(left, grid_.pen_id(state_.pen));
  if (cells.empty()) return;
  const int width = cells.front().width;
  while (left > 0) {
    const int fit = find_room(width, left);
    if (fit == 0) return;
    grid_.put_cells(state_.caret.row, state_.caret.column,
                    std::span(cells).first(static_cast<std::size_t>(fit * width)));
    advance(state_.caret.column + fit * width, last_column());
    left -= fit;
  }
}

void VtermText::controls_in(std::string_view bytes) {
  carry_out(
      bytes, [this](char c) { control(c); }, [this](int lines) { scroll(lines); });
}

/// Scrolls up between the margins.
void VtermText::scroll(int count) {
  drawing_.step.keeps = true;
  for (const int height = state_.bottom + 1 - state_.top; count > 0; count -= height)
    moves_.machine().csi('S', {std::min(count, height)});
}

void VtermText::control(char c) {
  switch (c) {
    case '\b':
      return back(1);
    case '\t':
      return moves_.tab('I', 1);
    case '\n':
    case '\v':
    case '\f':
      index();
      if (state_.newline) carriage_return();
      return;
    case '\r':
      return carriage_return();
    case '\x0e':
    case '\x0f':
      state_.charsets.left = c == '\x0e' ? 1 : 0;
      return moves_.machine().control(c);
    default:
      return;
  }
}

bool VtermText::index() {
  const int row = state_.caret.row;
  state_.caret.pending_wrap = false;
  if (row == state_.bottom && !within_columns()) return false;
  moves_.bring();
  drawing_.step.keeps = true;
  drawing_.step.scrolled = false;
  moves_.machine().control('\n');
  moves_.take();
  return drawing_.step.scrolled || state_.caret.row != row;
}

void VtermText::reverse_index() {
  state_.caret.pending_wrap = false;
  if (state_.caret.row == state_.top && !within_columns()) return;
  moves_.bring();
  moves_.machine().escape(0, 'M');
  moves_.take();
}

void VtermText::carriage_return() {
  moves_.go_to(state_.caret.row, state_.origin ? state_.left : moves_.first_column());
}

void VtermText::back(int count) {
  const bool reverse = (state_.reverse_wrap || state_.extended_reverse_wrap) && state_.autowrap;
  if (!reverse) return moves_.move('D', count);
  Caret& caret = state_.caret;
  if (caret.pending_wrap) --count;
  for (; count > 0; --count) {
    if (caret.column > moves_.first_column()) {
      --caret.column;
    } else if (const auto before = before_first_column(state_, grid_)) {
      caret = {before->row, before->column, false};
    } else {
      break;
    }
  }
  moves_.go_to(caret.row, caret.column);
}

}  // namespace ptyd
