// EmulatorPart: base of the parts of an emulator, with the Grid and state that they share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "pty/screen/grid/grid.hpp"
#include "pty/screen/state_verbs.hpp"

namespace ptyd {

/// No part keeps a state of its own beside the TerminalState and the Grid: joining or repeating a glyph looks at the
/// cell left of the caret, not at what was printed last. So a snapshot of both is complete.
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

  /// Has `control` carry out the C0 controls 08 to 0F among `bytes`. Of line feeds that scroll between side margins
  /// only the first goes to `control`: it cuts wide glyphs that stand across a margin, and takes away wrap marks, which
  /// BS looks at. All others are one `scroll` at the end.
  template <class Control, class Scroll>
  void carry_out(std::string_view bytes, Control control, Scroll scroll) {
    int lines = 0;
    bool scrolled = false;
    for (const char c : bytes) {
      if (c < '\b' || c > '\x0f') continue;
      const bool scrolls = scrolls_between(c);
      if (!scrolls || !std::exchange(scrolled, true)) {
        control(c);
        continue;
      }
      ++lines;
      caret().pending_wrap = false;
      if (state_.newline) control('\r');
    }
    scroll(lines);
  }
  /// Number of C0 controls at the front of `bytes`, which begins with one.
  static std::size_t controls_at_front(std::string_view bytes) {
    const auto is_other = [](char c) { return static_cast<unsigned char>(c) >= 0x20; };
    return static_cast<std::size_t>(std::find_if(bytes.begin() + 1, bytes.end(), is_other) - bytes.begin());
  }
  /// How often a glyph can be repeated until everything has been written: beyond, nothing changes but the scrollback.
  int places() const { return state_.autowrap ? rows() * columns() : columns(); }
  /// Cells for REP: the glyph left of the caret `count` times, at most a row of them; none where there is no glyph.
  std::vector<Cell> repeated(int count, PenId pen) const {
    const int end = caret().column + (caret().pending_wrap ? 1 : 0);
    if (end == 0) return {};
    Cell glyph = grid_.cell(caret().row, end - 1);
    if (glyph.width == 0) glyph = grid_.cell(caret().row, end - 2);
    if (glyph.glyph == 0) return {};
    glyph.pen = pen;
    glyph.guarded = static_cast<std::uint8_t>(state_.guarded);
    std::vector<Cell> cells(static_cast<std::size_t>(std::min(count, columns())) * glyph.width, glyph);
    for (std::size_t right = 1; glyph.width == 2 && right < cells.size(); right += 2)
      cells[right] = {0, glyph.pen, 0, glyph.guarded};
    return cells;
  }

  Grid& grid_;
  TerminalState& state_;

 private:
  /// Whether `c` is a line feed that scrolls between left and right margins.
  bool scrolls_between(char c) const {
    return c >= '\n' && c <= '\f' && state_.horizontal_margins && caret().row == state_.bottom && within_columns();
  }
};

}  // namespace ptyd
