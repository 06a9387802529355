// Verbs on a TerminalState that both emulators share, since neither decides them on its own.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/grid.hpp"
#include "pty/screen/terminal_state.hpp"
#include "pty/types.hpp"

namespace ptyd {

struct Csi;
struct ModeRow;

TerminalState fresh_state(Size size);
/// DECSTR. It spares the caret's position, tab stops, the link, and modes that are not `soft`.
void softly_reset(TerminalState& state, Size size);
/// The pens that a state holds by value, and what is erased with them; for Grid::keep_pens.
std::vector<Pen> kept_pens(const TerminalState& state);
/// Of a pen only the background: how erased cells look.
Pen background_of(const Pen& pen);
/// Reflows the Grid and brings the state along: carets stay with their characters, margins become the whole screen.
void resize_terminal(Grid& grid, TerminalState& state, Size size);

/// Switches the mode's flag, where it has one. False when the mode is not obeyed now; else the emulator carries out its
/// further effects.
bool switch_flag(TerminalState& state, const ModeRow& row, bool on);
/// Further effects of a switch of the buffer, in this order; `erases_before` is on the buffer that is left.
struct BufferSwitch {
  bool saves_caret = false, erases_before = false, erases_after = false, restores_caret = false;
};
/// 47 only switches. 1047 erases when it leaves. 1049 saves the caret and erases when it enters, and restores the caret
/// when it leaves.
BufferSwitch buffer_switch(int mode, bool alternate, Buffer shown);

/// DECSC.
void save_caret(TerminalState& state, Buffer shown);
/// DECRC: all but the caret, whose saved place is returned. Where nothing was saved, all is as at the start.
Caret take_saved(TerminalState& state, Buffer shown);
/// SCS: `(` `)` `*` `+` and a final byte; false for other places. Sets that are not known are ASCII.
bool designate(Charsets& charsets, char place, char final);

/// Sets the margins to the whole screen.
void whole_margins(TerminalState& state, Size size);
/// DECSTBM. `top` and `bottom` count from 1; 0 is the edge. At least two rows, unless the screen has one. False when it
/// is ignored.
bool set_row_margins(TerminalState& state, Size size, int top, int bottom);
/// DECSLRM, likewise; at least two columns.
bool set_column_margins(TerminalState& state, Size size, int left, int right);
/// Area from which rows and columns of a program count and to which they are cut: the margins in origin mode, else the
/// screen.
Area origin_area(const TerminalState& state, Size size);
/// A place counted from the origin on the screen; in origin mode it is cut to the margins.
Place from_origin(const TerminalState& state, int row, int column);
/// A caret at the top left of what it may reach.
Caret caret_at_origin(const TerminalState& state);
/// Where BS goes from the first column in reverse wrap; nothing where it stays.
std::optional<Place> before_first_column(const TerminalState& state, const Grid& grid);
/// Top, left, bottom and right from parameter `first` on, counted from the origin; empty when they are crossed.
Area area_of(const Csi& csi, std::size_t first, const Area& within);
/// DECCRA: what is copied, cut to where it fits, and its corner there. There is one page: page numbers do not count.
struct AreaCopy {
  Area from;
  Place to;
};
AreaCopy area_copy(const Csi& csi, const Area& within);

/// Where text in the caret's row ends: at the margin, unless the caret is behind it.
inline int last_column(const TerminalState& state, const Grid& grid) {
  const int last = grid.columns(state.caret.row) - 1;
  return state.caret.column <= state.right ? std::min(last, state.right) : last;
}
/// Corrects the caret where it has come to a double line, or the margin at which it waited has gone.
void settle_caret(TerminalState& state, const Grid& grid);
/// Area that stays blank before `last` when a wide glyph does not fit and goes to the next row; nothing where it never
/// fits: it is dropped.
std::optional<Area> hole_before_wrap(const TerminalState& state, int last);

}  // namespace ptyd
