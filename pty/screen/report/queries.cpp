#include "pty/screen/report/queries.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "pty/screen/mode_rows.hpp"
#include "pty/screen/report/checksum.hpp"
#include "pty/screen/report/query_strings.hpp"
#include "pty/screen/screen.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {
namespace {

using Kind = Query::Kind;

/// VT220 with colour: what every emulator that people use can do.
constexpr std::string_view kPrimaryAttributes = "\x1b[?62;22c";
/// A version that programs take for an xterm with SGR mouse reports.
constexpr std::string_view kSecondaryAttributes = "\x1b[>0;276;0c";
/// DECRPTUI of a terminal without a serial number.
constexpr std::string_view kTertiaryAttributes = "\x1bP!|00000000\x1b\\";

Query answered(std::string answer) {
  return {Kind::answered, std::move(answer)};
}
Query answered(std::string_view answer) {
  return answered(std::string(answer));
}
Query refused() {
  return {Kind::refused};
}

/// CSI `leader` numbers `final`.
std::string report(std::string_view leader, std::initializer_list<int> numbers, std::string_view final) {
  std::string text = "\x1b[" + std::string(leader);
  for (const int& number : numbers) text += (&number == numbers.begin() ? "" : ";") + std::to_string(number);
  return text + std::string(final);
}

/// Queries with one fixed answer.
struct FixedRow {
  int number;
  std::string_view answer;
};

/// CSI ? n: devices that are not there.
constexpr std::array kStatus{
    FixedRow{15, "\x1b[?13n"},        // no printer
    FixedRow{25, "\x1b[?20n"},        // user-defined keys are unlocked
    FixedRow{26, "\x1b[?27;1;0;0n"},  // a North American keyboard
    FixedRow{53, "\x1b[?50n"},        // no locator
    FixedRow{55, "\x1b[?50n"},        // no locator
    FixedRow{56, "\x1b[?57;0n"},      // of no type
    FixedRow{62, "\x1b[0*{"},         // no room for macros
    FixedRow{75, "\x1b[?70n"},        // data are whole
    FixedRow{85, "\x1b[?83n"},        // one session
};

/// CPR: counted from the margins in origin mode.
Query caret_report(std::string_view leader, const TerminalState& state) {
  const int top = state.origin ? state.top : 0, left = state.origin ? state.left : 0;
  return answered(report(leader, {state.caret.row - top + 1, state.caret.column - left + 1}, "R"));
}

/// The colour scheme, by the luminance of the background: 1 dark, 2 light.
Query scheme_report(const Screen& screen, const ViewerTraits& traits) {
  const auto colour = dynamic_colour(11, screen.modes().palette(), traits);
  if (!colour) return refused();
  const std::uint32_t light = 299 * (*colour >> 16 & 0xff) + 587 * (*colour >> 8 & 0xff) + 114 * (*colour & 0xff);
  return answered(report("?997;", {light < 128'000 ? 1 : 2}, "n"));
}

/// DECCKSR: the checksum of the memory for macros, which is empty, with the id of the question.
Query macros_report(const Csi& csi) {
  return answered(dcs(std::to_string(csi.param(1, 0)) + "!~0000"));
}

Query device_status(const Csi& csi, const Screen& screen, const ViewerTraits& traits) {
  const int what = csi.param(0, 0);
  if (what == 6) return caret_report(csi.leader == 0 ? "" : "?", screen.state());
  if (csi.leader == 0) return what == 5 ? answered(std::string_view("\x1b[0n")) : refused();
  if (what == 996) return scheme_report(screen, traits);
  if (what == 63) return macros_report(csi);
  const auto row = std::find_if(kStatus.begin(), kStatus.end(), [&](const auto& each) { return each.number == what; });
  return row == kStatus.end() ? refused() : answered(row->answer);
}

Query attributes(const Csi& csi, const Screen&, const ViewerTraits&) {
  if (csi.param(0, 0) != 0) return refused();
  return answered(csi.leader == 0     ? kPrimaryAttributes
                  : csi.leader == '>' ? kSecondaryAttributes
                                      : kTertiaryAttributes);
}

/// Whether the viewer's emulator is one of these, by the name that it has in XTVERSION.
bool is_one_of(std::initializer_list<std::string_view> names, const ViewerTraits& traits) {
  const std::string_view emulator = traits.emulator;
  return std::find(names.begin(), names.end(), emulator.substr(0, emulator.find_first_of(" ("))) != names.end();
}

/// Whether the viewer's emulator scrolls between left and right margins. Others are told that it does not: xterm.js
/// ignores such margins, and text that a program scrolls between them would tear.
bool follows_side_margins(const ViewerTraits& traits) {
  return is_one_of({"XTerm", "WezTerm", "iTerm2", "contour", "ghostty", "mintty"}, traits);
}

/// Whether the viewer's emulator sends keys by kitty's protocol. With others there is no answer: a program that was
/// told of the protocol would wait for keys that never come.
bool sends_kitty_keys(const ViewerTraits& traits) {
  return is_one_of({"kitty", "foot", "WezTerm", "iTerm2", "ghostty", "rio"}, traits);
}

/// DECRPM: 1 set, 2 reset, 3 always set, 4 always reset, 0 not known.
Query mode_report(const Csi& csi, const Screen& screen, const ViewerTraits& traits) {
  const bool ansi = csi.leader == 0;
  const int number = csi.param(0, 0);
  const ModeRow* const row = mode_row(number, ansi);
  const bool hidden =
      row != nullptr && row->flag == &TerminalState::horizontal_margins && !follows_side_margins(traits);
  int state = 0;
  if (row != nullptr && !hidden) {
    // A caret that was never saved can be restored all the same: of 1048 xterm always tells that it is set.
    const bool set = row->home == ModeRow::Home::saved_caret || screen.mode(*row);
    state = (row->home == ModeRow::Home::fixed ? 3 : 1) + (set ? 0 : 1);
  }
  return answered(report(ansi ? "" : "?", {number, state}, "$y"));
}

/// CSI ... t: sizes and states can be told, titles cannot (CVE-2003-0063).
Query window_report(const Csi& csi, const Screen& screen, const ViewerTraits& traits) {
  const Size size = screen.grid().size(), cell = traits.cell_size.value_or(kDefaultCellSize);
  switch (csi.param(0, 0)) {
    case 11:
      return answered(report("", {1}, "t"));  // not an icon
    case 13:
      return answered(report("", {3, 0, 0}, "t"));  // in the corner
    case 14:
      return answered(report("", {4, size.rows * cell.rows, size.cols * cell.cols}, "t"));
    case 15:
      return answered(report("", {5, size.rows * cell.rows, size.cols * cell.cols}, "t"));
    case 16:
      return answered(report("", {6, cell.rows, cell.cols}, "t"));
    case 18:
      return answered(report("", {8, size.rows, size.cols}, "t"));
    case 19:
      return answered(report("", {9, size.rows, size.cols}, "t"));
    case 20:
    case 21:
      return refused();
    default:
      return {};
  }
}

/// XTVERSION: the name that a viewer has announced, without characters that are not printable.
Query version_report(const Csi&, const Screen&, const ViewerTraits& traits) {
  std::string name = traits.emulator.substr(0, 64);
  std::erase_if(name, [](unsigned char c) { return c < 0x20 || c > 0x7E; });
  if (name.empty()) name = "ptyd(" PTYD_VERSION ")";
  return answered(dcs(">|" + name));
}

/// XTSMGRAPHICS: there are none. 1 no such item, 3 failed.
Query graphics_report(const Csi& csi, const Screen&, const ViewerTraits&) {
  const int item = csi.param(0, 0);
  return answered(report("?", {item, item >= 1 && item <= 3 ? 3 : 1, 0}, "S"));
}

/// DECREPTPARM: no parity, 8 bits, 38400 baud both ways.
Query parameters_report(const Csi& csi, const Screen&, const ViewerTraits&) {
  const int which = csi.param(0, 0);
  return which > 1 ? refused() : answered(report("", {which + 2, 1, 1, 128, 128, 1, 0}, "x"));
}

/// XTQMODKEYS
Query modified_keys_report(const Csi& csi, const Screen& screen, const ViewerTraits&) {
  return csi.param(0, 0) == 4 ? answered(report(">4;", {screen.modes().other_keys()}, "m")) : refused();
}

/// Kitty's keyboard flags. Silence says that there are none: programs ask for DA1 behind it.
Query keyboard_report(const Csi&, const Screen& screen, const ViewerTraits& traits) {
  if (!sends_kitty_keys(traits)) return refused();
  return answered(report("?", {screen.modes().keyboard_flags(screen.grid().active())}, "u"));
}

/// DECRQLP: there is no locator.
Query locator_report(const Csi&, const Screen&, const ViewerTraits&) {
  return answered(report("", {0}, "&w"));
}

/// DECRQPSR 2: tab stops. 1 would tell charsets by the letters that the program designated them with.
Query presentation_report(const Csi& csi, const Screen& screen, const ViewerTraits&) {
  if (csi.param(0, 0) != 2) return refused();
  std::string stops;
  const auto& tabs = screen.state().tabs;
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    if (tabs[i]) stops += (stops.empty() ? "" : "/") + std::to_string(i + 1);
  }
  return answered(dcs("2$u" + stops));
}

/// DECRQCRA: id ; page ; top ; left ; bottom ; right, from the margins in origin mode.
Query checksum_report(const Csi& csi, const Screen& screen, const QueryOptions& options) {
  if (!options.answer_checksums) return refused();
  const TerminalState& state = screen.state();
  const int top = state.origin ? state.top : 0, left = state.origin ? state.left : 0;
  const Size size = screen.grid().size();
  const Area area{top + csi.param(2, 1) - 1, left + csi.param(3, 1) - 1, top + csi.param(4, size.rows),
                  left + csi.param(5, size.cols)};
  char digits[8];
  std::snprintf(digits, sizeof digits, "%04X",
                static_cast<unsigned>(checksum(screen.grid(), area, screen.modes().checksum_flags())));
  return answered(dcs(std::to_string(csi.param(0, 0)) + "!~" + digits));
}

/// A question by leader, intermediates and final byte. Where `answer` is null it is refused.
struct CsiRow {
  char leader;
  std::string_view intermediates;
  char final;
  Query (*answer)(const Csi&, const Screen&, const ViewerTraits&);
};
constexpr std::array kCsiRows{
    CsiRow{0, "", 'c', attributes},
    CsiRow{'>', "", 'c', attributes},
    CsiRow{'=', "", 'c', attributes},
    CsiRow{0, "", 'n', device_status},
    CsiRow{'?', "", 'n', device_status},
    CsiRow{0, "$", 'p', mode_report},
    CsiRow{'?', "$", 'p', mode_report},
    CsiRow{'>', "", 'q', version_report},
    CsiRow{0, "", 't', window_report},
    CsiRow{0, "", 'x', parameters_report},
    CsiRow{'?', "", 'u', keyboard_report},
    CsiRow{'?', "", 'm', modified_keys_report},
    CsiRow{'?', "", 'S', graphics_report},
    CsiRow{0, "'", '|', locator_report},
    CsiRow{0, "$", 'w', presentation_report},
    CsiRow{'?', "", 'g', nullptr},  // XTQFMTKEYS
    CsiRow{0, "#", 'y', nullptr},   // XTCHECKSUM: for terminals that answer DECRQCRA, as no viewer does
    CsiRow{0, "$", 'u', nullptr},   // DECRQTSR
    CsiRow{0, "+", 'x', nullptr},   // DECRQPKFM
    CsiRow{0, "\"", 'v', nullptr},  // DECRQDE
    CsiRow{0, "&", 'u', nullptr},   // DECRQUPSS
    CsiRow{0, "#", 'R', nullptr},   // XTREPORTCOLORS
    CsiRow{0, "#", 'S', nullptr},   // XTREPORTGRAPHICS
    CsiRow{0, "#", '|', nullptr},   // XTREPORTSGR
};

/// Colours and caret moves are nearly all there is: look no closer at them.
bool can_ask(std::string_view csi) {
  constexpr std::string_view kFinals = "cnptSquxywvR|g";
  const char final = csi.back();
  if (final == 'm') return csi.find('?') != csi.npos;
  return kFinals.find(final) != kFinals.npos;
}

Query classify_csi(const Token& token, const Screen& screen, const ViewerTraits& traits, const QueryOptions& options) {
  if (!can_ask(token.bytes)) return {};
  const auto csi = parse_csi(token);
  if (!csi) return {};
  if (csi->is(0, "*", 'y')) return checksum_report(*csi, screen, options);
  const auto row = std::find_if(kCsiRows.begin(), kCsiRows.end(), [&](const CsiRow& each) {
    return csi->is(each.leader, each.intermediates, each.final);
  });
  if (row == kCsiRows.end()) return {};
  return row->answer == nullptr ? refused() : row->answer(*csi, screen, traits);
}

constexpr char kEnq = 0x05;

/// ENQ is obeyed inside a sequence too. Its answer would be the answerback string, which is empty here.
bool holds_enquiry(std::string_view sequence) {
  return sequence.find(kEnq) != sequence.npos;
}

constexpr Escape kDecid{0, 'Z'};

}  // namespace

Query classify(const Token& token, const Screen& screen, const ViewerTraits& traits, const QueryOptions& options) {
  switch (token.kind) {
    case TokenKind::text:
      return {};
    case TokenKind::control:
      if (holds_enquiry(token.bytes)) return refused();
      return token.bytes == "\xC2\x9A" ? answered(kPrimaryAttributes) : Query{};  // DECID
    case TokenKind::escape:
    case TokenKind::csi:
      if (token.overlong || holds_enquiry(token.bytes)) return refused();
      if (token.cancelled) return {};
      if (token.kind == TokenKind::csi) return classify_csi(token, screen, traits, options);
      return parse_escape(token) == kDecid ? answered(kPrimaryAttributes) : Query{};
    case TokenKind::osc:
    case TokenKind::dcs:
    case TokenKind::string:
      return classify_string(token, screen, traits);
  }
  return {};
}

std::optional<std::string_view> agent_event(const Token& token) {
  constexpr std::string_view kName = "633;T3CODE_AGENT_EVENT=";
  if (token.kind != TokenKind::osc) return std::nullopt;
  const auto payload = string_payload(token);
  if (!payload || !payload->starts_with(kName)) return std::nullopt;
  return payload->substr(kName.size());
}

std::string clipboard_sequence(std::string_view selections, std::string_view base64) {
  return "\x1b]52;" + std::string(selections) + ";" + std::string(base64) + "\a";
}

}  // namespace ptyd
