// NativeMoves: moves of the caret, and the scrolling that they cause.
#pragma once

#include <string_view>

#include "pty/screen/emulator_part.hpp"
#include "pty/screen/native/native_pens.hpp"

namespace ptyd {

/// Places are of the screen, rows and columns from 0; where a function says "from the origin", the margins move and
/// bound them in origin mode.
class NativeMoves final : private EmulatorPart {
 public:
  NativeMoves(Grid& grid, TerminalState& state, NativePens& pens) : EmulatorPart(grid, state), pens_(pens) {}

  /// Obeys BS, HT, LF, VT, FF, CR, SO and SI; other C0 controls are ignored.
  void control(char c);
  /// Obeys a run of controls, or the controls inside a sequence, which take effect before it.
  void controls_in(std::string_view bytes);

  /// Places the caret on the screen, whatever the margins.
  void place(int row, int column);
  /// Moves that count from the origin.
  void move_to(int row, int column);
  void to_row(int row);
  void to_column(int column);
  void by_rows(int count);
  void by_columns(int count);
  /// DECRC: to where it was saved, as far as the origin allows.
  void restore(const Caret& saved);

  void up(int count);
  void down(int count);
  void forward(int count);
  /// BS and CUB. With reverse wrap it goes on where before_first_column() says.
  void back(int count);
  void carriage_return();
  /// Moves down, or scrolls at the bottom margin. False where it can do neither.
  bool line_feed();
  void new_line();
  void reverse_index();

  /// In the last column the caret stays, and so does a pending wrap.
  void tab(int count);
  void back_tab(int count);
  void set_tab();
  /// TBC: 0 clears the stop at the caret, 3 all stops.
  void clear_tabs(int which);

 private:
  void scroll(int count);
  int relative_to_row() const { return state_.origin ? state_.top : 0; }
  int relative_to_column() const { return state_.origin ? state_.left : 0; }

  NativePens& pens_;
};

}  // namespace ptyd
