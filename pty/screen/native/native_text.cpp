#include "pty/screen/native/native_text.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "pty/text/byte_search.hpp"
#include "pty/text/utf8.hpp"
#include "pty/text/widths.hpp"

namespace ptyd {
namespace {

constexpr char32_t kByteOrderMark = 0xFEFF, kReplacement = 0xFFFD;
/// Ends a run of printable ASCII.
struct EndsAscii {
  static bool one(std::uint8_t byte) { return byte < 0x20 || byte >= 0x7F; }
#ifdef __SSE2__
  static __m128i sixteen(__m128i bytes) {
    return _mm_or_si128(_mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20)), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(0x7F)));
  }
#endif
};

/// One character of `text`, which does not begin with ASCII, and how many bytes it takes.
struct Decoded {
  char32_t code_point = kReplacement;
  std::size_t bytes = 1;
};

Decoded decode(std::string_view text) {
  const std::size_t valid = utf8::character(text);
  return valid != 0 ? Decoded{utf8::decode(text.substr(0, valid)), valid} : Decoded{kReplacement, utf8::unit(text)};
}

Decoded decode_fast(std::string_view text) {
  const auto byte = [text](std::size_t at) { return static_cast<std::uint8_t>(text[at]); };
  const auto is_tail = [&](std::size_t at) { return (byte(at) & 0xC0) == 0x80; };
  const std::uint8_t first = byte(0);
  if (first >= 0xC2 && first < 0xE0 && text.size() > 1 && is_tail(1)) {
    return {(first & 0x1FU) << 6 | (byte(1) & 0x3FU), 2};
  }
  if (first > 0xE0 && first < 0xED && text.size() > 2 && is_tail(1) && is_tail(2)) {
    return {(first & 0x0FU) << 12 | (byte(1) & 0x3FU) << 6 | (byte(2) & 0x3FU), 3};
  }
  return decode(text);
}

}  // namespace

void NativeText::print(std::string_view bytes) {
  pens_.settle();
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = find_byte<EndsAscii>(bytes, at);
    if (end != at) {
      type_ascii(bytes.substr(at, end - at));
      at = end;
    } else if (static_cast<std::uint8_t>(bytes[at]) <= 0x7F) {
      const std::size_t controls = controls_at_front(bytes.substr(at));
      moves_.controls_in(bytes.substr(at, controls));
      at += controls;
    } else {
      at += type_unicode(bytes.substr(at));
    }
  }
}

void NativeText::type_ascii(std::string_view run) {
  if (state_.charsets.single_shift != 0 || state_.charsets.designated[state_.charsets.left] != 'B') {
    return type_translated(run);
  }
  while (!run.empty()) {
    take_pending_wrap();
    const int last = last_column();
    caret().column = std::min(caret().column, last);
    const auto part = run.substr(0, static_cast<std::size_t>(last - caret().column + 1));
    make_room(static_cast<int>(part.size()), last);
    grid_.put_ascii(caret().row, caret().column, part, pens_.id(), state_.guarded);
    advance(static_cast<int>(part.size()), last);
    run.remove_prefix(part.size());
  }
}

void NativeText::type_translated(std::string_view run) {
  for (const char c : run) {
    const Cell cell{translated(c), pens_.id(), 1, static_cast<std::uint8_t>(state_.guarded)};
    type({&cell, 1});
  }
}

/// The character that the active charset has for `c`: DEC line drawing from ` on, the pound sign in the UK set.
char32_t NativeText::translated(char c) {
  static constexpr std::array<char32_t, 31> kDrawing{0x25C6, 0x2592, 0x2409, 0x240C, 0x240D, 0x240A, 0x00B0, 0x00B1,
                                                     0x2424, 0x240B, 0x2518, 0x2510, 0x250C, 0x2514, 0x253C, 0x23BA,
                                                     0x23BB, 0x2500, 0x23BC, 0x23BD, 0x251C, 0x2524, 0x2534, 0x252C,
                                                     0x2502, 0x2264, 0x2265, 0x03C0, 0x2260, 0x00A3, 0x00B7};
  Charsets& charsets = state_.charsets;
  const char set = charsets.designated[charsets.single_shift != 0 ? charsets.single_shift : charsets.left];
  charsets.single_shift = 0;
  if (set == '0' && c >= '`') return kDrawing[static_cast<std::size_t>(c - '`')];
  return set == 'A' && c == '#' ? 0xA3 : static_cast<char32_t>(c);
}

/// Draws characters beyond ASCII from the front of `bytes`; returns how many bytes they were.
std::size_t NativeText::type_unicode(std::string_view bytes) {
  auto& cells = batch_;
  std::size_t count = 0, at = 0;
  const auto guarded = static_cast<std::uint8_t>(state_.guarded);
  const PenId pen = pens_.id();
  state_.charsets.single_shift = 0;
  const bool ascii = state_.charsets.designated[state_.charsets.left] == 'B';
  const auto is_ascii = [bytes](std::size_t index) { return static_cast<std::uint8_t>(bytes[index]) <= 0x7F; };
  while (at < bytes.size() && count + 2 <= kBatch) {
    if (is_ascii(at)) {
      // A single ASCII character, most often a space, is not worth a run of its own.
      if (!ascii || bytes[at] < ' ' || bytes[at] == 0x7F || at + 1 == bytes.size() || is_ascii(at + 1)) break;
      cells[count++] = {static_cast<unsigned char>(bytes[at++]), pen, 1, guarded};
      continue;
    }
    const Decoded one = decode_fast(bytes.substr(at));
    const std::uint8_t kind = glyph_class(one.code_point);
    if ((kind & glyph_class_bits::kMayJoin) != 0 || one.code_point == kByteOrderMark) {
      if (count != 0) break;
      if (one.code_point != kByteOrderMark) type_joining(one.code_point);
      return one.bytes;
    }
    at += one.bytes;
    const bool wide = (kind & glyph_class_bits::kWidth) == 2;
    cells[count++] = {one.code_point, pen, static_cast<std::uint8_t>(wide ? 2 : 1), guarded};
    if (wide) cells[count++] = {0, pen, 0, guarded};
  }
  type({cells.data(), count});
  return at;
}

/// Types whole glyphs.
void NativeText::type(std::span<const Cell> cells) {
  while (!cells.empty()) {
    take_pending_wrap();
    const int last = last_column();
    caret().column = std::min(caret().column, last);
    std::size_t fit = std::min(cells.size(), static_cast<std::size_t>(last - caret().column + 1));
    if (cells[fit - 1].width == 2) --fit;
    if (fit == 0) {
      if (!leave_hole(last)) cells = cells.subspan(2);
      continue;
    }
    make_room(static_cast<int>(fit), last);
    grid_.put_cells(caret().row, caret().column, cells.first(fit));
    advance(static_cast<int>(fit), last);
    cells = cells.subspan(fit);
  }
}

/// Leaves a blank where a wide glyph does not fit, and goes to the next row. False where no row fits: the glyph is
/// dropped.
bool NativeText::leave_hole(int last) {
  const auto hole = hole_before_wrap(state_, last);
  if (!hole) return false;
  grid_.erase(*hole, pens_.blank());
  caret().column = last;
  wrap();
  return true;
}

/// IRM: what is right of the caret moves on.
void NativeText::make_room(int columns, int last) {
  if (!state_.insert) return;
  grid_.insert_cells({caret().row, caret().column, caret().row + 1, last + 1}, columns, pens_.blank());
}

void NativeText::advance(int columns, int last) {
  caret().column += columns;
  caret().pending_wrap = caret().column > last;
  if (caret().pending_wrap) caret().column = last;
}

void NativeText::take_pending_wrap() {
  if (!caret().pending_wrap) return;
  caret().pending_wrap = false;
  if (state_.autowrap) wrap();
}

/// Goes to the beginning of the next row. Both rows are one logical line when the text runs from edge to edge.
void NativeText::wrap() {
  const bool margins = state_.horizontal_margins && caret().column >= state_.left;
  const bool whole = caret().column == columns() - 1 && (!margins || state_.left == 0);
  const int before = caret().row;
  const bool only_row = state_.top == state_.bottom && before == state_.top;
  const bool moved = moves_.line_feed();
  caret().column = margins ? state_.left : 0;
  if (moved && whole && (!only_row || before == 0)) grid_.join_to_above(caret().row);
}

/// Types a code point that may go into the glyph before it.
void NativeText::type_joining(char32_t code_point) {
  const int end = caret().column + (caret().pending_wrap ? 1 : 0);
  const GlyphBefore before = grid_.glyph_before(caret().row, end);
  const Joining joining = join(before, code_point);
  if (!joining.joins) {
    const auto width = static_cast<std::uint8_t>(joining.width), guarded = static_cast<std::uint8_t>(state_.guarded);
    const std::array<Cell, 2> cells{Cell{code_point, pens_.id(), width, guarded}, Cell{0, pens_.id(), 0, guarded}};
    return type({cells.data(), width});
  }
  if (joining.width > before.width) return widen_glyph(code_point);
  grid_.add_to_glyph(caret().row, end, code_point, before.width);
}

/// The narrow glyph before takes a code point that makes it wide: in the last column it moves to the next row.
void NativeText::widen_glyph(char32_t code_point) {
  if (!caret().pending_wrap) {
    const int last = last_column();
    make_room(1, last);
    if (grid_.add_to_glyph(caret().row, caret().column, code_point, 2) == 2) advance(1, last);
    return;
  }
  const Cell glyph = grid_.cell(caret().row, caret().column);
  const int row = caret().row, last = caret().column;
  caret().pending_wrap = false;
  if (!leave_hole(last)) {
    caret().pending_wrap = true;
    grid_.add_to_glyph(row, last + 1, code_point, 1);
    return;
  }
  const int end = last_column();
  make_room(2, end);
  grid_.put_cells(caret().row, caret().column, {&glyph, 1});
  advance(grid_.add_to_glyph(caret().row, caret().column + 1, code_point, 2), end);
}

void NativeText::repeat(int count) {
  count = std::min(count, places());
  const std::vector<Cell> cells = repeated(count, pens_.id());
  if (cells.empty()) return;
  const int width = cells.front().width;
  for (int left = count; left > 0; left -= columns())
    type(std::span(cells).first(static_cast<std::size_t>(std::min(left, columns()) * width)));
}

}  // namespace ptyd
