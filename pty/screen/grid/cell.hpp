// Cells: content and look of one place of a screen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ptyd {

/// The terminal's default, one of 256, or 24 bits of RGB.
class Colour {
 public:
  constexpr Colour() = default;
  static constexpr Colour indexed(std::uint8_t index) { return Colour(kIndexed | index); }
  static constexpr Colour rgb(std::uint32_t rrggbb) { return Colour(kRgb | (rrggbb & 0xFFFFFF)); }

  constexpr bool is_default() const { return value_ == 0; }
  constexpr bool is_indexed() const { return (value_ & kKind) == kIndexed; }
  constexpr bool is_rgb() const { return (value_ & kKind) == kRgb; }
  /// The index, or 0xRRGGBB.
  constexpr std::uint32_t value() const { return value_ & 0xFFFFFF; }
  constexpr bool operator==(const Colour&) const = default;

 private:
  static constexpr std::uint32_t kKind = 0xFF000000, kIndexed = 1u << 24, kRgb = 2u << 24;
  explicit constexpr Colour(std::uint32_t value) : value_(value) {}
  std::uint32_t value_ = 0;
};

/// Bits of Pen::attributes.
namespace attribute {
inline constexpr std::uint8_t kBold = 1, kFaint = 2, kItalic = 4, kBlink = 8, kInverse = 16, kInvisible = 32,
                              kStrike = 64, kOverline = 128;
}

/// SGR 4:0 to 4:5.
enum class Underline : std::uint8_t { none, single, twofold, curly, dotted, dashed };

/// Names a hyperlink (OSC 8) of one Grid; 0 is none.
using LinkId = std::uint16_t;

/// How a glyph looks.
struct Pen {
  Colour foreground, background, underline_colour;
  std::uint8_t attributes = 0;
  Underline underline = Underline::none;
  LinkId link = 0;
  bool operator==(const Pen&) const = default;
};

/// Names a Pen of one Grid; 0 is the default one.
using PenId = std::uint16_t;

/// One place. A wide glyph has two: the left one holds it, the right one has width 0 and the same pen.
struct Cell {
  /// Set in `glyph` when it names a cluster of the Grid instead of being one code point.
  static constexpr std::uint32_t kCluster = 1u << 31;

  std::uint32_t glyph = 0;   ///< a code point, or a cluster; 0 is blank: never written, or erased
  PenId pen = 0;             ///< of a blank only the background counts
  std::uint8_t width = 1;    ///< 1; 2 for the left half of a wide glyph, 0 for its right half
  std::uint8_t guarded = 0;  ///< 1 when selective erase spares it (DECSCA)
  bool operator==(const Cell&) const = default;
};
static_assert(sizeof(Cell) == 8);

/// DECSWL, DECDWL, and the halves of DECDHL. Of a line that is not single, half the columns can be used.
enum class LineSize : std::uint8_t { single, double_width, double_top, double_bottom };

/// A line as it is read. Valid until the Grid changes, or until `space` of the call that gave it is used again.
struct Line {
  std::span<const Cell> cells;  ///< as many as there are columns, or fewer: the rest are default blanks
  bool wrapped = false;         ///< the text goes on in the next line: both are parts of one logical line
  LineSize size = LineSize::single;
};

/// A hyperlink. `id` is the program's, "" when it gave none.
struct Link {
  std::string id;
  std::string uri;
  bool operator==(const Link&) const = default;
};

}  // namespace ptyd
