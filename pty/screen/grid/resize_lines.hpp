// What is written in a terminal, at another size.
#pragma once

#include <span>

#include "pty/screen/grid/lines.hpp"

namespace ptyd {

/// A place that stays with its character when rows are reflowed. A column beyond the last one is the place behind it.
struct Place {
  int row = 0, column = 0;
};

/// Reflows the primary buffer with its scrollback, so that logical lines stay what they are; cuts or extends the
/// alternate one. `primary` and `alternate` are places to keep: of each the first, if any, stays on the screen.
void resize_lines(Lines& lines, int columns, int rows, std::span<Place> primary, std::span<Place> alternate);

}  // namespace ptyd
