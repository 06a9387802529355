// Palette: the colours that a program has given its terminal.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptyd {

/// What OSC 4 and 10 to 19 have set and 104 and 110 to 119 have not put back. Colours are 0xRRGGBB.
///
/// Thread  one. Bounded: 256 indexed and ten other colours.
class Palette {
 public:
  /// Text colours, the caret's, the mouse's, Tektronix', highlights: OSC 10 to 19.
  static constexpr int kFirstDynamic = 10, kLastDynamic = 19;

  /// `text` is what stands between OSC and its terminator; anything else than colours is ignored.
  void feed(std::string_view text);
  void reset();

  /// Nothing while the program has not set it.
  std::optional<std::uint32_t> indexed(std::uint8_t index) const;
  std::optional<std::uint32_t> dynamic(int number) const;
  /// Sequences that set the same in a terminal with its own colours; "" when nothing is set.
  std::string text() const;

  /// xterm's own 256 colours.
  static std::uint32_t initial(std::uint8_t index);

 private:
  using Arguments = std::vector<std::string_view>;
  void set_indexed(const Arguments& pairs);
  void reset_indexed(const Arguments& indexes);
  void set_dynamic(int number, const Arguments& colours);

  std::vector<std::pair<std::uint8_t, std::uint32_t>> indexed_;  // in the order of the index
  std::array<std::optional<std::uint32_t>, kLastDynamic - kFirstDynamic + 1> dynamic_;
};

/// X11's `#rgb` (1 to 4 digits a colour) and `rgb:r/g/b`; nothing for names and other things.
std::optional<std::uint32_t> parse_colour(std::string_view text);

/// `rgb:rrrr/gggg/bbbb`, as terminals report it.
std::string colour_text(std::uint32_t colour);

}  // namespace ptyd
