// VtermDrawing: turns libvterm's drawing into cells.
#pragma once

#include "pty/screen/emulator_part.hpp"
#include "pty/screen/vterm/vterm_machine.hpp"

namespace ptyd {

/// Facts about the present step that libvterm does not know. The caller that begins a step sets them.
struct VtermStep {
  static constexpr int kNoEnd = 1 << 16;

  PenId pen = 0;          ///< of what is drawn
  char32_t glyph = 0;     ///< the glyph behind the stand-in; 0 where libvterm was given the glyph itself
  bool guarded = false;   ///< of what is drawn
  int next_column = 0;    ///< while plain text is printed: where its next glyph goes without a wrap
  int next_row = 0;       ///< and the row of the glyph before
  bool scrolled = false;  ///< something has scrolled up since this was false
  int row_end = kNoEnd;   ///< cells of one row are shifted before this column only
  bool keeps = false;     ///< lines that scroll out now may go into the scrollback
};

class VtermDrawing final : public VtermCanvas, private EmulatorPart {
 public:
  VtermDrawing(Grid& grid, TerminalState& state) : EmulatorPart(grid, state) {}

  void put(char32_t glyph, int width, int row, int column) override;
  void scroll(const Area& area, int upward, int leftward) override;
  void erase(const Area& area, bool selective) override;
  /// Text that wrapped from `row_before` to the caret's row is one logical line. A row that is the only one to scroll
  /// leaves nothing above the caret, unless it goes into the scrollback.
  void join_wrapped(int row_before);

  VtermStep step;

 private:
  PenId blank_pen();
};

}  // namespace ptyd
