#include "pty/screen/grid/reflow.hpp"

#include <algorithm>

namespace ptyd {

/// Columns of a row out. A wide glyph must fit anywhere.
std::size_t Reflow::capacity() const {
  return static_cast<std::size_t>(size_ == LineSize::single ? columns_ : std::max(columns_ / 2, 2));
}

void Reflow::take(const Line& line) {
  if (!open_) size_ = line.size;
  settle_hole(line);
  line.wrapped ? take_wrapped(line) : take_last(line);
  ++row_in_;
}

void Reflow::take(const Scrollback& lines, std::size_t index) {
  const auto outline = lines.outline(index);
  if (!open_) size_ = outline.size;
  if (!open_ && !outline.wrapped && outline.cells <= capacity()) {
    out_.push_copy(lines, index);
    ++row_in_;
    return;
  }
  take(lines.read(index, space_));
}

void Reflow::finish() {
  if (hole_) emit(held_);
  hole_ = false;
  if (open_) flush(false);
  open_ = false;
}

/// What stands in `column` of the row that is being taken comes to stand here.
void Reflow::resolve(int column) {
  for (Anchor& anchor : anchors_) {
    if (anchor.row_in != row_in_ || anchor.column_in != column) continue;
    anchor.row = out_.size();
    anchor.column = static_cast<int>(row_.size());
  }
}

/// Places from `end` on: nothing stands there.
void Reflow::resolve_rest(int end) {
  for (Anchor& anchor : anchors_) {
    if (anchor.row_in != row_in_ || anchor.column_in < end) continue;
    anchor.row = out_.size();
    anchor.column = static_cast<int>(row_.size()) + anchor.column_in - end;
    if (anchor.column_in != end) anchor.column = std::min(anchor.column, columns_ - 1);
  }
}

void Reflow::emit(const Cell& cell) {
  row_.push_back(cell);
}

void Reflow::flush(bool wrapped) {
  out_.push({row_, wrapped, size_});
  row_.clear();
}

void Reflow::take_cells(const Line& line, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Cell cell = i < line.cells.size() ? line.cells[i] : Cell{};
    if (row_.size() == capacity()) flush(true);
    if (cell.width == 2 && row_.size() + 2 > capacity()) {
      row_.push_back({});
      flush(true);
    }
    if (!anchors_.empty()) resolve(static_cast<int>(i));
    emit(cell);
  }
}

/// A blank in the last column is kept back until the next row tells what it was.
void Reflow::take_wrapped(const Line& line) {
  const auto full = static_cast<std::size_t>(columns_in_);
  const Cell last = line.cells.size() >= full ? line.cells[full - 1] : Cell{};
  hole_ = last.glyph == 0 && last.width == 1;
  held_ = last;
  take_cells(line, hole_ ? full - 1 : full);
  resolve_rest(static_cast<int>(hole_ ? full - 1 : full));
  open_ = true;
}

void Reflow::settle_hole(const Line& next) {
  if (!hole_) return;
  hole_ = false;
  if (!next.cells.empty() && next.cells[0].width == 2) return;
  if (row_.size() == capacity()) flush(true);
  emit(held_);
}

void Reflow::take_last(const Line& line) {
  const auto is_text = [](const Cell& cell) { return cell.glyph != 0 || cell.width != 1; };
  const auto text = static_cast<std::size_t>(std::find_if(line.cells.rbegin(), line.cells.rend(), is_text).base() -
                                             line.cells.begin());
  take_cells(line, text);
  std::size_t end = text;
  for (; end < line.cells.size() && row_.size() < capacity(); ++end) {
    resolve(static_cast<int>(end));
    emit(line.cells[end]);
  }
  resolve_rest(static_cast<int>(end));
  flush(false);
  open_ = false;
}

}  // namespace ptyd
