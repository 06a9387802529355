// VtermText: text goes through libvterm, and the controls among it.
#pragma once

#include <string_view>

#include "pty/screen/emulator_part.hpp"
#include "pty/screen/vterm/vterm_drawing.hpp"
#include "pty/screen/vterm/vterm_edits.hpp"
#include "pty/screen/vterm/vterm_moves.hpp"

namespace ptyd {

class VtermText final : private EmulatorPart {
 public:
  VtermText(Grid& grid, TerminalState& state, VtermDrawing& drawing, VtermMoves& moves, const VtermEdits& edits)
      : EmulatorPart(grid, state), drawing_(drawing), moves_(moves), edits_(edits) {}

  void print(std::string_view bytes);
  /// Obeys a C0 control that moves the caret or shifts charsets; others are ignored.
  void control(char c);
  /// Obeys a run of controls, or the controls inside a sequence, which take effect before it.
  void controls_in(std::string_view bytes);
  /// REP: repeats the glyph left of the caret, at most as often as the screen has places.
  void repeat(int count);
  /// Moves down, or scrolls at the bottom margin. False where it can do neither.
  bool index();
  void reverse_index();
  void carriage_return();
  /// BS and CUB. With reverse wrap it goes on where before_first_column() says.
  void back(int count);

 private:
  void ascii(std::string_view run);
  void glyph(char32_t code_point);
  void joining(char32_t code_point);
  void widen_at_edge(char32_t code_point);
  void advance(int to, int last);
  void make_room(int columns, int last);
  void one(char32_t code_point, int width);
  void draw(char32_t glyph, int width);
  int find_room(int width, int wanted);
  void scroll(int count);
  bool leave_hole(int last);
  void take_pending_wrap();
  void wrap();

  VtermDrawing& drawing_;
  VtermMoves& moves_;
  const VtermEdits& edits_;
};

}  // namespace ptyd
