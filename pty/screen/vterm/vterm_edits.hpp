// VtermEdits: changes of cells other than by text.
#pragma once

#include "pty/screen/emulator_part.hpp"
#include "pty/screen/vterm/vterm_drawing.hpp"
#include "pty/screen/vterm/vterm_moves.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {

class VtermEdits final : private EmulatorPart {
 public:
  VtermEdits(Grid& grid, TerminalState& state, VtermDrawing& drawing, VtermMoves& moves)
      : EmulatorPart(grid, state), drawing_(drawing), moves_(moves) {}

  void erase_in(char final, const Csi& csi);
  void erase_screen();
  void erase_cells(int count);
  void across(char final, int count);
  void lines(char final, int count);
  void shift(int leftward);
  void index_columns(int rightward);
  void columns(char final, int count);
  void scroll_up(int count);
  void scroll_down(int count);
  void rectangle(const Csi& csi);

  void align();
  void set_line_size(LineSize size);
  void single_lines(int top, int bottom);
  /// Whether there may be lines that are not single.
  bool double_lines() const { return double_lines_; }
  void forget_double_lines() { double_lines_ = false; }

 private:
  VtermDrawing& drawing_;
  VtermMoves& moves_;
  bool double_lines_ = false;
};

}  // namespace ptyd
