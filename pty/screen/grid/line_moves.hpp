// Line moves: the effect on wrap marks when rows, or parts of them, move.
#pragma once

#include "pty/screen/grid/area.hpp"
#include "pty/screen/grid/lines.hpp"

namespace ptyd {

/// Takes the wrap mark from the row above `row`: above row 0 of the primary buffer, from the last row of the
/// scrollback.
void unwrap_above(Lines& lines, Buffer buffer, int row);
/// Moves the cells of `area` up (`count` > 0) or down; rows that become free keep their cells. Takes the wrap mark from
/// rows whose ends moved, and from rows whose continuations begin with moved cells.
void shift_cells(Lines& lines, Buffer buffer, const Area& area, int count);

}  // namespace ptyd
