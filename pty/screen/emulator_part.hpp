// EmulatorPart: what every part of an emulator works on.
#pragma once

#include "pty/screen/grid/grid.hpp"
#include "pty/screen/terminal_state.hpp"

namespace ptyd {

/// Nothing is hidden beside the TerminalState and the Grid: what joins a glyph or repeats it looks at the cell left of
/// the caret, not at what was printed last. So a snapshot of both is all there is.
///
/// Owns    nothing: both outlive the parts.
class EmulatorPart {
 protected:
  EmulatorPart(Grid& grid, TerminalState& state) : grid_(grid), state_(state) {}
  ~EmulatorPart() = default;
  EmulatorPart(const EmulatorPart&) = delete;
  EmulatorPart& operator=(const EmulatorPart&) = delete;

  Caret& caret() { return state_.caret; }
  const Caret& caret() const { return state_.caret; }
  int rows() const { return grid_.size().rows; }
  int columns() const { return grid_.size().cols; }
  int last_column() const { return ptyd::last_column(state_, grid_); }
  bool within_columns() const { return caret().column >= state_.left && caret().column <= state_.right; }
  bool within_rows() const { return caret().row >= state_.top && caret().row <= state_.bottom; }
  bool within_margins() const { return within_rows() && within_columns(); }
  Area margins() const { return {state_.top, state_.left, state_.bottom + 1, state_.right + 1}; }

  Grid& grid_;
  TerminalState& state_;
};

}  // namespace ptyd
