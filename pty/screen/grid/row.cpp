#include "pty/screen/grid/row.hpp"

#include <algorithm>
#include <cstring>

namespace ptyd {
namespace {

constexpr Cell kBlank{};

Cell blank_of(PenId pen) {
  return {0, pen, 1, 0};
}

/// Blanks half a glyph at either end of cells that were moved, since it has lost its other half.
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
  const auto guarded = [](const Cell& cell) { return cell.guarded != 0; };
  while (from < end) {
    const auto written = part(from, end - from);
    const auto stop = std::find_if(written.begin(), written.end(), guarded);
    const auto free = static_cast<int>(stop - written.begin());
    // Cells that are not written are not guarded.
    if (stop == written.end()) return blank(from, end, pen, columns);
    const auto next = from + static_cast<int>(std::find_if_not(stop, written.end(), guarded) - written.begin());
    blank(from, from + free, pen, columns);
    from = next;
  }
}

void Row::insert(int from, int end, int count, PenId pen, int columns) {
  if (from >= end || (pen == 0 && from >= used_)) return;
  const int filled = std::max<int>(used_, from);
  Cell* cells = prepare(from, end, pen, columns);
  if (filled < end) std::fill(cells_.get() + filled, cells_.get() + end, kBlank);
  count = std::min(count, end - from);
  std::move_backward(cells, cells + (end - from - count), cells + (end - from));
  repair_ends({cells + count, cells + (end - from)}, blank_of(pen));
  std::fill_n(cells, count, blank_of(pen));
}

void Row::remove(int from, int end, int count, PenId pen, int columns) {
  if (from >= end || (pen == 0 && from >= used_)) return;
  const int filled = std::max<int>(used_, from);
  Cell* cells = prepare(from, end, pen, columns);
  if (filled < end) std::fill(cells_.get() + filled, cells_.get() + end, kBlank);
  count = std::min(count, end - from);
  std::move(cells + count, cells + (end - from), cells);
  repair_ends({cells, cells + (end - from - count)}, blank_of(pen));
  std::fill_n(cells + (end - from - count), count, blank_of(pen));
}

std::span<const Cell> Row::part(int from, int count) const {
  const int end = std::min<int>(from + count, used_);
  return end <= from ? std::span<const Cell>() : std::span<const Cell>(cells_.get() + from, cells_.get() + end);
}

void Row::take(const Cell* cells, int count, int from, int columns) {
  if (count <= 0) return;
  Cell* into = prepare(from, from + count, cells[0].pen, cells[count - 1].pen, columns);
  std::memcpy(static_cast<void*>(into), cells, static_cast<std::size_t>(count) * sizeof(Cell));
  if (into->width == 0) *into = blank_of(into->pen);
  Cell& last = into[count - 1];
  if (last.width == 2) last = blank_of(last.pen);
}

void Row::take(std::span<const Cell> cells, int count, int from, int columns) {
  if (static_cast<int>(cells.size()) == count) return take(cells.data(), count, from, columns);
  if (cells.empty() && from >= used_) return;
  Cell* into = prepare(from, from + count, cells.empty() ? PenId{0} : cells.front().pen, 0, columns);
  std::fill(std::copy(cells.begin(), cells.end(), into), into + count, kBlank);
  if (into->width == 0) *into = blank_of(into->pen);
}

}  // namespace ptyd
