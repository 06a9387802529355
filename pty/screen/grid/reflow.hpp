// Reflow: the same logical lines in rows of another width.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/scrollback.hpp"

namespace ptyd {

/// Takes rows in order, from a screen of one width and from scrollbacks of any width, and writes rows of another width
/// into a Scrollback. Joins wrapped rows to the next one first: they are full, but for one blank column where a wide
/// glyph did not fit.
///
/// Thread  one. No text is lost and none is added; blanks at the end of a logical line begin no row of their own.
class Reflow {
 public:
  /// A place in the rows that come in and, once its row was taken, in those that went out. A column as wide as the
  /// screen is the place behind the last glyph.
  struct Anchor {
    std::size_t row_in = 0;
    int column_in = 0;
    std::size_t row = 0;
    int column = 0;
  };

  Reflow(int columns_in, int columns, Scrollback& out, std::span<Anchor> anchors)
      : columns_in_(columns_in), columns_(columns), out_(out), anchors_(anchors) {}

  void take(const Line& line) { take(line, columns_in_); }
  /// Line `index` of `lines`. Quick where it stays as it is; no anchor is looked for in it.
  void take(const Scrollback& lines, std::size_t index);
  void finish();

 private:
  void take(const Line& line, int columns);
  std::size_t capacity() const;
  std::size_t fitting(std::span<const Cell> cells) const;
  void resolve_rest(int end);
  void emit(std::span<const Cell> cells, std::size_t column);
  void flush(bool wrapped);
  void take_cells(std::span<const Cell> cells, std::size_t column);
  void take_wrapped(const Line& line, int columns);
  void take_last(const Line& line);
  void settle_hole(const Line* next);

  int columns_in_, columns_;
  Scrollback& out_;
  std::span<Anchor> anchors_;
  std::size_t row_in_ = 0;
  std::vector<Cell> row_;  // content of the next row out so far
  bool open_ = false;      // the row before was wrapped
  bool hole_ = false;      // and ended in a blank, which may have been left by a wide glyph
  Cell held_;              // that blank
  LineSize size_ = LineSize::single;
  std::vector<Cell> space_;
};

}  // namespace ptyd
