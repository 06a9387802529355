// NativeText: text becomes cells.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "pty/screen/emulator_part.hpp"
#include "pty/screen/native/native_moves.hpp"
#include "pty/screen/native/native_pens.hpp"

namespace ptyd {

class NativeText final : private EmulatorPart {
 public:
  NativeText(Grid& grid, TerminalState& state, NativePens& pens, NativeMoves& moves)
      : EmulatorPart(grid, state), pens_(pens), moves_(moves) {}

  /// Draws text, and executes the controls in it.
  void print(std::string_view bytes);
  /// REP: repeats the glyph left of the caret, at most as often as the screen has places.
  void repeat(int count);

 private:
  /// Cells that are drawn together at most.
  static constexpr std::size_t kBatch = 64;

  std::size_t type_unicode(std::string_view bytes);
  void type_ascii(std::string_view run);
  void type_translated(std::string_view run);
  char32_t translated(char c);
  void type(std::span<const Cell> cells);
  void type_joining(char32_t code_point);
  void widen_glyph(char32_t code_point);
  void make_room(int columns, int last);
  bool leave_hole(int last);
  void advance(int columns, int last);
  void take_pending_wrap();
  void wrap();

  NativePens& pens_;
  NativeMoves& moves_;
  std::array<Cell, kBatch> batch_;  // scratch of type_unicode, not worth initialising for every character
};

}  // namespace ptyd
