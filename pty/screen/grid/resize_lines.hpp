// Resizing: lays the lines of a terminal out at another size.
#pragma once

#include <cstddef>
#include <span>

#include "pty/screen/grid/lines.hpp"

namespace ptyd {

/// A place that stays with its character when rows are reflowed. A column beyond the last one is the place behind it.
struct Place {
  int row = 0, column = 0;
};

/// Reflows the primary buffer, with as much of its scrollback as may come to the screen, so that logical lines stay
/// what they are; cuts or extends the alternate one. The rest of the scrollback waits until it is asked for: a window
/// that is dragged resizes a hundred times. `primary` and `alternate` are places to keep: of each the first, if any,
/// stays on the screen. Returns how many cells were laid out.
std::size_t resize_lines(Lines& lines, int columns, int rows, std::span<Place> primary, std::span<Place> alternate);

/// Cells of the last `count` lines of the scrollback that stand in rows of another width; an empty row counts as one.
std::size_t cells_to_lay_out(const Lines& lines, std::size_t count);
/// Lays these lines out in rows of the present width. Stops after the newest whole lines that have `cells` cells; one
/// line at least.
void lay_out_scrollback(const Lines& lines, std::size_t count, std::size_t cells = Scrollback::kUnbounded);

}  // namespace ptyd
