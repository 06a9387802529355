// Widths: columns of a character, and characters that share a place. Server, page and tests use this one table.
#pragma once

#include <cstdint>

namespace ptyd {

/// Bits of glyph_class().
namespace glyph_class_bits {
inline constexpr std::uint8_t kWidth = 3;       ///< columns of a code point that stands alone, 0 to 2
inline constexpr std::uint8_t kMayJoin = 4;     ///< join() may put it into the glyph before
inline constexpr std::uint8_t kPictograph = 8;  ///< a ZWJ sequence is made of these
inline constexpr std::uint8_t kEmojiBase = 16;  ///< VS16 makes it two columns wide
inline constexpr std::uint8_t kTakesTone = 32;  ///< a skin tone joins it
inline constexpr std::uint8_t kTone = 64;       ///< a skin tone
inline constexpr std::uint8_t kRegional = 128;  ///< a regional indicator: two are a flag
}  // namespace glyph_class_bits

/// Where scripts/support/make_widths.py writes to; the same blocks of code points are stored once.
namespace width_table {
inline constexpr unsigned kBlockSize = 128;
extern const std::uint8_t kBlockOf[];
extern const std::uint8_t kBlocks[][kBlockSize];
}  // namespace width_table

/// Entry of the table for a code point; of one beyond Unicode, that of a letter.
inline std::uint8_t glyph_class(char32_t code_point) {
  if (code_point > 0x10FFFF) return 1;
  return width_table::kBlocks[width_table::kBlockOf[code_point / width_table::kBlockSize]]
                             [code_point % width_table::kBlockSize];
}

/// Columns of a code point that stands alone: 1 or 2, or 0 when it joins what is before it (marks, ZWJ, selectors).
/// Controls are not asked for.
inline int width_of(char32_t code_point) {
  return glyph_class(code_point) & glyph_class_bits::kWidth;
}

/// Whether join() may put the code point into a glyph before it; false for nearly all text.
inline bool may_join(char32_t code_point) {
  return code_point >= 0x300 && (glyph_class(code_point) & glyph_class_bits::kMayJoin) != 0;
}

/// The glyph that stands left of where the next one would go. A blank is a space.
struct GlyphBefore {
  char32_t first = 0;  ///< its first code point; 0 when there is no place to the left
  char32_t last = 0;   ///< its last
  int width = 1;       ///< its columns
  bool single = true;  ///< it is one code point
};

/// Effect of a code point after a glyph.
struct Joining {
  bool joins = false;  ///< it goes into the same place
  int width = 1;       ///< of the glyph with it (VS16 makes 2 of 1), or of its own glyph; never 0
};
Joining join(const GlyphBefore& before, char32_t next);

}  // namespace ptyd
