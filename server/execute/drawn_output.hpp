// DrawnOutput: the last lines that a program has printed, as the text that a person reads.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"
#include "server/execute/kept_tabs.hpp"

namespace ptyd {

/// Draws an output on a Screen of its own, with rows above it that may be read again at any time. Sequences are obeyed,
/// so a progress bar is as it ended; rows that are one line are joined; tabs stay tabs where nothing stood. The
/// alternate screen of full-screen programs is not part of it.
///
/// Owns    its Screen.
/// Thread  one.
class DrawnOutput {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max() / 2;

  /// Lines kept above the screen.
  struct Room {
    std::size_t lines = 5000;
    std::size_t cells = 1 << 20;
  };

  DrawnOutput(Size size, const Room& room);
  explicit DrawnOutput(Size size) : DrawnOutput(size, Room{}) {}
  // KeptTabs holds on to the Screen.
  DrawnOutput(const DrawnOutput&) = delete;
  DrawnOutput& operator=(const DrawnOutput&) = delete;

  /// All of the output, in order.
  void take(const Token& token);
  /// Text of our own, of whole lines.
  void say(std::string_view text);
  void resize(Size size) { screen_.resize(size); }

  /// All that is kept, with the blanks that were written at the ends of lines, and with the last line feed. Where that
  /// is more than `wanted` bytes, it may be less of it, from the beginning of a line on, but always more than `wanted`.
  std::string whole(std::size_t wanted = kAll) const;
  /// Something is not kept any more.
  bool has_overflowed() const { return screen_.grid().has_overflowed(); }

 private:
  std::string text_from(std::size_t row) const;

  Screen screen_;
  KeptTabs tabs_{screen_};
};

}  // namespace ptyd
