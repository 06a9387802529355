// The second emulator: libvterm's state layer draws on the Grid. It supplies the state that libvterm hides, and
// corrects libvterm where it differs from xterm.
#pragma once

#include <memory>

#include "pty/screen/emulator.hpp"

namespace ptyd {

std::unique_ptr<Emulator> make_vterm_emulator(Grid& grid);

}  // namespace ptyd
