#include "server/execute/joined_rows.hpp"

#include <algorithm>
#include <utility>

#include "server/execute/kept_tabs.hpp"

namespace ptyd {
namespace {

bool is_unwritten(const Cell& cell) {
  return cell.glyph == 0 && cell.width != 0;
}

bool ends_unwritten(const Line& row, std::size_t columns) {
  return row.cells.size() < columns || is_unwritten(row.cells.back());
}

/// `cells` without those at the end that were never written.
std::span<const Cell> written(std::span<const Cell> cells) {
  auto count = cells.size();
  while (count > 0 && is_unwritten(cells[count - 1])) --count;
  return cells.first(count);
}

bool is_written(const Line& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const Cell& cell) { return cell.glyph != 0; });
}

}  // namespace

void JoinedRows::add(const Line& row, const Give& give) {
  const std::size_t columns = grid_->size().cols;
  if (!in_line_ && !row.wrapped) return give_cells(row.cells, true, give);
  // A wide glyph that did not fit left the last place of the row before unwritten.
  if (hole_before_ && !row.cells.empty() && row.cells.front().width == 2) cells_.pop_back();
  cells_.insert(cells_.end(), row.cells.begin(), row.cells.end());
  hole_before_ = row.wrapped && ends_unwritten(row, columns);
  in_line_ = row.wrapped;
  if (!row.wrapped) {
    give_cells(cells_, true, give);
    return cells_.clear();
  }
  cells_.resize(cells_.size() + columns - std::min(columns, row.cells.size()));
  if (cells_.size() > kMostCells) give_piece(give);
}

void JoinedRows::give_cells(std::span<const Cell> cells, bool ends, const Give& give) {
  text_.clear();
  append_with_tabs(*grid_, written(cells), text_);
  give(text_, ends);
}

/// A piece ends where something is written. Places that are not wait: more may follow, or the line end. Too many of
/// them count as blanks.
void JoinedRows::give_piece(const Give& give) {
  auto count = written(cells_).size();
  if (count == 0) {
    count = cells_.size() - 1;
    give(std::string(count, ' '), false);
  } else {
    give_cells(cells_, false, give);
  }
  cells_.erase(cells_.begin(), cells_.begin() + static_cast<std::ptrdiff_t>(count));
}

void JoinedRows::end(const Give& give) {
  if (!std::exchange(in_line_, false)) return;
  give_cells(cells_, true, give);
  cells_.clear();
}

void JoinedRows::reset() {
  cells_.clear();
  in_line_ = hole_before_ = false;
}

bool is_about_looks(const Token& token) {
  return token.kind == TokenKind::csi && token.bytes.ends_with('m');
}

int used_rows(const Screen& screen) {
  const Grid& grid = screen.grid();
  int rows = grid.size().rows;
  const int caret = grid.active() == Buffer::primary ? screen.state().caret.row : 0;
  while (rows > caret + 1 && !is_written(grid.line(Buffer::primary, rows - 1))) --rows;
  return rows;
}

}  // namespace ptyd
