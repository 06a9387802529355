#include "pty/screen/grid/resize_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "pty/screen/grid/reflow.hpp"

namespace ptyd {
namespace {

bool is_empty(const Line& line) {
  const auto shows = [](const Cell& cell) { return cell.glyph != 0 || cell.width != 1 || cell.pen != 0; };
  return std::none_of(line.cells.begin(), line.cells.end(), shows);
}

/// The primary buffer after the reflow: its number of rows, and those of its top and of the caret.
struct Reflowed {
  std::size_t lines = 0, top = 0;
  bool full = false;  ///< the screen was in use to its last row
  std::optional<std::size_t> caret;
};

/// Rows from the top that hold something, or one of the places.
int rows_in_use(const Lines& lines, std::span<const Place> places) {
  int used = lines.below.size() == 0 ? 0 : lines.rows;
  for (const Place& place : places) used = std::max(used, place.row + 1);
  for (int row = lines.rows; row > used; --row)
    if (!is_empty(lines.line(Buffer::primary, row - 1))) used = row;
  if (used > 0 && used < lines.rows && lines.line(Buffer::primary, used - 1).wrapped) ++used;
  return std::min(used, lines.rows);
}

/// Which of the reflowed lines comes to row 0. A screen that was full stays full, from the scrollback if need be. Where
/// there was room below, the top stays where it is while all rows fit. The caret's row is on the screen in any case.
std::size_t top_line(const Lines& lines, const Reflowed& flow, int rows) {
  const auto height = static_cast<std::size_t>(rows);
  const std::size_t lowest = flow.lines > height ? flow.lines - height : 0;
  std::size_t top = flow.full ? lowest : std::max(flow.top, lowest);
  if (lines.below.size() != 0) top = std::min(flow.top, lowest);
  if (!flow.caret) return top;
  const std::size_t least = *flow.caret + 1 > height ? *flow.caret + 1 - height : 0;
  return std::max(std::min(top, *flow.caret), least);
}

void set_row(Row& row, const Line& line, int columns) {
  row.take(line.cells.data(), static_cast<int>(line.cells.size()), 0, columns);
  row.set_wrapped(line.wrapped);
  row.set_size(line.size);
}

/// The rows from `from` on, but for those farthest from the screen when they are too many.
Scrollback waiting(const Scrollback& rows, std::size_t from) {
  Scrollback below(Scrollback::kUnbounded);
  for (std::size_t i = from; i < rows.size(); ++i) {
    if (below.cells() + rows.outline(i).cells > Lines::kMaxBelow) break;
    below.push_copy(rows, i);
  }
  return below;
}

/// Rows above `top` go into the scrollback, the next ones are the screen; what does not fit waits below it.
void settle(Lines& to, const Scrollback& flowed, std::size_t top, int columns, int rows) {
  RowRing screen;
  std::vector<Cell> space;
  const std::size_t end = std::min(flowed.size(), top + static_cast<std::size_t>(rows));
  for (std::size_t i = top; i < end; ++i)
    set_row(screen.touch(static_cast<int>(i - top), rows), flowed.read(i, space), columns);
  to.below = waiting(flowed, end);
  for (std::size_t i = 0; i < top; ++i) to.scrollback.push_copy(flowed, i);
  to.buffers[static_cast<std::size_t>(Buffer::primary)] = std::move(screen);
}

/// Moves `first` from behind a line to its first row. Returns a lower bound of the rows of that line at another width:
/// not all of its cells are text, since wide glyphs that did not fit leave holes.
std::size_t step_back(const Scrollback& above, std::size_t& first, int columns) {
  std::size_t cells = 0;
  --first;
  for (; first > 0 && above.outline(first - 1).wrapped; --first) cells += above.outline(first - 1).cells;
  return std::max<std::size_t>(cells / 2 / static_cast<std::size_t>(columns), 1);
}

/// The newest rows of whole lines that fill a screen of the new size, and the line that may go on in its row 0.
Scrollback take_near(Scrollback& above, int columns, int rows) {
  std::size_t first = above.size(), sure = 0;
  while (first > 0 && sure <= static_cast<std::size_t>(rows)) sure += step_back(above, first, columns);
  return above.take_last(above.size() - first);
}

/// Cells of the rows from `first` up to `end`; an empty row counts as one.
std::size_t cells_of(const Scrollback& rows, std::size_t first, std::size_t end) {
  std::size_t cells = 0;
  for (std::size_t i = first; i < end; ++i) cells += std::max<std::size_t>(rows.outline(i).cells, 1);
  return cells;
}

/// The first row of the newest lines that are stale and do not begin before `wanted`: until they have so many cells.
std::size_t newest_lines(const Scrollback& rows, std::size_t wanted, std::size_t cells) {
  std::size_t first = rows.stale();
  for (std::size_t taken = 0; first > wanted && taken < cells;) {
    const std::size_t end = first--;
    while (first > wanted && rows.outline(first - 1).wrapped) --first;
    taken += cells_of(rows, first, end);
  }
  return first;
}

std::size_t resize_primary(Lines& lines, int columns, int rows, std::span<Place> places) {
  const Scrollback near = take_near(lines.scrollback, columns, rows);
  if (columns != lines.columns) lines.scrollback.make_stale();
  const int used = rows_in_use(lines, places);
  std::vector<Reflow::Anchor> anchors{{near.size(), 0, 0, 0}};
  for (const Place& place : places)
    anchors.push_back(
        {near.size() + static_cast<std::size_t>(std::clamp(place.row, 0, lines.rows - 1)), place.column, 0, 0});

  Scrollback out(Scrollback::kUnbounded);
  Reflow reflow(lines.columns, columns, out, anchors);
  for (std::size_t i = 0; i < near.size(); ++i) reflow.take(near, i);
  for (int row = 0; row < used; ++row) reflow.take(lines.line(Buffer::primary, row));
  for (std::size_t i = 0; i < lines.below.size(); ++i) reflow.take(lines.below, i);
  reflow.finish();

  Reflowed flow{out.size(), used == 0 ? out.size() : anchors[0].row, used == lines.rows, std::nullopt};
  if (!places.empty()) flow.caret = anchors[1].row;
  const std::size_t top = top_line(lines, flow, rows);
  for (std::size_t i = 0; i < places.size(); ++i)
    places[i] = {static_cast<int>(anchors[i + 1].row) - static_cast<int>(top), anchors[i + 1].column};
  settle(lines, out, top, columns, rows);
  return out.cells();
}

/// Cuts the alternate buffer at the right, and at the bottom unless the first place stands there.
void resize_alternate(Lines& lines, int columns, int rows, std::span<Place> places) {
  const int first = places.empty() ? 0 : std::max(places[0].row - rows + 1, 0);
  const int kept = std::min(rows, lines.rows - first);
  RowRing resized;
  for (int row = 0; row < kept; ++row) {
    const Row* from = lines.find(Buffer::alternate, first + row);
    if (from == nullptr) break;
    Row& to = resized.touch(row, rows);
    const auto cells = from->view().cells;
    const int usable = from->size() == LineSize::single ? columns : columns / 2;
    to.take(cells.data(), std::min(static_cast<int>(cells.size()), usable), 0, columns);
    to.set_wrapped(from->wrapped() && columns == lines.columns && row + 1 < kept);
    to.set_size(from->size());
  }
  lines.buffers[static_cast<std::size_t>(Buffer::alternate)] = std::move(resized);
  for (Place& place : places) {
    const bool behind = place.column >= lines.columns && columns == lines.columns;
    place = {std::clamp(place.row - first, 0, rows - 1), behind ? columns : std::min(place.column, columns - 1)};
  }
}

}  // namespace

std::size_t resize_lines(Lines& lines, int columns, int rows, std::span<Place> primary, std::span<Place> alternate) {
  if (columns == lines.columns && rows == lines.rows) return 0;
  const std::size_t laid_out = resize_primary(lines, columns, rows, primary);
  resize_alternate(lines, columns, rows, alternate);
  lines.columns = columns;
  lines.rows = rows;
  return laid_out;
}

std::size_t cells_to_lay_out(const Lines& lines, std::size_t count) {
  const Scrollback& all = lines.scrollback;
  return all.stale() == 0 ? 0 : cells_of(all, all.size() - all.rows_of_last(count), all.stale());
}

void lay_out_scrollback(const Lines& lines, std::size_t count, std::size_t cells) {
  Scrollback& all = lines.scrollback;
  if (all.stale() == 0) return;
  const std::size_t first = newest_lines(all, all.size() - all.rows_of_last(count), cells);
  if (first >= all.stale()) return;
  const std::size_t stale = all.stale() - first;
  const Scrollback taken = all.take_last(all.size() - first);
  Scrollback out(Scrollback::kUnbounded);
  Reflow reflow(lines.columns, lines.columns, out, {});
  for (std::size_t i = 0; i < stale; ++i) reflow.take(taken, i);
  reflow.finish();
  out.set_last_wrapped(taken.outline(stale - 1).wrapped);
  for (std::size_t i = 0; i < out.size(); ++i) all.push_copy(out, i);
  for (std::size_t i = stale; i < taken.size(); ++i) all.push_copy(taken, i);
}

}  // namespace ptyd
