// Grid: the cells of one terminal, both buffers and the scrollback.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pty/screen/grid/area.hpp"
#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/lines.hpp"
#include "pty/screen/grid/names.hpp"
#include "pty/screen/grid/resize_lines.hpp"
#include "pty/screen/grid/row.hpp"
#include "pty/text/widths.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// Cells, and how they move. Knows no sequence and no mode.
///
/// Thread  one.
/// Units   rows and columns from 0; a row of the screen is 0 at its top, one of the scrollback 0 when it is the oldest.
/// Order   scrolling a whole screen is O(1): rows are a ring. Rows take memory when they are first written.
/// Bounds  whatever is outside the screen is cut off, so no caller can write beside it.
class Grid {
 public:
  /// Narrowest and shortest screens that are drawn on; smaller sizes are taken as these.
  static constexpr int kMinColumns = 2, kMinRows = 1;
  /// Largest; larger sizes are taken as these, so that a screen's memory is bounded.
  static constexpr int kMaxColumns = 4096, kMaxRows = Lines::kMaxRows;
  static_assert(kMaxColumns <= Scrollback::kMaxColumns);

  /// `max_scrollback` in logical lines; see Scrollback.
  Grid(Size size, std::size_t max_scrollback, std::size_t max_cells = Scrollback::kUnbounded);

  Size size() const { return {static_cast<std::uint16_t>(lines_.columns), static_cast<std::uint16_t>(lines_.rows)}; }
  Buffer active() const { return active_; }

  // Reading, also from the buffer that is not active, but for cell(), glyph_before() and columns().
  Line line(Buffer buffer, int row) const { return lines_.line(buffer, row); }
  /// Number of rows above row 0 of the primary buffer, at most those of the last `lines` logical lines. The last line
  /// may continue in row 0. The first call after a change of width lays these lines out.
  std::size_t scrollback(std::size_t lines = Scrollback::kUnbounded) const {
    lay_out(lines);
    return lines_.scrollback.rows_of_last(lines);
  }
  /// Number of the last lines there that take `rows` rows at most.
  std::size_t lines_in(std::size_t rows) const {
    lay_out(rows);
    return lines_.scrollback.lines_in_last(rows);
  }
  /// Number of rows of the fewest last lines there that have `cells` cells.
  std::size_t scrollback_of_cells(std::size_t cells) const {
    lay_out(Scrollback::kUnbounded);
    return lines_.scrollback.rows_of_last_cells(cells);
  }
  void lay_out(std::size_t lines) const { lay_out_scrollback(lines_, lines); }
  /// Laying out in parts: the number of cells that wait; and a call for the newest whole lines that have `cells` of
  /// them, one line at least.
  std::size_t cells_to_lay_out(std::size_t lines) const { return ptyd::cells_to_lay_out(lines_, lines); }
  void lay_out(std::size_t lines, std::size_t cells) const { lay_out_scrollback(lines_, lines, cells); }
  /// Index behind the last row of the scrollback. Lines that were laid out end there. Lines further up may have another
  /// width; their rows are counted anew once they are laid out.
  std::size_t scrollback_end() const { return lines_.scrollback.size(); }
  /// Numbers of the oldest line there and of the next one: see Scrollback.
  std::uint64_t first_line() const { return lines_.scrollback.next_line() - lines_.scrollback.lines(); }
  std::uint64_t next_line() const { return lines_.scrollback.next_line(); }
  std::uint64_t uncleared_line() const { return lines_.scrollback.uncleared_line(); }
  /// `index` is below scrollback_end(); `space` takes the cells.
  Line scrollback_line(std::size_t index, std::vector<Cell>& space) const {
    return lines_.scrollback.read(index, space);
  }
  /// Something that was in the scrollback has ever made room for what came later.
  bool has_overflowed() const { return lines_.scrollback.has_overflowed(); }
  /// Rows that a resize pushed out at the bottom wait there for the screen to grow; no snapshot holds them.
  bool keeps_below() const { return lines_.below.size() != 0; }
  /// Logical lines whose first row has ever gone into the scrollback. Each counts once, whatever its rows, and however
  /// often a resize takes it back. Never decreases.
  std::uint64_t scrolled_out() const { return lines_.scrollback.ever_begun(); }
  const Pen& pen(PenId id) const { return names_.styles().pen(id); }
  const Link& link(LinkId id) const { return names_.styles().link(id); }
  /// Appends the text of a cell: nothing for the right half of a wide glyph, a space for a blank.
  void append_text(const Cell& cell, std::string& utf8) const { names_.styles().append_text(cell, utf8); }
  /// A cell of the active buffer.
  const Cell& cell(int row, int column) const;
  /// The glyph that ends left of `column`, as join() wants it.
  GlyphBefore glyph_before(int row, int column) const;
  /// Columns of a row that can be used: half of them when the line is not single.
  int columns(int row) const {
    const Row* found = lines_.find(active_, row);
    return found == nullptr || found->size() == LineSize::single ? lines_.columns : lines_.columns / 2;
  }

  // See Names.
  PenId pen_id(const Pen& pen) { return names_.pen_id(pen, lines_); }
  LinkId link_id(const Link& link) { return names_.link_id(link, lines_); }
  void keep_pens(std::function<std::vector<Pen>()> kept) { names_.keep_pens(std::move(kept)); }
  /// Cells moved, filled, erased or laid out so far; never decreases. A turn measures the cost of a token or a resize
  /// by this.
  std::uint64_t work() const { return work_; }
  const Names& names() const { return names_; }

  // Drawing on the active buffer. Nothing is moved or copied into the half of a line that cannot be used. Erased cells
  // take a pen with nothing but a background.
  /// Printable ASCII from a place on; what does not fit the row is cut off.
  void put_ascii(int row, int column, std::string_view text, PenId pen, bool guarded) {
    const int columns = lines_.columns;
    if (!lines_.inside(row) || column < 0 || column >= columns || text.empty()) return;
    touch(row).put_ascii(column, text.substr(0, static_cast<std::size_t>(columns - column)), pen, guarded, columns);
  }
  /// One glyph of 1 or 2 columns; one that does not fit the row is left out.
  void put(int row, int column, char32_t code_point, int width, PenId pen, bool guarded);
  /// Cells as they are, whole glyphs; what does not fit the row is cut off.
  void put_cells(int row, int column, std::span<const Cell> cells);
  /// Adds a code point to the glyph that ends left of `column`; its width becomes `width` where the row has room for
  /// that. Beyond StyleTable::kMaxClusterPoints it is left out. Returns the columns that the glyph has now.
  int add_to_glyph(int row, int column, char32_t code_point, int width);
  void erase(Area area, PenId pen);
  /// Erases all but guarded cells (DECSCA).
  void erase_unguarded(Area area, PenId pen);
  void fill(Area area, char32_t narrow, PenId pen, bool guarded);
  /// In every row of the area, cells from its left edge on move right; what is pushed over the right edge is lost.
  void insert_cells(Area area, int count, PenId pen);
  void delete_cells(Area area, int count, PenId pen);
  /// Lines that leave the primary buffer at row 0, in full width, go into the scrollback.
  void scroll_up(Area area, int count, PenId pen);
  /// As scroll_up, but nothing goes into the scrollback (DL).
  void delete_lines(Area area, int count, PenId pen);
  void scroll_down(Area area, int count, PenId pen);
  /// Copies what is in `area` to where its top left corner becomes (row, column).
  void copy(Area area, int row, int column);
  /// The text of `row` goes on from the line above: both are one logical line, unless `row` is not single.
  void join_to_above(int row);
  /// A line that is not single stands alone, and its right half is lost.
  void set_line_size(int row, LineSize size);
  /// Shows this buffer; both keep their cells.
  void activate(Buffer buffer) { active_ = buffer; }
  /// Lines that are kept at most, in the scrollback and on the screen.
  std::size_t lines_kept() const { return lines_.scrollback.max_lines() + static_cast<std::size_t>(lines_.rows); }
  void skip_lines(std::uint64_t lines) { lines_.scrollback.skip(lines); }
  void renumber_lines(std::uint64_t first, std::uint64_t uncleared) { lines_.scrollback.renumber(first, uncleared); }
  void clear_scrollback() { lines_.scrollback.clear(); }
  void drop_scrollback(std::size_t rows) { lines_.scrollback.drop_oldest(rows); }
  /// Both buffers become empty, the scrollback stays.
  void clear_screens();
  /// Both buffers and the scrollback become empty.
  void clear();

  /// See resize_lines().
  void resize(Size size, std::span<Place> primary, std::span<Place> alternate);

 private:
  Row& touch(int row) { return lines_.touch(active_, row); }
  void move_up(Area area, int count, PenId pen, bool keep);
  void rotate_up(const Area& area, int count, bool keep);
  void forget_below(const Area& changed);

  Lines lines_;
  Buffer active_ = Buffer::primary;
  Names names_;
  std::uint64_t work_ = 0;
};

}  // namespace ptyd
