// Checksum: the number by which conformance suites read a screen (DECRQCRA).
#pragma once

#include <cstdint>

#include "pty/screen/grid/grid.hpp"

namespace ptyd {

/// Choices of XTCHECKSUM, by its bits. Bit 5 is about characters in GR, which nothing here translates.
namespace checksum_flag {
inline constexpr std::uint8_t kPositive = 1;  ///< the sum is not negated
inline constexpr std::uint8_t kNoLooks = 2;   ///< attributes count nothing
inline constexpr std::uint8_t kBlanks = 4;    ///< blanks count as spaces
inline constexpr std::uint8_t kDrawn = 8;     ///< but not those that nothing was printed on
inline constexpr std::uint8_t kWhole = 16;    ///< all of a code point counts, not eight bits, and what joins it does
}  // namespace checksum_flag

/// As xterm and the VT520 count: the negative sum of all characters and of what their attributes stand for, of the
/// active buffer. Blanks count nothing; what is outside the screen is left out. `flags` are of checksum_flag.
std::uint16_t checksum(const Grid& grid, const Area& area, std::uint8_t flags);

}  // namespace ptyd
