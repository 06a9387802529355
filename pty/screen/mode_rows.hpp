// Mode rows: every mode that a program may set, reset or ask about, once. Both emulators, DECRQM, the two resets,
// snapshots, preambles and repaints read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace ptyd {

struct TerminalState;

/// One mode: its place, its first value, and the reports of it.
struct ModeRow {
  enum class Home : std::uint8_t {
    modes,        ///< a bit of Modes: it changes what is reported or sent
    state,        ///< `flag`: it decides how text is drawn
    buffer,       ///< the alternate buffer is shown
    saved_caret,  ///< the buffer that is shown has a saved caret
    fixed,        ///< always as it is `initially`
  };
  /// Of a group at most one is on, and switching off any switches off the one that is on.
  enum Group : std::uint8_t { kAlone, kMouse, kMouseEncoding };
  using Flag = bool TerminalState::*;

  int number = 0;
  bool ansi = false;  ///< SM 4 and SM ?4 are two modes
  Home home = Home::modes;
  Flag flag = nullptr;     ///< of Home::state alone
  Flag needs = nullptr;    ///< it is obeyed only while this is on
  bool initially = false;  ///< in a fresh terminal
  bool soft = false;       ///< DECSTR puts it back
  bool silent = false;     ///< known and reported, but no preamble tells of it
  bool apart = false;      ///< snapshots write it beside the state that it governs, not among the other modes
  Group group = kAlone;
};

/// At least as many as there are rows.
inline constexpr std::size_t kMaxModeRows = 64;
/// All of them; what is told of modes has this order.
std::span<const ModeRow> mode_rows();
/// The row of a mode; null when the mode is not known.
const ModeRow* mode_row(int number, bool ansi);
/// Where a row of the table stands in it.
std::size_t index_of(const ModeRow& row);
/// The sequence that switches the mode.
std::string switch_text(const ModeRow& row, bool on);

}  // namespace ptyd
