#include "pty/screen/grid/reflow.hpp"

#include <algorithm>

namespace ptyd {
namespace {

constexpr Cell kBlankCell{};

/// Columns of a row that can be used; at least two, so that a wide glyph fits.
std::size_t usable(int columns, LineSize size) {
  return static_cast<std::size_t>(size == LineSize::single ? columns : std::max(columns / 2, 2));
}

}  // namespace

/// Columns of the rows that are written.
std::size_t Reflow::capacity() const {
  return usable(columns_, size_);
}

void Reflow::take(const Line& line, int columns) {
  if (!open_) size_ = line.size;
  settle_hole(&line);
  line.wrapped ? take_wrapped(line, columns) : take_last(line);
  ++row_in_;
}

void Reflow::take(const Scrollback& lines, std::size_t index) {
  const auto outline = lines.outline(index);
  if (!open_) size_ = outline.size;
  if (!open_ && !outline.wrapped && outline.cells <= capacity()) {
    out_.push_copy(lines, index, columns_);
    ++row_in_;
    return;
  }
  take(lines.read(index, space_), outline.columns);
}

void Reflow::finish() {
  settle_hole(nullptr);
  if (open_) flush(false);
  open_ = false;
}

/// Resolves anchors from `end` on, where nothing stands.
void Reflow::resolve_rest(int end) {
  for (Anchor& anchor : anchors_) {
    if (anchor.row_in != row_in_ || anchor.column_in < end) continue;
    anchor.row = out_.size();
    anchor.column = static_cast<int>(row_.size()) + anchor.column_in - end;
    if (anchor.column_in != end) anchor.column = std::min(anchor.column, columns_ - 1);
  }
}

/// Adds cells for which the row has room; the first of them stood in `column` of the row that is being taken.
void Reflow::emit(std::span<const Cell> cells, std::size_t column) {
  const auto from = static_cast<int>(column), end = from + static_cast<int>(cells.size());
  for (Anchor& anchor : anchors_) {
    if (anchor.row_in != row_in_ || anchor.column_in < from || anchor.column_in >= end) continue;
    anchor.row = out_.size();
    anchor.column = static_cast<int>(row_.size()) + anchor.column_in - from;
  }
  row_.insert(row_.end(), cells.begin(), cells.end());
}

void Reflow::flush(bool wrapped) {
  out_.push({row_, wrapped, size_}, columns_);
  row_.clear();
}

/// How many of `cells` the row has room for, whole glyphs.
std::size_t Reflow::fitting(std::span<const Cell> cells) const {
  const std::size_t room = capacity() - row_.size();
  if (cells.size() <= room) return cells.size();
  return room > 0 && cells[room - 1].width == 2 ? room - 1 : room;
}

void Reflow::take_cells(std::span<const Cell> cells, std::size_t column) {
  while (!cells.empty()) {
    if (row_.size() == capacity()) flush(true);
    const std::size_t fit = fitting(cells);
    if (fit == 0) row_.push_back({});
    emit(cells.first(fit), column);
    cells = cells.subspan(fit);
    column += fit;
  }
}

/// Holds a blank in the last column back until the next row shows whether a wide glyph left it.
void Reflow::take_wrapped(const Line& line, int columns) {
  const std::size_t full = usable(columns, line.size);
  const Cell last = line.cells.size() >= full ? line.cells[full - 1] : Cell{};
  hole_ = last.glyph == 0 && last.width == 1;
  held_ = last;
  const std::size_t end = hole_ ? full - 1 : full, written = std::min(line.cells.size(), end);
  take_cells(line.cells.first(written), 0);
  for (std::size_t column = written; column < end; ++column) take_cells({&kBlankCell, 1}, column);
  resolve_rest(static_cast<int>(end));
  open_ = true;
}

/// Decides on the blank that was held back. `next` is null where no row follows.
void Reflow::settle_hole(const Line* next) {
  if (!hole_) return;
  hole_ = false;
  if (next != nullptr && !next->cells.empty() && next->cells[0].width == 2) return;
  if (row_.size() == capacity()) flush(true);
  row_.push_back(held_);
}

void Reflow::take_last(const Line& line) {
  const auto is_text = [](const Cell& cell) { return cell.glyph != 0 || cell.width != 1; };
  const auto text = static_cast<std::size_t>(std::find_if(line.cells.rbegin(), line.cells.rend(), is_text).base() -
                                             line.cells.begin());
  take_cells(line.cells.first(text), 0);
  const std::size_t end = std::min(line.cells.size(), text + capacity() - row_.size());
  emit(line.cells.subspan(text, end - text), text);
  resolve_rest(static_cast<int>(end));
  flush(false);
  open_ = false;
}

}  // namespace ptyd
