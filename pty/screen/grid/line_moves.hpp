// Line moves: the effect on wrap marks when rows, or parts of them, move.
#pragma once

#include "pty/screen/grid/area.hpp"
#include "pty/screen/grid/lines.hpp"

namespace ptyd {

/// The row above `row` goes on in it no more; above row 0 of the primary buffer that is the scrollback's last.
void unwrap_above(Lines& lines, Buffer buffer, int row);
/// Moves what is between left and right margins up (`count` > 0) or down; what becomes free is left as it was. Rows
/// whose ends are among what moved, or where these go on, go on no more.
void shift_cells(Lines& lines, Buffer buffer, const Area& area, int count);

}  // namespace ptyd
