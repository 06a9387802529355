// The second emulator: libvterm's state layer draws on the Grid. What libvterm does otherwise than xterm, and what it
// hides, is decided here.
#pragma once

#include <memory>

#include "pty/screen/emulator.hpp"

namespace ptyd {

std::unique_ptr<Emulator> make_vterm_emulator(Grid& grid);

}  // namespace ptyd
