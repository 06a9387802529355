#include "pty/screen/row.hpp"

#include <algorithm>
#include <cstring>

namespace ptyd {
namespace {

constexpr Cell kBlank{};

void make_blank(Cell& cell) {
  cell = {0, cell.pen, 1, 0};
}

}  // namespace

const Cell& Row::at(int column) const {
  return column < used_ ? cells_[static_cast<std::size_t>(column)] : kBlank;
}

void Row::reset() {
  used_ = 0;
  wrapped_ = false;
  size_ = LineSize::single;
}

void Row::allocate(int columns) {
  cells_ = std::make_unique<Cell[]>(static_cast<std::size_t>(columns));
}

void Row::blank_halves(int at) {
  make_blank(cells_[static_cast<std::size_t>(at)]);
  if (at > 0) make_blank(cells_[static_cast<std::size_t>(at - 1)]);
}

void Row::blank(int from, int end, PenId pen, int columns) {
  if (from >= end) return;
  if (pen == 0 && end >= used_) {
    if (from >= used_) return;
    split(from);
    used_ = static_cast<std::uint16_t>(from);
    return;
  }
  std::fill_n(prepare(from, end, columns), end - from, Cell{0, pen, 1, 0});
}

void Row::blank_unguarded(int from, int end, PenId pen, int columns) {
  for (int column = from; column < end; ++column)
    if (at(column).guarded == 0) blank(column, column + 1, pen, columns);
}

/// After cells were moved into [from, end): half a glyph at either end has lost its other half.
void Row::repair_ends(int from, int end) {
  if (from >= end) return;
  Cell& first = cells_[static_cast<std::size_t>(from)];
  Cell& last = cells_[static_cast<std::size_t>(end - 1)];
  if (first.width == 0) make_blank(first);
  if (last.width == 2) make_blank(last);
}

void Row::insert(int from, int end, int count, PenId pen, int columns) {
  if (from >= end) return;
  const int filled = std::max<int>(used_, from);
  Cell* cells = prepare(from, end, columns);
  if (filled < end) std::fill(cells_.get() + filled, cells_.get() + end, kBlank);
  count = std::min(count, end - from);
  std::move_backward(cells, cells + (end - from - count), cells + (end - from));
  repair_ends(from + count, end);
  std::fill_n(cells, count, Cell{0, pen, 1, 0});
}

void Row::remove(int from, int end, int count, PenId pen, int columns) {
  if (from >= end) return;
  const int filled = std::max<int>(used_, from);
  Cell* cells = prepare(from, end, columns);
  if (filled < end) std::fill(cells_.get() + filled, cells_.get() + end, kBlank);
  count = std::min(count, end - from);
  std::move(cells + count, cells + (end - from), cells);
  repair_ends(from, end - count);
  std::fill_n(cells + (end - from - count), count, Cell{0, pen, 1, 0});
}

void Row::take(const Cell* cells, int count, int from, int columns) {
  if (count <= 0) return;
  std::memcpy(static_cast<void*>(prepare(from, from + count, columns)), cells,
              static_cast<std::size_t>(count) * sizeof(Cell));
  repair_ends(from, from + count);
}

}  // namespace ptyd
