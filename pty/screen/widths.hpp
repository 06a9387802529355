// Widths: how many columns a character takes, and which characters share a place. The one table of the house.
#pragma once

#include <cstdint>

namespace ptyd {

/// Columns of a code point that stands alone: 1 or 2, or 0 when it joins what is before it (marks, ZWJ, selectors).
/// Controls are not asked for.
int width_of(char32_t code_point);

/// What a code point does after a glyph whose last code point and width are known.
struct Joining {
  bool joins = false;  ///< it goes into the same place
  int width = 1;       ///< of the place then (a joined VS16 makes 2 of 1), or else of its own
};
/// `previous` is the last code point of the glyph before, `previous_width` its columns, `pair_open` true when that
/// glyph is one lone regional indicator.
Joining join(char32_t previous, int previous_width, bool pair_open, char32_t next);

}  // namespace ptyd
