#include "pty/screen/grid/line_moves.hpp"

#include <algorithm>
#include <cstdlib>

namespace ptyd {
namespace {

/// Takes wrap marks away where cells of `area` move past others that stay: from rows whose ends move, and from rows
/// whose continuations begin with moved cells.
void unwrap_moved(Lines& lines, Buffer buffer, const Area& area) {
  const bool begins = area.left == 0, ends = area.right == lines.columns;
  if (begins && area.top == 0 && buffer == Buffer::primary) lines.scrollback.set_last_wrapped(false);
  const int first = begins ? std::max(area.top - 1, 0) : area.top;
  const int end = ends ? area.bottom : area.bottom - 1;
  for (int row = first; row < end && (begins || ends); ++row) lines.touch(buffer, row).set_wrapped(false);
}

}  // namespace

void unwrap_above(Lines& lines, Buffer buffer, int row) {
  if (row > 0) {
    if (const Row* above = lines.find(buffer, row - 1); above != nullptr && above->wrapped())
      lines.touch(buffer, row - 1).set_wrapped(false);
  } else if (buffer == Buffer::primary) {
    lines.scrollback.set_last_wrapped(false);
  }
}

void shift_cells(Lines& lines, Buffer buffer, const Area& area, int count) {
  unwrap_moved(lines, buffer, area);
  const int height = area.bottom - area.top, width = area.right - area.left;
  for (int i = 0; i < height - std::abs(count); ++i) {
    const int to = count > 0 ? area.top + i : area.bottom - 1 - i;
    const auto cells = lines.touch(buffer, to + count).part(area.left, width);
    lines.touch(buffer, to).take(cells, width, area.left, lines.columns);
  }
}

}  // namespace ptyd
