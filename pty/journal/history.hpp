// History: the journal's text for a client that comes later.
#pragma once

#include <cstddef>
#include <string>

#include "pty/journal/journal.hpp"

namespace ptyd {

/// How far a clean boundary is looked for; beyond it any character will do.
inline constexpr std::size_t kBoundarySearch = 64 << 10;

/// The first place at or after `wanted` where an emulator can begin to read: behind a line end, or else where a
/// sequence begins, or else at a character; never inside a sequence that can be told to be one. `wanted` itself where
/// nothing was lost before it.
Position clean_boundary(const Journal& journal, Position wanted);

/// The text between two positions, from a clean boundary, without marks, as valid UTF-8: its last `max_lines` lines and
/// at most `max_bytes` bytes. It holds no queries: these never enter the journal.
std::string history_text(const Journal& journal, Position from, Position to, std::size_t max_lines,
                         std::size_t max_bytes);

}  // namespace ptyd
