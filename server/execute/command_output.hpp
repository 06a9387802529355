// CommandOutput: the output of a command, of any size, as the text that a person reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"
#include "server/execute/joined_rows.hpp"
#include "server/execute/kept_tabs.hpp"
#include "server/execute/text_window.hpp"
#include "server/execute/untold_text.hpp"

namespace ptyd {

/// Draws an output on a Screen of its own. Sequences are obeyed, so a progress bar is as it ended; rows that are one
/// line are joined; tabs stay tabs where nothing stood. The alternate screen of full-screen programs is not part of it.
/// Rows above the screen become text once more than Room::rows wait. Both ends of that text are kept until it is told:
/// the memory is bounded, whatever is printed.
///
/// Owns    its Screen.
/// Thread  one.
/// Units   lines are logical ones: a row and those in which it goes on.
class CommandOutput {
 public:
  struct Room {
    std::size_t rows = 256;  ///< that may wait above the screen
    TextWindow::Room text = {};
  };

  CommandOutput(Size size, const Room& room);
  explicit CommandOutput(Size size) : CommandOutput(size, Room{}) {}
  // KeptTabs holds on to the Screen.
  CommandOutput(const CommandOutput&) = delete;
  CommandOutput& operator=(const CommandOutput&) = delete;

  /// All of the output, in order.
  void take(const Token& token);
  /// Bytes that it took.
  std::uint64_t total_bytes() const { return total_bytes_; }

  /// Text that was not told before, without blanks at the ends of lines and empty lines at the end of it all. It goes
  /// on where the last call ended, also inside a line. Where what was told has changed since, it begins anew with the
  /// first line that differs.
  TextWindow tell();

 private:
  /// Lines that were told and may change: those that stood on the screen then.
  struct ReportedLines {
    std::uint64_t from = 0;  ///< the number of the first of these lines
    std::vector<std::string> lines = {};
    bool ended = true;     ///< the last of them was at its end
    bool differs = false;  ///< so all that comes is new

    std::uint64_t end() const { return from + lines.size(); }
  };
  struct Shown {
    std::vector<std::string> lines;
    bool ended = false;
  };
  void take_text(std::string_view text);
  void draw(const Token& token);
  void wipe(const Token& token);
  void read_above();
  Shown shown() const;
  void add(UntoldText& to, std::uint64_t line, std::string_view text, bool ends);

  const Room room_;
  Screen screen_;
  KeptTabs tabs_{screen_};
  JoinedRows above_{screen_.grid()};
  std::uint64_t line_ = 0;  // the number of the first line that was not read to its end
  UntoldText untold_;
  ReportedLines reported_;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace ptyd
