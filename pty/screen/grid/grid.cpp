#include "pty/screen/grid/grid.hpp"

#include <algorithm>
#include <utility>

#include "pty/screen/grid/line_moves.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

constexpr Cell kBlank{};

int fitting_columns(Size size) {
  return std::clamp<int>(size.cols, Grid::kMinColumns, Grid::kMaxColumns);
}

int fitting_rows(Size size) {
  return std::clamp<int>(size.rows, Grid::kMinRows, Grid::kMaxRows);
}

bool full_width(const Area& area, const Lines& lines) {
  return area.left == 0 && area.right == lines.columns;
}

void write_glyph(Row& row, int column, const Cell& cell, int columns) {
  Cell* const cells = row.prepare(column, column + cell.width, cell.pen, columns);
  cells[0] = cell;
  if (cell.width == 2) cells[1] = {0, cell.pen, 0, cell.guarded};
}

}  // namespace

Grid::Grid(Size size, std::size_t max_scrollback, std::size_t max_cells)
    : lines_(fitting_columns(size), fitting_rows(size), Scrollback(max_scrollback, max_cells)) {}

void Grid::resize(Size size, std::span<Place> primary, std::span<Place> alternate) {
  work_ += resize_lines(lines_, fitting_columns(size), fitting_rows(size), primary, alternate);
}

const Cell& Grid::cell(int row, int column) const {
  const Row* found = lines_.find(active_, row);
  return found == nullptr || column < 0 || column >= lines_.columns ? kBlank : found->at(column);
}

GlyphBefore Grid::glyph_before(int row, int column) const {
  if (column <= 0) return {};
  const Cell* left = &cell(row, column - 1);
  if (left->width == 0) left = &cell(row, column - 2);
  if (left->glyph == 0) return {U' ', U' ', 1, true};
  return {names_.styles().first_code_point(left->glyph), names_.styles().last_code_point(left->glyph), left->width,
          (left->glyph & Cell::kCluster) == 0};
}

void Grid::put(int row, int column, char32_t code_point, int width, PenId pen, bool guarded) {
  const int columns = width == 2 ? 2 : 1;
  if (!lines_.inside(row) || column < 0 || column + columns > lines_.columns) return;
  write_glyph(touch(row), column,
              {code_point, pen, static_cast<std::uint8_t>(columns), static_cast<std::uint8_t>(guarded)},
              lines_.columns);
}

void Grid::put_cells(int row, int column, std::span<const Cell> cells) {
  if (!lines_.inside(row) || column < 0) return;
  const int count = std::min(static_cast<int>(cells.size()), lines_.columns - column);
  if (count <= 0) return;
  work_ += static_cast<std::uint64_t>(count);
  touch(row).take(cells.data(), count, column, lines_.columns);
}

int Grid::add_to_glyph(int row, int column, char32_t code_point, int width) {
  if (!lines_.inside(row) || column < 1 || column > lines_.columns) return 0;
  int left = column - 1;
  if (cell(row, left).width == 0) --left;
  Cell now = cell(row, left);
  if (width == 2 && left + 2 <= lines_.columns) now.width = 2;
  if (now.glyph == 0) {
    // Of a blank only the background counts.
    Pen look;
    look.background = pen(now.pen).background;
    now.pen = pen_id(look);
    now.glyph = code_point;
  } else {
    std::string text;
    names_.styles().append_text(now, text);
    const auto points = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
    utf8::append(code_point, text);
    if (static_cast<std::size_t>(points) < StyleTable::kMaxClusterPoints)
      now.glyph = names_.cluster_of(text, now.glyph, lines_);
  }
  write_glyph(touch(row), left, now, lines_.columns);
  return now.width;
}

void Grid::erase(Area area, PenId pen) {
  area = clamped(area, lines_.columns, lines_.rows);
  if (area.left == area.right) return;
  work_ += cells_in(area);
  if (full_width(area, lines_)) forget_below(area);
  for (int row = area.top; row < area.bottom; ++row) {
    if (pen == 0 && lines_.find(active_, row) == nullptr) continue;
    Row& cells = touch(row);
    const int right = std::min(area.right, columns(row));
    if (area.left < right) cells.blank(area.left, right, pen, lines_.columns);
    if (area.right == lines_.columns) cells.set_wrapped(false);
  }
  if (full_width(area, lines_) && area.top < area.bottom) unwrap_above(lines_, active_, area.top);
}

void Grid::erase_unguarded(Area area, PenId pen) {
  area = clamped(area, lines_.columns, lines_.rows);
  work_ += cells_in(area);
  for (int row = area.top; row < area.bottom; ++row) {
    touch(row).blank_unguarded(area.left, std::min(area.right, columns(row)), pen, lines_.columns);
  }
}

void Grid::fill(Area area, char32_t narrow, PenId pen, bool guarded) {
  area = clamped(area, lines_.columns, lines_.rows);
  work_ += cells_in(area);
  const Cell cell{narrow, pen, 1, static_cast<std::uint8_t>(guarded)};
  for (int row = area.top; row < area.bottom; ++row) {
    const int right = std::min(area.right, columns(row));
    if (area.left < right)
      std::fill_n(touch(row).prepare(area.left, right, pen, lines_.columns), right - area.left, cell);
  }
}

void Grid::insert_cells(Area area, int count, PenId pen) {
  area = clamped(area, lines_.columns, lines_.rows);
  work_ += cells_in(area);
  for (int row = area.top; row < area.bottom && count > 0; ++row) {
    touch(row).insert(area.left, std::min(area.right, columns(row)), count, pen, lines_.columns);
    if (area.right == lines_.columns) touch(row).set_wrapped(false);
  }
}

void Grid::delete_cells(Area area, int count, PenId pen) {
  area = clamped(area, lines_.columns, lines_.rows);
  work_ += cells_in(area);
  for (int row = area.top; row < area.bottom && count > 0; ++row) {
    touch(row).remove(area.left, std::min(area.right, columns(row)), count, pen, lines_.columns);
    if (area.right == lines_.columns) touch(row).set_wrapped(false);
  }
}

void Grid::scroll_up(Area area, int count, PenId pen) {
  move_up(clamped(area, lines_.columns, lines_.rows), count, pen, true);
}

void Grid::delete_lines(Area area, int count, PenId pen) {
  move_up(clamped(area, lines_.columns, lines_.rows), count, pen, false);
}

void Grid::move_up(Area area, int count, PenId pen, bool keep) {
  count = std::min(count, area.bottom - area.top);
  if (count <= 0 || area.left == area.right) return;
  forget_below(area);
  if (full_width(area, lines_)) {
    rotate_up(area, count, keep && area.top == 0 && active_ == Buffer::primary);
  } else {
    work_ += cells_in(area);
    shift_cells(lines_, active_, area, count);
  }
  if (pen != 0 || !full_width(area, lines_)) erase({area.bottom - count, area.left, area.bottom, area.right}, pen);
}

/// Reuses the rows that leave as the empty rows at the bottom.
void Grid::rotate_up(const Area& area, int count, bool keep) {
  if (!keep) unwrap_above(lines_, active_, area.top);
  touch(area.bottom - 1).set_wrapped(false);  // its continuation stays where it is
  for (int i = 0; i < count; ++i) {
    Row& leaving = touch(area.top + i);
    if (keep) lines_.scrollback.push(leaving.view(), lines_.columns);
    leaving.reset();
  }
  if (area.top == 0 && area.bottom == lines_.rows)
    return lines_.buffers[static_cast<std::size_t>(active_)].rotate(count);
  for (int row = area.top; row + count < area.bottom; ++row) std::swap(touch(row), touch(row + count));
}

void Grid::scroll_down(Area area, int count, PenId pen) {
  area = clamped(area, lines_.columns, lines_.rows);
  count = std::min(count, area.bottom - area.top);
  if (count <= 0 || area.left == area.right) return;
  if (!full_width(area, lines_)) {
    work_ += cells_in(area);
    shift_cells(lines_, active_, area, -count);
    return erase({area.top, area.left, area.top + count, area.right}, pen);
  }
  forget_below(area);
  unwrap_above(lines_, active_, area.top);
  for (int row = area.bottom - 1; row - count >= area.top; --row) std::swap(touch(row), touch(row - count));
  touch(area.bottom - 1).set_wrapped(false);
  for (int row = area.top; row < area.top + count; ++row) touch(row).reset();
  if (pen != 0) erase({area.top, area.left, area.top + count, area.right}, pen);
}

void Grid::copy(Area area, int row, int column) {
  area = clamped(area, lines_.columns, lines_.rows);
  const int width = std::min(area.right - area.left, lines_.columns - column);
  if (column < 0 || width <= 0 || row < 0) return;
  const int height = std::min(area.bottom - area.top, lines_.rows - row);
  work_ += cells_in({0, 0, std::max(height, 0), width});
  std::vector<Cell> copied;
  for (int i = 0; i < height; ++i) {
    const int line = row <= area.top ? i : height - 1 - i, to = row + line;
    auto cells = touch(area.top + line).part(area.left, width);
    // A row that is moved within itself cannot be read while it is written.
    if (row == area.top) {
      copied.assign(cells.begin(), cells.end());
      cells = copied;
    }
    const int count = std::min(width, columns(to) - column);
    if (count <= 0) continue;
    touch(to).take(cells.first(std::min(cells.size(), static_cast<std::size_t>(count))), count, column, lines_.columns);
  }
}

void Grid::forget_below(const Area& changed) {
  if (changed.bottom != lines_.rows || active_ != Buffer::primary || lines_.below.size() == 0) return;
  lines_.below.clear();
  touch(lines_.rows - 1).set_wrapped(false);
}

void Grid::join_to_above(int row) {
  if (columns(row) != lines_.columns) return;
  if (row > 0 && lines_.inside(row)) {
    touch(row - 1).set_wrapped(true);
  } else if (row == 0 && active_ == Buffer::primary) {
    lines_.scrollback.set_last_wrapped(true);
  }
}

void Grid::set_line_size(int row, LineSize size) {
  if (!lines_.inside(row)) return;
  Row& line = touch(row);
  line.set_size(size);
  if (size == LineSize::single) return;
  line.blank(lines_.columns / 2, lines_.columns, 0, lines_.columns);
  line.set_wrapped(false);
  unwrap_above(lines_, active_, row);
}

void Grid::clear_screens() {
  lines_.buffers = {};
  lines_.below.clear();
  lines_.scrollback.set_last_wrapped(false);
}

void Grid::clear() {
  clear_screens();
  clear_scrollback();
}

}  // namespace ptyd
