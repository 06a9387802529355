// NativePart: what every part of the native emulator works on.
#pragma once

#include "pty/screen/emulator.hpp"

namespace ptyd {

/// Nothing is hidden beside the TerminalState and the Grid: what joins a glyph or repeats it looks at the cell left of
/// the caret, not at what was printed last. So a snapshot of both is all there is.
///
/// Owns    nothing: `grid` and `state` are the emulator's and outlive its parts.
class NativePart {
 protected:
  NativePart(Grid& grid, TerminalState& state) : grid_(grid), state_(state) {}
  ~NativePart() = default;
  NativePart(const NativePart&) = delete;
  NativePart& operator=(const NativePart&) = delete;

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
