#include "pty/screen/mode_rows.hpp"

#include <algorithm>
#include <array>

#include "pty/screen/terminal_state.hpp"

namespace ptyd {
namespace {

using Home = ModeRow::Home;

constexpr bool kSoft = true, kOn = true, kOff = false;

/// Changes only what is reported or sent.
constexpr ModeRow quiet(int number, bool soft = false, bool initially = false) {
  return {.number = number, .initially = initially, .soft = soft};
}
constexpr ModeRow one_of(ModeRow::Group group, int number) {
  return {.number = number, .group = group};
}
constexpr ModeRow silent(int number) {
  return {.number = number, .silent = true};
}
constexpr ModeRow drawing(int number, ModeRow::Flag flag, bool initially = false) {
  return {.number = number, .home = Home::state, .flag = flag, .initially = initially, .soft = true};
}
constexpr ModeRow ansi(int number, ModeRow::Flag flag, bool soft = false) {
  return {.number = number, .ansi = true, .home = Home::state, .flag = flag, .soft = soft};
}
constexpr ModeRow buffer(int number) {
  return {.number = number, .home = Home::buffer, .silent = true, .apart = true};
}
constexpr ModeRow fixed(int number, bool on, bool ansi = false) {
  return {.number = number, .ansi = ansi, .home = Home::fixed, .initially = on, .silent = true, .apart = true};
}

constexpr std::array kRows{
    // The reference's, in its order:
    quiet(1, kSoft),                         // application caret keys
    quiet(66, kSoft),                        // application keypad
    quiet(2004, kSoft),                      // bracketed paste
    ansi(4, &TerminalState::insert, kSoft),  // IRM
    ModeRow{.number = 6,                     // DECOM
            .home = Home::state,
            .flag = &TerminalState::origin,
            .soft = true,
            .apart = true},
    drawing(45, &TerminalState::reverse_wrap), quiet(1004, kSoft),  // focus reports
    drawing(7, &TerminalState::autowrap, true),                     // DECAWM
    quiet(25, kSoft, true),                                         // caret visible
    one_of(ModeRow::kMouse, 9),                                     // mouse: presses; and releases; drags; all moves
    one_of(ModeRow::kMouse, 1000), one_of(ModeRow::kMouse, 1002), one_of(ModeRow::kMouse, 1003),
    // Ours:
    one_of(ModeRow::kMouseEncoding, 1005),  // UTF-8; SGR; urxvt; SGR in pixels
    one_of(ModeRow::kMouseEncoding, 1006), one_of(ModeRow::kMouseEncoding, 1015), one_of(ModeRow::kMouseEncoding, 1016),
    ansi(20, &TerminalState::newline),                     // LNM
    quiet(5),                                              // reverse video
    quiet(1007),                                           // wheel as caret keys on the alternate screen
    drawing(1045, &TerminalState::extended_reverse_wrap),  // XTREVWRAP2
    quiet(2031),                                           // reports of a change of the colour scheme
    silent(12),                                            // blinking caret: a matter of the viewer's taste
    silent(2026),                                          // synchronized output: a latecomer must not wait for its end
    buffer(47), buffer(1047), buffer(1049),
    ModeRow{.number = 69,  // DECLRMM
            .home = Home::state,
            .flag = &TerminalState::horizontal_margins,
            .soft = true,
            .silent = true,
            .apart = true},
    ModeRow{.number = 40,  // allows DECCOLM
            .home = Home::state,
            .flag = &TerminalState::column_switch,
            .silent = true,
            .apart = true},
    ModeRow{.number = 3,  // DECCOLM
            .home = Home::state,
            .flag = &TerminalState::columns_132,
            .needs = &TerminalState::column_switch,
            .silent = true,
            .apart = true},
    ModeRow{.number = 1048, .home = Home::saved_caret, .soft = true, .silent = true, .apart = true},
    // Of no use here, but asked about:
    fixed(2, kOff, true),              // keyboard locked
    fixed(12, kOn, true),              // no local echo
    fixed(2, kOn),                     // not a VT52
    fixed(4, kOff),                    // smooth scrolling
    fixed(8, kOn),                     // keys repeat
    fixed(18, kOff),                   // printing: form feed, extent
    fixed(19, kOff), fixed(67, kOff),  // backspace key sends BS
    fixed(2027, kOn),                  // clusters share a place
    fixed(60, kOff),                   // DECHCCM: no page is wider than the screen
    // Of block terminals, as xterm tells of them:
    fixed(1, kOff, true), fixed(5, kOff, true), fixed(7, kOff, true),     // GATM, SRTM, VEM
    fixed(10, kOff, true), fixed(11, kOff, true), fixed(13, kOff, true),  // HEM, PUM, FEAM
    fixed(14, kOff, true), fixed(15, kOff, true), fixed(16, kOff, true),  // FETM, MATM, TTM
    fixed(17, kOff, true), fixed(18, kOff, true), fixed(19, kOff, true),  // SATM, TSM, EBM
};
static_assert(kRows.size() <= kMaxModeRows);

constexpr bool is_said_once(const ModeRow& row) {
  return std::count_if(kRows.begin(), kRows.end(), [&row](const ModeRow& other) {
           return other.number == row.number && other.ansi == row.ansi;
         }) == 1;
}
static_assert(std::all_of(kRows.begin(), kRows.end(), is_said_once));

}  // namespace

std::span<const ModeRow> mode_rows() {
  return kRows;
}

const ModeRow* mode_row(int number, bool ansi) {
  const auto found = std::find_if(kRows.begin(), kRows.end(), [number, ansi](const ModeRow& row) {
    return row.number == number && row.ansi == ansi;
  });
  return found == kRows.end() ? nullptr : &*found;
}

std::size_t index_of(const ModeRow& row) {
  return static_cast<std::size_t>(&row - kRows.data());
}

std::string switch_text(const ModeRow& row, bool on) {
  return (row.ansi ? "\x1b[" : "\x1b[?") + std::to_string(row.number) + (on ? "h" : "l");
}

}  // namespace ptyd
