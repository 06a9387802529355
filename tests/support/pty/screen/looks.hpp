// Looks: cells and pens in words, the same on all sides of the oracles.
#pragma once

#include <string>

#include "pty/screen/grid/grid.hpp"

namespace ptyd::test {

/// How a cell looks: of a blank only the background counts.
Pen pen_of(const Grid& grid, const Cell& cell);

/// In one word: `bold,fg=1`, or `plain`. Says nothing of the link.
std::string pen_word(const Pen& pen);

/// A whole line in one text: glyphs, a `»` after each wide one, and where the
/// looks change `{word}`, which ends in ` URI` on a link. Plain blanks at the
/// end are left out; a blank is a space.
std::string line_words(const Grid& grid, const Line& line);

}  // namespace ptyd::test
