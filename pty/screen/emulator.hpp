// Emulator: the seam between tokens and the Grid; native and vterm are behind it.
#pragma once

#include <memory>

#include "pty/screen/grid/grid.hpp"
#include "pty/screen/terminal_state.hpp"
#include "pty/text/scanner.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// Draws tokens on a Grid.
///
/// Owns    TerminalState; not the Grid.
/// Thread  one.
/// Errors  none: whatever a program prints is obeyed, bounded or ignored.
class Emulator {
 public:
  virtual ~Emulator() = default;
  /// Obeys what moves, draws or erases, and ignores everything else.
  virtual void feed(const Token& token) = 0;
  /// Reflows the Grid and brings the state along: the caret stays with its character, margins become the whole screen.
  virtual void resize(Size size) = 0;
  /// Empties both buffers and the scrollback; the caret goes to the top left (of the margins in origin
  /// mode), all else stays.
  virtual void clear() = 0;
  /// Makes the state that of a fresh terminal, and empties the Grid but for its scrollback.
  virtual void reset() = 0;
  virtual const TerminalState& state() const = 0;
};

using MakeEmulator = std::unique_ptr<Emulator> (*)(Grid& grid);

}  // namespace ptyd
