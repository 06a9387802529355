// Palette: the colours that a program has given its terminal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptyd {

/// Colours that OSC 4, 5 and 10 to 19 have set and 104, 105 and 110 to 119 have not put back. Colours are 0xRRGGBB.
///
/// A colour may be set by a name (X11's `red`), which viewers may know: the palette keeps the name.
///
/// Thread  one. Bounded: 256 indexed, five special and ten other colours, with names of kMaxName.
class Palette {
 public:
  /// Text colours, the caret's, the mouse's, Tektronix', highlights: OSC 10 to 19.
  static constexpr int kFirstDynamic = 10, kLastDynamic = 19;
  /// Colours of bold, underlined, blinking, inverse and italic text: OSC 5 counts them from 0, OSC 4 behind its own
  /// colours.
  static constexpr int kFirstSpecial = 256, kLastSpecial = 260;
  /// Bytes of a colour's name; the longest that X11 has is of 22. Longer ones are not believed.
  static constexpr std::size_t kMaxName = 32;

  /// `text` is what stands between OSC and its terminator; anything else than colours is ignored.
  void feed(std::string_view text);
  void reset();

  // Nothing where the program has not set the colour, or has set it by a name. `index` is up to kLastSpecial.
  std::optional<std::uint32_t> indexed(int index) const { return colour(index); }
  std::optional<std::uint32_t> dynamic(int number) const { return colour(place_of(number)); }
  /// Whether the program has set the colour by a name.
  bool is_named(int index) const { return names_.count(index) != 0; }
  bool is_dynamic_named(int number) const { return is_named(place_of(number)); }
  /// Sequences that set the same in a terminal with its own colours; "" when nothing is set.
  std::string text() const;

  /// xterm's own 256 colours.
  static std::uint32_t initial(std::uint8_t index);

 private:
  using Arguments = std::vector<std::string_view>;

  /// Place of the colour of OSC `number`: behind those of OSC 4 and 5.
  static int place_of(int number) { return kLastSpecial + 1 + number - kFirstDynamic; }
  std::optional<std::uint32_t> colour(int place) const;
  void set(int place, std::string_view text);
  void forget(int first, int last);
  void set_indexed(const Arguments& pairs, int first);
  void reset_indexed(const Arguments& indexes, int first, int last);
  void set_dynamic(int number, const Arguments& colours);

  std::vector<std::pair<std::uint16_t, std::uint32_t>> colours_;  // by place, in its order
  std::map<int, std::string> names_;                              // of other places
};

/// X11's `#rgb` (1 to 4 digits a colour) and `rgb:r/g/b`; nothing for names and other things.
std::optional<std::uint32_t> parse_colour(std::string_view text);

/// `rgb:rrrr/gggg/bbbb`, as terminals report it.
std::string colour_text(std::uint32_t colour);

}  // namespace ptyd
