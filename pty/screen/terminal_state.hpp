// TerminalState: everything besides the cells that decides how the next token is drawn.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// Where the next glyph goes. Rows and columns count from 0.
struct Caret {
  int row = 0;
  int column = 0;
  bool pending_wrap = false;  ///< the last column was just written: the next glyph begins a new line
  bool operator==(const Caret&) const = default;
};

/// G0 to G3 by their final bytes (`B` ASCII, `0` line drawing, `A` UK ...), and which are in GL and GR.
struct Charsets {
  std::array<char, 4> designated{'B', 'B', 'B', 'B'};
  std::uint8_t left = 0;
  std::uint8_t right = 2;
  std::uint8_t single_shift = 0;  ///< 2 or 3 for the next glyph alone, else 0
  bool operator==(const Charsets&) const = default;
};

/// State that DECSC keeps.
struct SavedCaret {
  Caret caret;
  Pen pen;
  Charsets charsets;
  bool origin = false;
  bool guarded = false;
  bool operator==(const SavedCaret&) const = default;
};

/// Everything besides the cells that decides how the next token is drawn. A snapshot writes all of it down. Modes begin
/// as their rows say (mode_rows.cpp): fresh_state() makes one (state_verbs.hpp).
struct TerminalState {
  Caret caret;
  Pen pen;
  bool guarded = false;  ///< DECSCA: what is written now is spared by selective erase
  Charsets charsets;
  bool autowrap = false;                           ///< DECAWM, ?7
  bool insert = false;                             ///< IRM, 4
  bool newline = false;                            ///< LNM, 20
  bool origin = false;                             ///< DECOM, ?6
  bool reverse_wrap = false;                       ///< ?45
  bool extended_reverse_wrap = false;              ///< XTREVWRAP2, ?1045
  bool horizontal_margins = false;                 ///< DECLRMM, ?69
  bool column_switch = false;                      ///< ?40: DECCOLM is obeyed
  bool columns_132 = false;                        ///< DECCOLM, ?3; it only clears: the size is the viewers'
  int top = 0, bottom = 0;                         ///< margins, inclusive
  int left = 0, right = 0;                         ///< inclusive; the whole width unless horizontal_margins
  std::vector<bool> tabs;                          ///< a stop per column
  std::array<std::optional<SavedCaret>, 2> saved;  ///< of the primary and of the alternate buffer
};

}  // namespace ptyd
