#include "pty/screen/grid/row.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace ptyd {
namespace {

constexpr Cell kBlank{};

Cell blank_of(PenId pen) {
  return {0, pen, 1, 0};
}

/// After cells were moved here: half a glyph at either end has lost its other half.
void repair_ends(std::span<Cell> moved, Cell torn) {
  if (moved.empty()) return;
  if (moved.front().width == 0) moved.front() = torn;
  if (moved.back().width == 2) moved.back() = torn;
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

void Row::blank_halves(int at, PenId pen) {
  cells_[static_cast<std::size_t>(at)] = blank_of(pen);
  if (at > 0) cells_[static_cast<std::size_t>(at - 1)] = blank_of(pen);
}

void Row::blank(int from, int end, PenId pen, int columns) {
  if (from >= end) return;
  if (pen == 0 && end >= used_) {
    if (from >= used_) return;
    split(from, pen);
    used_ = static_cast<std::uint16_t>(from);
    return;
  }
  std::fill_n(prepare(from, end, pen, columns), end - from, blank_of(pen));
}

void Row::blank_unguarded(int from, int end, PenId pen, int columns) {
  for (int column = from; column < end; ++column)
    if (at(column).guarded == 0) blank(column, column + 1, pen, columns);
}

void Row::insert(int from, int end, int count, PenId pen, int columns) {
  if (from >= end) return;
  const int filled = std::max<int>(used_, from);
  Cell* cells = prepare(from, end, pen, columns);
  if (filled < end) std::fill(cells_.get() + filled, cells_.get() + end, kBlank);
  count = std::min(count, end - from);
  std::move_backward(cells, cells + (end - from - count), cells + (end - from));
  repair_ends({cells + count, cells + (end - from)}, blank_of(pen));
  std::fill_n(cells, count, blank_of(pen));
}

void Row::remove(int from, int end, int count, PenId pen, int columns) {
  if (from >= end) return;
  const int filled = std::max<int>(used_, from);
  Cell* cells = prepare(from, end, pen, columns);
  if (filled < end) std::fill(cells_.get() + filled, cells_.get() + end, kBlank);
  count = std::min(count, end - from);
  std::move(cells + count, cells + (end - from), cells);
  repair_ends({cells, cells + (end - from - count)}, blank_of(pen));
  std::fill_n(cells + (end - from - count), count, blank_of(pen));
}

void Row::take(const Cell* cells, int count, int from, int columns) {
  if (count <= 0) return;
  const int end = from + count;
  Cell* into = prepare(from, end, cells[0].pen, cells[count - 1].pen, columns);
  std::memcpy(static_cast<void*>(into), cells, static_cast<std::size_t>(count) * sizeof(Cell));
  if (into->width == 0) *into = blank_of(into->pen);
  Cell& last = into[count - 1];
  if (last.width == 2) last = blank_of(last.pen);
}

}  // namespace ptyd
