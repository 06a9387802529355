// CommandOutput: what a program has printed, as the text that a person reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"
#include "server/execute/kept_tabs.hpp"

namespace ptyd {

/// Draws an output on a Screen of its own. Sequences are obeyed, so a progress bar is as it ended; rows that are one
/// line are joined; tabs stay tabs where nothing stood. What a full-screen program shows on the alternate screen is not
/// among it.
///
/// Owns    its Screen.
/// Thread  one.
/// Units   lines are logical ones: a row and those in which it goes on.
class CommandOutput {
 public:
  static constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max() / 2;

  /// Lines kept above the screen.
  struct Room {
    std::size_t lines = 5000;
    std::size_t cells = 1 << 20;
  };
  /// The part that was not told before.
  struct Told {
    std::string content;
    bool truncated = false;  ///< lines of it are not kept any more
  };

  CommandOutput(Size size, const Room& room);
  explicit CommandOutput(Size size) : CommandOutput(size, Room{}) {}
  // KeptTabs holds on to the Screen.
  CommandOutput(const CommandOutput&) = delete;
  CommandOutput& operator=(const CommandOutput&) = delete;

  /// All of the output, in order.
  void take(const Token& token);
  /// Text of our own, of whole lines.
  void say(std::string_view text);
  void resize(Size size) { screen_.resize(size); }

  /// Without blanks at the ends of lines and empty lines at the end of it all. What was told goes on where the last
  /// call ended, inside its line too. Where what was told has changed since, it begins anew with the first line that
  /// differs.
  Told tell();
  /// All that is kept, with the blanks that were written at the ends of lines, and with the last line feed. Where that
  /// is more than `wanted` bytes, it may be less of it, from the beginning of a line on, but always more than `wanted`.
  std::string whole(std::size_t wanted = kAll) const;
  /// Something is not kept any more.
  bool has_overflowed() const { return screen_.grid().has_overflowed(); }

 private:
  struct Lines;
  class Joiner;
  void add_scrollback(std::size_t from, Joiner& joiner) const;
  void add_screen(Joiner& joiner) const;
  Lines read() const;
  Lines read_trimmed() const;
  std::string since_told(const Lines& now) const;
  void remember(const Lines& now);

  Screen screen_;
  KeptTabs tabs_{screen_};
  std::uint64_t told_from_ = 0;    // the number of the first of these lines
  std::vector<std::string> told_;  // that were told, and may have changed since
  bool told_ended_ = true;         // the last of them was at its end
};

}  // namespace ptyd
