// Grid: another size.
#include <algorithm>
#include <limits>

#include "pty/screen/grid/grid.hpp"
#include "pty/screen/grid/reflow.hpp"

namespace ptyd {
namespace {

bool is_empty(const Line& line) {
  const auto shows = [](const Cell& cell) { return cell.glyph != 0 || cell.width != 1 || cell.pen != 0; };
  return std::none_of(line.cells.begin(), line.cells.end(), shows);
}

}  // namespace

void Grid::resize(Size size, std::span<Place> primary, std::span<Place> alternate) {
  const int columns = std::clamp<int>(size.cols, kMinColumns, kMaxColumns);
  const int rows = std::clamp<int>(size.rows, kMinRows, kMaxRows);
  if (columns == columns_ && rows == rows_) return;
  resize_primary(columns, rows, primary);
  resize_alternate(columns, rows, alternate);
  columns_ = columns;
  rows_ = rows;
}

/// Rows from the top that hold something, or one of the places.
int Grid::rows_in_use(std::span<const Place> places) const {
  int used = below_.size() == 0 ? 0 : rows_;
  for (const Place& place : places) used = std::max(used, place.row + 1);
  for (int row = rows_; row > used; --row)
    if (!is_empty(line(Buffer::primary, row - 1))) used = row;
  if (used > 0 && used < rows_ && line(Buffer::primary, used - 1).wrapped) ++used;
  return std::min(used, rows_);
}

/// Which of the reflowed lines comes to row 0. A screen that was full stays full, from the scrollback if need be; where
/// there was room below, the top stays where it is while there is. The caret's row is on the screen in any case.
std::size_t Grid::top_line(const Reflowed& flow, int rows) const {
  const auto height = static_cast<std::size_t>(rows);
  const std::size_t lowest = flow.lines > height ? flow.lines - height : 0;
  std::size_t top = flow.full ? lowest : std::max(flow.top, lowest);
  if (below_.size() != 0) top = std::min(flow.top, lowest);
  if (!flow.caret) return top;
  const std::size_t least = *flow.caret + 1 > height ? *flow.caret + 1 - height : 0;
  return std::max(std::min(top, *flow.caret), least);
}

void Grid::resize_primary(int columns, int rows, std::span<Place> places) {
  const std::size_t above = scrollback_.size();
  const int used = rows_in_use(places);
  std::vector<Reflow::Anchor> anchors{{above, 0, 0, 0}};
  for (const Place& place : places)
    anchors.push_back({above + static_cast<std::size_t>(std::clamp(place.row, 0, rows_ - 1)), place.column, 0, 0});

  Scrollback out(std::numeric_limits<std::size_t>::max());
  Reflow reflow(columns_, columns, out, anchors);
  for (std::size_t i = 0; i < above; ++i) reflow.take(scrollback_, i);
  for (int row = 0; row < used; ++row) reflow.take(line(Buffer::primary, row));
  for (std::size_t i = 0; i < below_.size(); ++i) reflow.take(below_, i);
  reflow.finish();

  Reflowed flow{out.size(), used == 0 ? out.size() : anchors[0].row, used == rows_, std::nullopt};
  if (!places.empty()) flow.caret = anchors[1].row;
  const std::size_t top = top_line(flow, rows);
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = {static_cast<int>(anchors[i + 1].row) - static_cast<int>(top), anchors[i + 1].column};
  if (top > above) scrolled_out_ += top - above;
  settle(std::move(out), top, columns, rows);
}

/// Lines above `top` become the scrollback, the next ones the screen; what does not fit is kept below it.
void Grid::settle(Scrollback lines, std::size_t top, int columns, int rows) {
  Rows screen;
  std::vector<Cell> space;
  below_.clear();
  for (std::size_t i = top; i < lines.size(); ++i) {
    if (i - top >= static_cast<std::size_t>(rows)) {
      below_.push_copy(lines, i);
      continue;
    }
    if (screen.ring.empty()) screen.ring.resize(static_cast<std::size_t>(rows));
    const Line line = lines.read(i, space);
    Row& row = screen.ring[i - top];
    row.take(line.cells.data(), static_cast<int>(line.cells.size()), 0, columns);
    row.set_wrapped(line.wrapped);
    row.set_size(line.size);
  }
  while (lines.size() > top) lines.pop_last();
  lines.limit(scrollback_.max());
  scrollback_ = std::move(lines);
  buffers_[static_cast<std::size_t>(Buffer::primary)] = std::move(screen);
}

/// Cut at the right, and at the bottom unless the first place stands there.
void Grid::resize_alternate(int columns, int rows, std::span<Place> places) {
  const int first = places.empty() ? 0 : std::max(places[0].row - rows + 1, 0);
  Rows resized;
  for (int row = 0; row < std::min(rows, rows_ - first); ++row) {
    const Row* from = find(Buffer::alternate, first + row);
    if (from == nullptr) break;
    if (resized.ring.empty()) resized.ring.resize(static_cast<std::size_t>(rows));
    Row& to = resized.ring[static_cast<std::size_t>(row)];
    const auto cells = from->view().cells;
    const int usable = from->size() == LineSize::single ? columns : columns / 2;
    to.take(cells.data(), std::min(static_cast<int>(cells.size()), usable), 0, columns);
    to.set_wrapped(from->wrapped() && columns == columns_);
    to.set_size(from->size());
  }
  buffers_[static_cast<std::size_t>(Buffer::alternate)] = std::move(resized);
  for (Place& place : places) {
    const bool behind = place.column >= columns_ && columns == columns_;
    place = {std::clamp(place.row - first, 0, rows - 1), behind ? columns : std::min(place.column, columns - 1)};
  }
}

}  // namespace ptyd
