#include "pty/text/widths.hpp"

#include <algorithm>

namespace ptyd {
namespace {

using namespace glyph_class_bits;

constexpr char32_t kZeroWidthJoiner = 0x200D, kEmojiSelector = 0xFE0F;

bool is(char32_t code_point, std::uint8_t bits) {
  return (glyph_class(code_point) & bits) != 0;
}

bool takes_tone(const GlyphBefore& before) {
  return is(before.last, kTakesTone) || (before.last == kEmojiSelector && is(before.first, kTakesTone));
}

/// Whether `next`, which has columns when it stands alone, goes into the glyph before.
bool standing_joins(const GlyphBefore& before, char32_t next) {
  const auto kind = glyph_class(next);
  if ((kind & kRegional) != 0) return before.single && is(before.first, kRegional);
  if ((kind & kTone) != 0 && takes_tone(before)) return true;
  return (kind & kPictograph) != 0 && before.last == kZeroWidthJoiner && is(before.first, kPictograph);
}

}  // namespace

Joining join(const GlyphBefore& before, char32_t next) {
  const auto alone = Joining{false, std::max(width_of(next), 1)};
  if (before.first == 0 || !may_join(next)) return alone;
  if (width_of(next) > 0) return standing_joins(before, next) ? Joining{true, 2} : alone;
  const bool widens = next == kEmojiSelector && is(before.last, kEmojiBase);
  return {true, widens ? 2 : before.width};
}

}  // namespace ptyd
