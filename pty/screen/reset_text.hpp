// Reset text: hands a terminal on from a program that is gone to the next one.
#pragma once

#include <string>

#include "pty/screen/screen.hpp"

namespace ptyd {

/// Text that resets `screen`, all but its text and scrollback, with the caret in the first line below its content.
/// XTRESTORE restores nothing from before. A client that shows the same screen, or did before it was cleared, is reset
/// by it too. It erases nothing visible on the primary screen.
std::string reset_text(const Screen& screen);

/// No text on the primary screen, and none above it.
bool shows_nothing(const Screen& screen);

}  // namespace ptyd
