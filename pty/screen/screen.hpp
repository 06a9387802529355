// Screen: the present look of a terminal, as a value.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>

#include "pty/screen/emulator.hpp"
#include "pty/screen/grid/grid.hpp"
#include "pty/screen/mode_rows.hpp"
#include "pty/screen/modes.hpp"
#include "pty/text/scanner.hpp"
#include "pty/types.hpp"

namespace ptyd {

enum class EmulatorKind : std::uint8_t { native, vterm };

/// OSC 9;4: what a program says of its progress.
struct Progress {
  int state = 0;    ///< 0 none, 1 running, 2 failed, 3 without a measure, 4 paused
  int percent = 0;  ///< 0 to 100
  bool operator==(const Progress&) const = default;
};

/// The present of one terminal: cells, caret, modes. Fed by the Scanner's tokens, current after each of them.
///
/// Owns    Grid, Emulator, Modes, the modes that XTSAVE has kept.
/// Thread  one.
/// Errors  none; whatever is fed is obeyed, bounded or ignored.
class Screen {
 public:
  static constexpr std::size_t kDefaultScrollback = 5000;
  /// Lines that an operator may configure at most, so that a session's memory is bounded. The maker of a Screen sees to
  /// that.
  static constexpr std::size_t kMaxScrollback = 100'000;

  struct Options {
    Size size;
    std::size_t scrollback = kDefaultScrollback;  ///< lines
    EmulatorKind emulator = EmulatorKind::native;
    MakeEmulator make = nullptr;  ///< another one instead, for tests
    /// Cells of these lines at most, where fewer are wanted than Scrollback::kCellsPerLine allows.
    std::size_t scrollback_cells = Scrollback::kUnbounded;
  };
  explicit Screen(const Options& options);

  /// Obeys a token. Queries change nothing; queries.hpp answers them from the Screen.
  void feed(const Token& token);
  /// Logical lines and the caret's character stay as they are.
  void resize(Size size);
  /// Empties cells and scrollback; modes stay, the caret goes to the top, in origin mode of the margins.
  void clear();
  /// Becomes a fresh terminal, with the scrollback kept.
  void reset();
  /// Text, each line of it ended by one LF, would only write below all that is here and push it up, whatever its lines
  /// are: the caret is at the begin of a blank row, the lowest, and all rows scroll into the scrollback.
  bool only_scrolls() const;
  /// Counts `lines` as lines that were printed and pushed out again. Only where only_scrolls(), and if at least
  /// Grid::lines_kept() line feeds follow before the Screen is next read.
  void skip_lines(std::uint64_t lines) { grid_.skip_lines(lines); }
  /// Forgets the oldest rows above the screen; nothing else changes.
  void drop_scrollback(std::size_t rows) { grid_.drop_scrollback(rows); }

  /// Gives the lines above the screen the numbers that they had on a Screen that showed the same, of which these are
  /// Grid::first_line() and Grid::uncleared_line().
  void renumber_lines(std::uint64_t first, std::uint64_t uncleared) { grid_.renumber_lines(first, uncleared); }

  const Grid& grid() const { return grid_; }
  const TerminalState& state() const { return emulator_->state(); }
  const Modes& modes() const { return modes_; }
  /// Whether a DEC private (or ANSI) mode is set, wherever it is kept; nothing for modes that are not known.
  std::optional<bool> mode(int number, bool ansi) const;
  bool mode(const ModeRow& row) const;
  const Progress& progress() const { return progress_; }

 private:
  void feed_progress(const Token& token);
  void feed_kept_modes(const Token& token);
  void keep_mode(const ModeRow& row);
  void bring_back_mode(const ModeRow& row);
  void switch_mode(const ModeRow& row, bool on);

  Grid grid_;
  std::unique_ptr<Emulator> emulator_;
  Modes modes_;
  Progress progress_;
  std::array<std::optional<bool>, kMaxModeRows> kept_modes_;  // by XTSAVE, in the order of mode_rows()
};

}  // namespace ptyd
