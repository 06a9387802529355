#include "server/execute/joined_rows.hpp"

#include <algorithm>
#include <utility>

#include "server/execute/kept_tabs.hpp"

namespace ptyd {
namespace {

bool is_unwritten(const Cell& cell) {
  return cell.glyph == 0 && cell.width != 0;
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
  // A wide glyph that did not fit left the last place of the row before unwritten.
  if (hole_before_ && !row.cells.empty() && row.cells.front().width == 2) --unwritten_;
  in_line_ = row.wrapped;
  append(row.cells, row.wrapped && row.cells.size() == columns);
  if (!row.wrapped) {
    give(text_, true);
    return reset();
  }
  unwritten_ += columns - std::min(columns, row.cells.size());
  hole_before_ = unwritten_ > 0;
  if (text_.size() + unwritten_ > kMostBytes) give_piece(give);
}

/// Of a row that `is_full` the next one may hold the rest of a tab.
void JoinedRows::append(std::span<const Cell> cells, bool is_full) {
  auto joined = std::exchange(tab_, {});
  if (!joined.empty()) {
    joined.insert(joined.end(), cells.begin(), cells.end());
    cells = joined;
  }
  const auto some = written(cells);
  if (!some.empty()) {
    text_.append(std::exchange(unwritten_, 0), ' ');
    const auto rest = append_with_tabs(*grid_, some, is_full && some.size() == cells.size(), text_);
    tab_.assign(rest.begin(), rest.end());
  }
  unwritten_ += cells.size() - some.size();
}

/// A piece ends behind a written cell: more may follow, or the line end. Too many unwritten cells count as blanks, all
/// but the last, which may turn out to be a hole.
void JoinedRows::give_piece(const Give& give) {
  if (text_.empty()) text_.append(std::exchange(unwritten_, 1) - 1, ' ');
  give(text_, false);
  text_.clear();
  has_given_ = true;
}

void JoinedRows::end(const Give& give) {
  if (!in_line_) return;
  append({}, false);
  give(text_, true);
  reset();
}

void JoinedRows::reset() {
  text_.clear();
  tab_.clear();
  unwritten_ = 0;
  in_line_ = hole_before_ = has_given_ = false;
}

bool changes_no_text(const Token& token) {
  return token.kind == TokenKind::osc || token.kind == TokenKind::string ||
         (token.kind == TokenKind::csi && token.bytes.ends_with('m'));
}

int used_rows(const Screen& screen) {
  const Grid& grid = screen.grid();
  int rows = grid.size().rows;
  const int caret = grid.active() == Buffer::primary ? screen.state().caret.row : 0;
  while (rows > caret + 1 && !is_written(grid.line(Buffer::primary, rows - 1))) --rows;
  return rows;
}

}  // namespace ptyd
