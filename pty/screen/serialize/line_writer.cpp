#include "pty/screen/serialize/line_writer.hpp"

#include <algorithm>
#include <array>

#include "pty/screen/serialize/sgr.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

constexpr char32_t kFirstThatMayJoin = 0x300, kWideGlyph = 0x4E00;

bool is_blank(const Cell& cell) {
  return cell.glyph == 0 && cell.width != 0;
}

}  // namespace

void LineWriter::look(const Pen& pen, bool guarded) {
  append_pen_change(pen_, pen, grid_.link(pen.link), text_);
  pen_ = pen;
  pen_id_ = 0;
  if (guarded != guarded_) text_ += guarded ? "\x1b[1\"q" : "\x1b[0\"q";
  guarded_ = guarded;
}

void LineWriter::look_of(const Cell& cell) {
  const bool guarded = cell.guarded != 0 && detail_ < Detail::no_looks;
  if (cell.pen == pen_id_ && guarded == guarded_ && (pen_id_ != 0 || pen_ == Pen{})) return;
  Pen pen = reduced(grid_.pen(cell.pen), detail_);
  const bool begins_link = pen.link != 0 && pen.link != pen_.link;
  if (begins_link && links_ != nullptr && !links_->take(grid_.link(pen.link))) pen.link = 0;
  look(pen, guarded);
  pen_id_ = cell.pen;
}

Pen LineWriter::blank_look(const Cell& cell) const {
  Pen blank;
  blank.background = reduced(grid_.pen(cell.pen), detail_).background;
  return blank;
}

void LineWriter::command(std::size_t count, char final) {
  text_ += "\x1b[";
  if (count != 1) text_ += std::to_string(count);
  text_ += final;
}

GlyphBefore LineWriter::before(Cells cells, std::size_t column) const {
  if (column == 0) return {};
  const Cell& left = cells[column - 1].width == 0 && column > 1 ? cells[column - 2] : cells[column - 1];
  if (left.glyph == 0) return {U' ', U' ', 1, true};
  if ((left.glyph & Cell::kCluster) == 0) return {left.glyph, left.glyph, left.width, true};
  std::string text;
  grid_.append_text(left, text);
  std::size_t last = text.size() - 1;
  while ((static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
  return {first_code_point(left, grid_), utf8::decode(std::string_view(text).substr(last)), left.width, false};
}

bool LineWriter::joins_its_neighbour(Cells cells, std::size_t column) const {
  const Cell& cell = cells[column];
  if (cell.glyph < kFirstThatMayJoin || cell.width == 0) return false;
  const char32_t first = first_code_point(cell, grid_);
  return may_join(first) && join(before(cells, column), first).joins;
}

bool LineWriter::is_squeezed(const Cell& cell) const {
  if ((cell.glyph & Cell::kCluster) == 0 || cell.width != 1) return false;
  std::string text;
  grid_.append_text(cell, text);
  GlyphBefore glyph;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view one = rest.substr(0, utf8::unit(rest));
    rest.remove_prefix(one.size());
    const char32_t next = utf8::decode(one);
    const Joining joining = join(glyph, next);
    glyph = {joining.joins ? glyph.first : next, next, joining.width, !joining.joins};
    if (glyph.width > 1) return true;
  }
  return false;
}

LineWriter::Method LineWriter::method_of(Cells cells) const {
  Method method = Method::forward;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (is_squeezed(cells[i])) return Method::by_deletion;
    if (joins_its_neighbour(cells, i)) method = Method::by_insertion;
  }
  return method;
}

void LineWriter::write_glyph(const Cell& cell) {
  look_of(cell);
  if (cell.glyph < 0x80) {
    text_ += static_cast<char>(cell.glyph);
  } else {
    grid_.append_text(cell, text_);
  }
  // The code point that made the glyph wide has been left out.
  const bool is_narrow = cell.width == 2 && (cell.glyph & Cell::kCluster) == 0 && width_of(cell.glyph) < 2;
  if (is_narrow) text_ += ' ';
}

void LineWriter::resize(LineSize size) {
  constexpr std::array kSizes{"\x1b#5", "\x1b#6", "\x1b#3", "\x1b#4"};
  text_ += kSizes[static_cast<std::size_t>(size)];
}

void LineWriter::write(const Line& whole, bool continues, bool goes_on) {
  const Line line = reduced(whole, grid_, detail_, space_);
  const std::size_t columns = line.size == LineSize::single ? columns_ : columns_ / 2;
  Cells cells = line.cells.first(std::min(line.cells.size(), columns));
  while (!cells.empty() && is_blank(cells.back()) && blank_look(cells.back()) == Pen{}) {
    cells = cells.first(cells.size() - 1);
  }
  method_ = method_of(cells);
  if (continues) begin_row(cells);
  if (line.size != LineSize::single) resize(line.size);
  if (method_ == Method::forward) write_forward(cells, columns, continues, goes_on);
  if (method_ == Method::by_insertion) write_by_insertion(cells, columns, goes_on);
  if (method_ == Method::by_deletion) write_by_deletion(cells, columns, goes_on);
  plain_look();
}

/// Wraps into the row. The first glyph does that by itself, unless it would join the one at the end of the row above,
/// or its pen would colour the row, as wrapping on the last row scrolls.
void LineWriter::begin_row(Cells cells) {
  const bool by_itself = method_ == Method::forward && !cells.empty() && !is_blank(cells[0]) &&
                         !may_join(first_code_point(cells[0], grid_)) &&
                         grid_.pen(cells[0].pen).background.is_default();
  if (by_itself) return;
  text_ += " \r";
  if (method_ != Method::forward || cells.empty() || is_blank(cells[0])) text_ += "\x1b[X";
}

void LineWriter::write_forward(Cells cells, std::size_t columns, bool continues, bool goes_on) {
  for (std::size_t i = 0; i < cells.size();) {
    if (is_blank(cells[i])) {
      i = write_blanks(cells, i, continues);
    } else {
      if (cells[i].width != 0) write_glyph(cells[i]);
      ++i;
    }
  }
  if (goes_on && ends_blank(cells, columns)) wrap_over_a_hole(cells, columns);
}

bool LineWriter::ends_blank(Cells cells, std::size_t columns) {
  return cells.size() < columns || is_blank(cells.back());
}

std::size_t LineWriter::write_blanks(Cells cells, std::size_t from, bool continues) {
  const Pen blank = blank_look(cells[from]);
  std::size_t end = from + 1;
  while (end < cells.size() && is_blank(cells[end]) && blank_look(cells[end]) == blank) ++end;
  std::size_t left = end - from;
  if (!blank.background.is_default()) {
    look(blank, false);
    // A row that is erased as a whole is no longer the continuation of the one above.
    if (continues && left == columns_) {
      text_ += "\x1b[X\x1b[C";
      --left;
    }
    command(left, 'X');
  }
  if (end < columns_) command(left, 'C');
  return end;
}

/// Draws from right to left, pushing earlier glyphs to the right: in column 0 nothing is joined. Where the row goes on,
/// its last glyph is printed once more at its place: the wrap is pending again. A saved caret would not do, since
/// xterm.js does not restore its pending wrap.
void LineWriter::write_by_insertion(Cells cells, std::size_t columns, bool goes_on) {
  const std::size_t last = cells.size() - (cells.back().width == 0 ? 2 : 1);
  const bool over_a_hole = goes_on && ends_blank(cells, columns);
  const bool printed_again = goes_on && !over_a_hole && !joins_its_neighbour(cells, last);
  if (goes_on && !over_a_hole && !printed_again) wait_behind_last();
  for (std::size_t i = cells.size(); i-- > 0;) {
    if (cells[i].width == 0) continue;
    plain_look();
    text_ += '\r';
    if (is_blank(cells[i])) {
      look(blank_look(cells[i]), false);
      command(1, '@');
    } else {
      command(cells[i].width, '@');
      write_glyph(cells[i]);
    }
  }
  plain_look();
  if (over_a_hole) return wrap_over_a_hole(cells, columns);
  if (printed_again) {
    command(last + 1, 'G');
    write_glyph(cells[last]);
  } else if (goes_on) {
    text_ += "\x1b\x38";
  }
}

/// Draws from left to right, each glyph in the last columns, from where all cells move left: only there a glyph stays
/// narrow.
void LineWriter::write_by_deletion(Cells cells, std::size_t columns, bool goes_on) {
  text_ += "\x1b[?7l";
  for (std::size_t i = 0; i < columns; ++i) {
    const Cell cell = i < cells.size() ? cells[i] : Cell{};
    if (cell.width == 0) continue;
    text_ += '\r';
    look(is_blank(cell) ? blank_look(cell) : Pen{}, false);
    command(cell.width, 'P');
    if (is_blank(cell)) continue;
    command(columns + 1 - cell.width, 'G');
    write_glyph(cell);
  }
  plain_look();
  text_ += "\x1b[?7h";
  if (goes_on && ends_blank(cells, columns)) wrap_over_a_hole(cells, columns);
}

/// Ends a row whose last column is blank where the next one begins: a wide glyph does not fit into that column, so it
/// wraps and leaves it blank in the colour it is printed in, and is erased again. Needs no saved caret, of which
/// xterm.js restores no pending wrap. The next row is erased in two parts, as a row that is erased as a whole continues
/// nothing; all of it where it may have come up in that colour.
void LineWriter::wrap_over_a_hole(Cells cells, std::size_t columns) {
  const Pen blank = cells.size() < columns ? Pen{} : blank_look(cells.back());
  look(blank, false);
  command(columns_, 'G');
  utf8::append(kWideGlyph, text_);
  plain_look();
  text_ += "\r\x1b[X\x1b[C";
  command(blank.background.is_default() ? 1 : columns_ - 1, 'X');
  text_ += '\r';
}

/// A wrap is pending behind the last column, and what is there now is erased; the saved caret remembers the wrap.
void LineWriter::wait_behind_last() {
  command(columns_, 'G');
  plain_look();
  text_ += " \x1b\x37\x1b[X\x1b\x38";
  saved_caret_ = true;
}

void LineWriter::wait_behind(const Cell& cell, int row, int column) {
  if (is_squeezed(cell)) text_ += "\x1b[?7l";
  if (!is_blank(cell)) write_glyph(cell);
  if (is_squeezed(cell)) text_ += "\x1b[?7h";
  if (!is_blank(cell)) return;
  look(blank_look(cell), false);
  const std::string place = std::to_string(row) + ";" + std::to_string(column);
  text_ += " \x1b[" + place + ";" + place + "${";
}

}  // namespace ptyd
