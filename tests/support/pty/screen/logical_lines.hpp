// Logical lines of a Screen: what its rows say, however they are wrapped.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "pty/screen/screen.hpp"

namespace ptyd::test {

/// The left halves of its glyphs, with their looks.
struct LogicalLine {
  std::vector<Cell> cells;
  LineSize size = LineSize::single;
  bool operator==(const LogicalLine&) const = default;
};

/// Whether the last place of a wrapped row was left by a wide glyph that stands at the beginning of `next`.
inline bool ends_in_hole(const Grid& grid, const Line& line, const Line& next) {
  const std::size_t columns = line.size == LineSize::single ? grid.size().cols : std::max(grid.size().cols / 2, 2);
  return line.cells.size() == columns && line.cells.back().glyph == 0 && line.cells.back().width == 1 &&
         !next.cells.empty() && next.cells[0].width == 2;
}

inline void add_row(const Line& row, bool without_last, LogicalLine& to) {
  to.size = row.size;
  for (const Cell& cell : row.cells.first(row.cells.size() - (without_last ? 1 : 0)))
    if (cell.width != 0) to.cells.push_back(cell);
}

inline void trim(std::vector<Cell>& cells) {
  while (!cells.empty() && (cells.back().glyph == 0 || cells.back().glyph == ' ')) cells.pop_back();
}

/// All lines of the primary buffer and above it, joined where they are wrapped; trailing blanks and empty lines at the
/// end left out.
inline std::vector<LogicalLine> lines_and_looks(const Screen& screen) {
  const Grid& grid = screen.grid();
  std::vector<std::vector<Cell>> spaces(grid.scrollback());
  std::vector<Line> all;
  for (std::size_t i = 0; i < grid.scrollback(); ++i) all.push_back(grid.scrollback_line(i, spaces[i]));
  for (int row = 0; row < grid.size().rows; ++row) all.push_back(grid.line(Buffer::primary, row));
  all.emplace_back();
  std::vector<LogicalLine> lines(1);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    add_row(all[i], all[i].wrapped && ends_in_hole(grid, all[i], all[i + 1]), lines.back());
    if (all[i].wrapped) continue;
    trim(lines.back().cells);
    lines.emplace_back();
  }
  while (!lines.empty() && lines.back().cells.empty()) lines.pop_back();
  return lines;
}

inline std::vector<std::string> texts_of(const std::vector<LogicalLine>& lines, const Grid& grid) {
  std::vector<std::string> texts;
  for (const LogicalLine& line : lines) {
    texts.emplace_back();
    for (const Cell& cell : line.cells) grid.append_text(cell, texts.back());
  }
  return texts;
}

inline std::vector<std::string> logical_lines(const Screen& screen) {
  return texts_of(lines_and_looks(screen), screen.grid());
}

}  // namespace ptyd::test
