// Row: the cells of one row of a screen, and what happens inside one row.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "pty/screen/grid/ascii_cells.hpp"
#include "pty/screen/grid/cell.hpp"

namespace ptyd {

/// One row. Takes memory when it is first written, and looks only at what was written since it was last empty.
///
/// Order   halves of a wide glyph always stand side by side: overwriting one half blanks the other, here, in the pen of
///         what is written, as xterm.js does.
/// Units   columns from 0, ends exclusive; the caller keeps them within `columns`, the same in every call.
class Row {
 public:
  Line view() const { return {{cells_.get(), used_}, wrapped_, size_}; }
  bool wrapped() const { return wrapped_; }
  void set_wrapped(bool wrapped) { wrapped_ = wrapped; }
  LineSize size() const { return size_; }
  void set_size(LineSize size) { size_ = size; }
  const Cell& at(int column) const;

  /// Empty, single and not wrapped; memory stays for what is written next.
  void reset();
  /// The cells from `from` to `end`, which the caller writes now, all of them, with `pen`.
  Cell* prepare(int from, int end, PenId pen, int columns) { return prepare(from, end, pen, pen, columns); }
  void put_ascii(int from, std::string_view text, PenId pen, bool guarded, int columns);
  void blank(int from, int end, PenId pen, int columns);
  /// As blank, sparing guarded cells.
  void blank_unguarded(int from, int end, PenId pen, int columns);
  /// Moves cells from `from` on to the right within `end`; what is pushed over it is lost.
  void insert(int from, int end, int count, PenId pen, int columns);
  /// Takes out cells from `from` on; those before `end` move up.
  void remove(int from, int end, int count, PenId pen, int columns);
  /// The written ones of the `count` cells from `from` on; further cells are default blanks. Valid until the row
  /// changes.
  std::span<const Cell> part(int from, int count) const;
  /// Takes over `count` cells of another row (or of a copy of this one), of which part() gave `cells`, cutting wide
  /// glyphs at both ends.
  void take(std::span<const Cell> cells, int count, int from, int columns);
  void take(const Cell* cells, int count, int from, int columns);

 private:
  void allocate(int columns);
  Cell* prepare(int from, int end, PenId before, PenId behind, int columns);
  void split(int at, PenId pen);
  void blank_halves(int at, PenId pen);

  std::unique_ptr<Cell[]> cells_;
  std::uint16_t used_ = 0;  // cells beyond are default blanks, whatever their memory holds
  bool wrapped_ = false;
  LineSize size_ = LineSize::single;
};

/// Blanks a wide glyph that stands on both sides of the border before `at`.
inline void Row::split(int at, PenId pen) {
  if (at < used_ && cells_[static_cast<std::size_t>(at)].width == 0) blank_halves(at, pen);
}

/// Half a glyph that loses its other half is a blank with the pen `before` the cells, or the one `behind` them.
inline Cell* Row::prepare(int from, int end, PenId before, PenId behind, int columns) {
  if (!cells_) allocate(columns);
  if (from > used_) {
    std::fill(cells_.get() + used_, cells_.get() + from, Cell{});
  } else {
    split(from, before);
  }
  split(end, behind);
  used_ = std::max(used_, static_cast<std::uint16_t>(end));
  return cells_.get() + from;
}

inline void Row::put_ascii(int from, std::string_view text, PenId pen, bool guarded, int columns) {
  Cell* cells = prepare(from, from + static_cast<int>(text.size()), pen, columns);
  ascii_cells::widen(text.data(), text.size(), {0, pen, 1, static_cast<std::uint8_t>(guarded)}, cells);
}

}  // namespace ptyd
