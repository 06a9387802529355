// Reset text: how a terminal is handed on, from a program that is gone to the next one.
#pragma once

#include <string>

#include "pty/screen/screen.hpp"

namespace ptyd {

/// Text that makes `screen` as a fresh one but for its text and scrollback, with the caret in the first line below what
/// is shown; XTRESTORE brings back nothing of before. Whoever shows the same, or showed it before it was emptied, is
/// brought there by it too. It erases nothing that was to be seen on the primary screen.
std::string reset_text(const Screen& screen);

/// No text on the primary screen, and none above it.
bool shows_nothing(const Screen& screen);

}  // namespace ptyd
