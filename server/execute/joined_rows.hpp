// JoinedRows: the rows of a Screen as the lines that a program has printed.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/screen.hpp"

namespace ptyd {

/// Joins rows that go on in the next one, without what was never written at the end of a line; tabs as KeptTabs has
/// them. A line is given in pieces where it is very long.
///
/// Owns    the cells of a line that has not ended. The Grid is borrowed and outlives it.
/// Thread  one.
class JoinedRows {
 public:
  /// Takes a line, or a piece of one that `ends` with another.
  using Give = std::function<void(std::string_view text, bool ends)>;
  /// Of a line, before it is given in pieces: its cells are kept until then.
  static constexpr std::size_t kMostCells = 4096;

  explicit JoinedRows(const Grid& grid) : grid_(&grid) {}

  /// From the top. Gives what comes to an end, and a piece of what has become too long.
  void add(const Line& row, const Give& give);
  /// The line that has not ended ends here.
  void end(const Give& give);
  /// The next row goes on in a line.
  bool is_in_line() const { return in_line_; }
  /// Forgets a line that has not ended.
  void reset();

 private:
  void give_cells(std::span<const Cell> cells, bool ends, const Give& give);
  void give_piece(const Give& give);

  const Grid* grid_;
  std::vector<Cell> cells_;  // of a line that goes on
  std::string text_;         // scratch
  bool in_line_ = false, hole_before_ = false;
};

/// Rows of the primary buffer down to the last one that is written, or to the caret.
int used_rows(const Screen& screen);

/// Says how the text behind it looks (SGR, and xterm's keys, which print nothing). Outputs are drawn without: erased to
/// the right margin in a colour, a line would take as many cells as a full one.
bool is_about_looks(const Token& token);

}  // namespace ptyd
