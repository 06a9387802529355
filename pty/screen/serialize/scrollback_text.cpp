#include "pty/screen/serialize/scrollback_text.hpp"

#include <utility>

#include "pty/screen/serialize/line_writer.hpp"

namespace ptyd {

ScrollbackText::ScrollbackText(const Grid& grid, LinkBudget& links, Room room)
    : grid_(grid), links_(links), room_(room) {
  kept_.begin = grid.scrollback_end();
  if (kept_.begin > 0) above_ = grid.scrollback_line(kept_.begin - 1, space_[0]);
}

bool ScrollbackText::fits(const Extent& extent) const {
  return extent.bytes + (extent.saves_caret ? room_.for_saved_caret : 0) <= room_.bytes;
}

/// Draws the row above `extent`, which takes it in; whether it still fits.
bool ScrollbackText::add_row(Extent& extent) {
  const Line line = above_;
  std::swap(space_[0], space_[1]);
  --extent.begin;
  above_ = extent.begin > 0 ? grid_.scrollback_line(extent.begin - 1, space_[0]) : Line{};
  std::string& text = pieces_.emplace_back();
  LineWriter writer(grid_, text, &links_);
  writer.write(line, above_.wrapped, line.wrapped);
  if (!line.wrapped) text += "\r\n";
  ++extent.pieces;
  extent.bytes += text.size();
  extent.saves_caret = extent.saves_caret || writer.saved_caret();
  return fits(extent);
}

std::size_t ScrollbackText::add_rows(std::size_t rows) {
  std::size_t added = 0;
  for (Extent more = kept_; added < rows && more.begin > 0 && add_row(more); ++added) kept_ = more;
  return added;
}

std::uint64_t ScrollbackText::add_lines(std::uint64_t lines, bool cuts) {
  std::uint64_t added = 0;
  Extent fitting = kept_, more = kept_;
  while (added < lines && more.begin > 0 && add_row(more)) {
    fitting = more;
    if (above_.wrapped) continue;
    kept_ = more;
    ++added;
  }
  if (!cuts || added > 0 || fitting.pieces == kept_.pieces) return added;
  kept_ = fitting;
  return 1;
}

void ScrollbackText::append_to(std::string& text) const {
  for (std::size_t i = kept_.pieces; i-- > 0;) text += pieces_[i];
}

bool ScrollbackText::move_rows(std::size_t rows, std::string& text) {
  for (; rows > 0 && kept_.pieces > 0; --rows) text += std::exchange(pieces_[--kept_.pieces], {});
  return kept_.pieces > 0;
}

}  // namespace ptyd
