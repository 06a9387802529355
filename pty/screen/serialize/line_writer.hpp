// LineWriter: lines of cells as the bytes that draw them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/grid.hpp"
#include "pty/screen/serialize/detail.hpp"

namespace ptyd {

/// Writes for a terminal of the same width, with autowrap on and no margins, which draws on empty rows.
///
/// Order   lines from top to bottom; between two lines the pen is the default one, so each is complete by itself.
class LineWriter {
 public:
  /// Without `links` every link of a cell is written.
  LineWriter(const Grid& grid, std::string& text, LinkBudget* links = nullptr, Detail detail = Detail::full)
      : grid_(grid), text_(text), links_(links), detail_(detail), columns_(grid.size().cols) {}

  /// Draws `line` where the caret is: in column 0, or, when it `continues` the line above, where that one left it.
  /// When the line `goes_on` in the next one, the caret is left behind the last column, where the next glyph wraps, or
  /// has wrapped already.
  void write(const Line& line, bool continues, bool goes_on);
  /// The caret stands at `cell`, in the last column it may reach. Writes the cell anew, so that a wrap is pending. For
  /// DECSERA, the only way to a blank that keeps the wrap, `row` and `column` are given as CUP would count them.
  void wait_behind(const Cell& cell, int row, int column);
  /// Whether the glyph at `column`, printed where it stands, would become a part of the one before it.
  bool joins_its_neighbour(std::span<const Cell> cells, std::size_t column) const;
  /// Whether the glyph was made wide where there was no room for that: printed elsewhere it would be wide.
  bool is_squeezed(const Cell& cell) const;
  /// Prints the glyph of `cell`, which is not blank, where the caret is.
  void write_glyph(const Cell& cell);
  /// Sets the size of the line in which the caret is.
  void resize(LineSize size);
  /// Changes the pen to `pen`.
  void look(const Pen& pen, bool guarded);
  void plain_look() { look({}, false); }
  /// Whether DECSC was used, which the reader must expect.
  bool saved_caret() const { return saved_caret_; }
  /// Whether the caret was left where the text of the last line ends.
  bool ended_at_text() const { return method_ == Method::forward; }

 private:
  using Cells = std::span<const Cell>;
  /// How a row is drawn; all but the first are for what could not be printed from left to right as it stands.
  enum class Method : std::uint8_t { forward, by_insertion, by_deletion };

  void write_forward(Cells cells, std::size_t columns, bool continues, bool goes_on);
  void write_by_insertion(Cells cells, std::size_t columns, bool goes_on);
  void write_by_deletion(Cells cells, std::size_t columns, bool goes_on);
  /// Writes the run of blanks that begins at `from`; returns its end.
  std::size_t write_blanks(Cells cells, std::size_t from, bool continues);
  void begin_row(Cells cells);
  static bool ends_blank(Cells cells, std::size_t columns);
  void wrap_over_a_hole(Cells cells, std::size_t columns);
  void wait_behind_last();
  void command(std::size_t count, char final);
  void look_of(const Cell& cell);
  Pen blank_look(const Cell& cell) const;
  GlyphBefore before(Cells cells, std::size_t column) const;
  Method method_of(Cells cells) const;

  const Grid& grid_;
  std::string& text_;
  LinkBudget* links_;
  Detail detail_;
  std::size_t columns_;
  std::vector<Cell> space_;  // of a line that is not drawn as it is
  Pen pen_;
  PenId pen_id_ = 0;
  bool guarded_ = false;
  bool saved_caret_ = false;
  Method method_ = Method::forward;
};

}  // namespace ptyd
