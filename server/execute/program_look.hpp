// ProgramLook: the foreground program of a terminal, as a client that types there needs to know it.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "protocol/execute_messages.hpp"
#include "pty/process/pty.hpp"
#include "pty/screen/screen.hpp"
#include "pty/text/keys.hpp"

namespace ptyd {

/// Looks at the program in front of one terminal, now.
///
/// Owns    nothing: what its functions look at is borrowed and outlives it.
/// Thread  the loop's. Nothing blocks.
struct ProgramLook {
  std::function<LineMode()> line_mode;
  std::function<std::optional<Foreground>()> foreground;
  /// The shell has the keyboard itself.
  std::function<bool()> shell_is_in_front;
  /// The shell's time on processors, with that of the children it has waited for, and its time without a free one.
  std::function<std::chrono::milliseconds()> time_used;
  /// Null while it is parked.
  std::function<const Screen*()> screen;
  /// All that it has printed is read: it is not held for a slow client, nor until its Screen is there.
  std::function<bool()> is_read;

  KeyModes key_modes() const;
  /// Pasted text is to come in brackets.
  bool takes_pastes() const;
  /// Adds to `answer` how the program reads, its name, and its screen.
  void tell(Executed& answer) const;
};

}  // namespace ptyd
