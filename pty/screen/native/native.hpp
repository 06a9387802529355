// The native emulator: a state machine after xterm's published semantics (ctlseqs, VT510).
#pragma once

#include <memory>

#include "pty/screen/emulator.hpp"

namespace ptyd {

std::unique_ptr<Emulator> make_native_emulator(Grid& grid);

}  // namespace ptyd
