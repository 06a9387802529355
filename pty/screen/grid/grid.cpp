#include "pty/screen/grid/grid.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

constexpr Cell kBlank{};

}  // namespace

Grid::Grid(Size size, std::size_t max_scrollback)
    : columns_(std::clamp<int>(size.cols, kMinColumns, kMaxColumns)),
      rows_(std::clamp<int>(size.rows, kMinRows, kMaxRows)),
      scrollback_(max_scrollback) {}

Line Grid::line(Buffer buffer, int row) const {
  const Row* found = find(buffer, row);
  return found == nullptr ? Line{} : found->view();
}

const Cell& Grid::cell(int row, int column) const {
  const Row* found = find(active_, row);
  return found == nullptr || column < 0 || column >= columns_ ? kBlank : found->at(column);
}

GlyphBefore Grid::glyph_before(int row, int column) const {
  if (column <= 0) return {};
  const Cell* left = &cell(row, column - 1);
  if (left->width == 0) left = &cell(row, column - 2);
  if (left->glyph == 0) return {U' ', U' ', 1, true};
  return {looks_.first_code_point(left->glyph), looks_.last_code_point(left->glyph), left->width,
          (left->glyph & Cell::kCluster) == 0};
}

Area Grid::clamped(Area area) const {
  area.top = std::clamp(area.top, 0, rows_);
  area.bottom = std::clamp(area.bottom, area.top, rows_);
  area.left = std::clamp(area.left, 0, columns_);
  area.right = std::clamp(area.right, area.left, columns_);
  return area;
}

void Grid::put(int row, int column, char32_t code_point, int width, PenId pen, bool guarded) {
  const int columns = width == 2 ? 2 : 1;
  if (!inside(row) || column < 0 || column + columns > columns_) return;
  write_glyph(touch(row), column,
              {code_point, pen, static_cast<std::uint8_t>(columns), static_cast<std::uint8_t>(guarded)});
}

void Grid::put_cells(int row, int column, std::span<const Cell> cells) {
  if (!inside(row) || column < 0) return;
  touch(row).take(cells.data(), std::min(static_cast<int>(cells.size()), columns_ - column), column, columns_);
}

void Grid::write_glyph(Row& row, int column, const Cell& cell) {
  Cell* const cells = row.prepare(column, column + cell.width, cell.pen, columns_);
  cells[0] = cell;
  if (cell.width == 2) cells[1] = {0, cell.pen, 0, cell.guarded};
}

int Grid::add_to_glyph(int row, int column, char32_t code_point, int width) {
  if (!inside(row) || column < 1 || column > columns_) return 0;
  int left = column - 1;
  if (cell(row, left).width == 0) --left;
  Cell now = cell(row, left);
  if (width == 2 && left + 2 <= columns_) now.width = 2;
  if (now.glyph == 0) {
    // Of a blank only the background counts.
    Pen look;
    look.background = pen(now.pen).background;
    now.pen = pen_id(look);
    now.glyph = code_point;
  } else {
    std::string text;
    looks_.append_text(now, text);
    const auto points = std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
    utf8::append(code_point, text);
    if (static_cast<std::size_t>(points) < Looks::kMaxClusterPoints) now.glyph = cluster_of(text, now.glyph);
  }
  write_glyph(touch(row), left, now);
  return now.width;
}

void Grid::erase(Area area, PenId pen) {
  area = clamped(area);
  if (area.left == area.right) return;
  if (full_width(area)) forget_below(area);
  for (int row = area.top; row < area.bottom; ++row) {
    if (pen == 0 && find(active_, row) == nullptr) continue;
    Row& cells = touch(row);
    const int right = std::min(area.right, columns(row));
    if (area.left < right) cells.blank(area.left, right, pen, columns_);
    if (area.right == columns_) cells.set_wrapped(false);
  }
  if (full_width(area) && area.top < area.bottom) unwrap_above(area.top);
}

void Grid::erase_unguarded(Area area, PenId pen) {
  area = clamped(area);
  for (int row = area.top; row < area.bottom; ++row) {
    touch(row).blank_unguarded(area.left, std::min(area.right, columns(row)), pen, columns_);
  }
}

void Grid::fill(Area area, char32_t narrow, PenId pen, bool guarded) {
  area = clamped(area);
  const Cell cell{narrow, pen, 1, static_cast<std::uint8_t>(guarded)};
  for (int row = area.top; row < area.bottom; ++row) {
    const int right = std::min(area.right, columns(row));
    if (area.left < right) std::fill_n(touch(row).prepare(area.left, right, pen, columns_), right - area.left, cell);
  }
}

void Grid::insert_cells(Area area, int count, PenId pen) {
  area = clamped(area);
  for (int row = area.top; row < area.bottom && count > 0; ++row) {
    touch(row).insert(area.left, std::min(area.right, columns(row)), count, pen, columns_);
    if (area.right == columns_) touch(row).set_wrapped(false);
  }
}

void Grid::delete_cells(Area area, int count, PenId pen) {
  area = clamped(area);
  for (int row = area.top; row < area.bottom && count > 0; ++row) {
    touch(row).remove(area.left, std::min(area.right, columns(row)), count, pen, columns_);
    if (area.right == columns_) touch(row).set_wrapped(false);
  }
}

void Grid::scroll_up(Area area, int count, PenId pen) {
  move_up(clamped(area), count, pen, true);
}

void Grid::delete_lines(Area area, int count, PenId pen) {
  move_up(clamped(area), count, pen, false);
}

void Grid::move_up(Area area, int count, PenId pen, bool keep) {
  count = std::min(count, area.bottom - area.top);
  if (count <= 0 || area.left == area.right) return;
  forget_below(area);
  if (full_width(area)) {
    rotate_up(area, count, keep && area.top == 0 && active_ == Buffer::primary);
  } else {
    shift_cells(area, count);
  }
  if (pen != 0 || !full_width(area)) erase({area.bottom - count, area.left, area.bottom, area.right}, pen);
}

/// The rows that leave become the empty ones at the bottom.
void Grid::rotate_up(const Area& area, int count, bool keep) {
  if (!keep) unwrap_above(area.top);
  for (int i = 0; i < count; ++i) {
    Row& leaving = touch(area.top + i);
    if (keep) {
      scrollback_.push(leaving.view());
      ++scrolled_out_;
    }
    leaving.reset();
  }
  if (area.top == 0 && area.bottom == rows_) {
    Rows& ring = rows();
    ring.first = (ring.first + static_cast<std::size_t>(count)) % ring.ring.size();
    return;
  }
  for (int row = area.top; row + count < area.bottom; ++row) std::swap(touch(row), touch(row + count));
}

/// Moves what is between left and right margins up (`count` > 0) or down; what becomes free is left as it was.
void Grid::shift_cells(const Area& area, int count) {
  const int height = area.bottom - area.top, width = area.right - area.left;
  std::vector<Cell> moved(static_cast<std::size_t>(width));
  for (int i = 0; i < height - std::abs(count); ++i) {
    const int to = count > 0 ? area.top + i : area.bottom - 1 - i;
    const Row& from = touch(to + count);
    for (int column = 0; column < width; ++column)
      moved[static_cast<std::size_t>(column)] = from.at(area.left + column);
    touch(to).take(moved.data(), width, area.left, columns_);
  }
}

void Grid::scroll_down(Area area, int count, PenId pen) {
  area = clamped(area);
  count = std::min(count, area.bottom - area.top);
  if (count <= 0 || area.left == area.right) return;
  if (!full_width(area)) {
    shift_cells(area, -count);
    return erase({area.top, area.left, area.top + count, area.right}, pen);
  }
  forget_below(area);
  unwrap_above(area.top);
  for (int row = area.bottom - 1; row - count >= area.top; --row) std::swap(touch(row), touch(row - count));
  touch(area.bottom - 1).set_wrapped(false);
  for (int row = area.top; row < area.top + count; ++row) touch(row).reset();
  if (pen != 0) erase({area.top, area.left, area.top + count, area.right}, pen);
}

void Grid::copy(Area area, int row, int column) {
  area = clamped(area);
  const int width = std::min(area.right - area.left, columns_ - column);
  if (column < 0 || width <= 0 || row < 0) return;
  const int height = std::min(area.bottom - area.top, rows_ - row);
  std::vector<Cell> copied(static_cast<std::size_t>(width));
  for (int i = 0; i < height; ++i) {
    const int line = row <= area.top ? i : height - 1 - i;
    for (int at = 0; at < width; ++at) copied[static_cast<std::size_t>(at)] = cell(area.top + line, area.left + at);
    touch(row + line).take(copied.data(), std::min(width, columns(row + line) - column), column, columns_);
  }
}

void Grid::forget_below(const Area& changed) {
  if (changed.bottom == rows_ && active_ == Buffer::primary) below_.clear();
}

void Grid::unwrap_above(int row) {
  if (row > 0) {
    if (const Row* above = find(active_, row - 1); above != nullptr && above->wrapped())
      touch(row - 1).set_wrapped(false);
  } else if (active_ == Buffer::primary) {
    scrollback_.set_last_wrapped(false);
  }
}

void Grid::join_to_above(int row) {
  if (columns(row) != columns_) return;
  if (row > 0 && inside(row)) {
    touch(row - 1).set_wrapped(true);
  } else if (row == 0 && active_ == Buffer::primary) {
    scrollback_.set_last_wrapped(true);
  }
}

void Grid::set_line_size(int row, LineSize size) {
  if (!inside(row)) return;
  Row& line = touch(row);
  line.set_size(size);
  if (size == LineSize::single) return;
  line.blank(columns_ / 2, columns_, 0, columns_);
  line.set_wrapped(false);
  unwrap_above(row);
}

void Grid::clear_scrollback() {
  scrollback_.clear();
}

void Grid::clear_screens() {
  buffers_ = {};
  below_.clear();
}

void Grid::clear() {
  clear_screens();
  clear_scrollback();
}

}  // namespace ptyd
