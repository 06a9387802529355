// NativeEdits: changes of cells other than by text.
#pragma once

#include "pty/screen/emulator_part.hpp"
#include "pty/screen/native/native_moves.hpp"
#include "pty/screen/native/native_pens.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {

/// Erases, shifts, copies and fills. `unguarded`: cells that DECSCA guards are spared. Freed cells get the pen's
/// background.
class NativeEdits final : private EmulatorPart {
 public:
  NativeEdits(Grid& grid, TerminalState& state, NativePens& pens, NativeMoves& moves)
      : EmulatorPart(grid, state), pens_(pens), moves_(moves) {}

  /// 0 from the caret on, 1 up to it, 2 everything, 3 the scrollback. Rows that are erased whole become single.
  void erase_display(int what, bool unguarded);
  void erase_line(int what, bool unguarded);
  void erase_cells(int count);
  void insert_cells(int count);
  void delete_cells(int count);
  void insert_lines(int count);
  void delete_lines(int count);
  void scroll_up(int count);
  void scroll_down(int count);
  /// SL, SR, and DECBI and DECFI at the margins.
  void shift_columns(int leftward);
  void insert_columns(int count);
  void delete_columns(int count);

  // Rectangles, whose places count from the origin.
  void copy_area(const Csi& csi);
  void fill_area(const Csi& csi);
  void erase_area(const Csi& csi, bool unguarded);

  /// DECDHL, DECSWL, DECDWL. With left and right margins lines are single.
  void set_line_size(LineSize size);
  void single_lines(int top, int bottom);
  /// DECALN.
  void align();

 private:
  void erase(const Area& area, bool unguarded);
  Area origin() const { return origin_area(state_, grid_.size()); }

  NativePens& pens_;
  NativeMoves& moves_;
};

}  // namespace ptyd
