// Checksum: the number by which conformance suites read a screen (DECRQCRA).
#pragma once

#include <cstdint>

#include "pty/screen/grid/grid.hpp"

namespace ptyd {

/// As xterm and the VT520 count: the negative sum of all code points and of what their attributes stand for, of the
/// active buffer. Blanks count nothing; what is outside the screen is left out.
std::uint16_t checksum(const Grid& grid, const Area& area);

}  // namespace ptyd
