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

bool is_written(const Line& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const Cell& cell) { return cell.glyph != 0; });
}

}  // namespace

void JoinedRows::add(const Line& row) {
  const std::size_t columns = grid_->size().cols;
  // A wide glyph that did not fit left the last place of the row before unwritten.
  if (hole_before_ && !row.cells.empty() && row.cells.front().width == 2) cells_.pop_back();
  cells_.insert(cells_.end(), row.cells.begin(), row.cells.end());
  hole_before_ = row.wrapped && ends_unwritten(row, columns);
  in_line_ = row.wrapped;
  if (!row.wrapped) return give(true);
  cells_.resize(cells_.size() + columns - std::min(columns, row.cells.size()));
  if (cells_.size() > kMostCells) give(false);
}

/// A piece ends where something is written.
void JoinedRows::give(bool ends) {
  auto written = cells_.size();
  while (written > 0 && is_unwritten(cells_[written - 1])) --written;
  append_with_tabs(*grid_, std::span(cells_).first(written), pieces_.emplace_back(Piece{{}, ends}).text);
  cells_.erase(cells_.begin(), ends ? cells_.end() : cells_.begin() + static_cast<std::ptrdiff_t>(written));
}

std::vector<JoinedRows::Piece> JoinedRows::take() {
  return std::exchange(pieces_, {});
}

void JoinedRows::end() {
  if (std::exchange(in_line_, false)) give(true);
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
