#include "pty/queries.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "pty/sequence.hpp"

namespace ptyd {

namespace {

using Kind = Query::Kind;

/// VT220 with colour: what every emulator that people use can do.
constexpr std::string_view kPrimaryAttributes = "\x1b[?62;22c";
/// A version that programs take for an xterm with SGR mouse reports.
constexpr std::string_view kSecondaryAttributes = "\x1b[>0;276;0c";
/// Colours of a terminal whose viewers have announced none.
constexpr std::uint32_t kForeground = 0xe6e6e6, kBackground = 0x101418, kCaretColour = 0xe6e6e6;

/// Settings a viewer may be asked for by DECRQSS; anything else would be reflected by some.
constexpr std::array<std::string_view, 8> kSettings{"m", "r", "s", " q", "\"p", "\"q", "t", "*|"};
/// Capabilities (in hex) a viewer may be asked for by XTGETTCAP: TN, Co, RGB, Tc.
constexpr std::array<std::string_view, 4> kCapabilities{"544e", "436f", "524742", "5463"};

Query answered(std::string answer) {
  return {Kind::answered, std::move(answer)};
}

Query device_status(const Csi& csi) {
  if (csi.leader == 0 && csi.param(0, 0) == 5) return answered("\x1b[0n");
  return {Kind::viewer, {}};
}

/// DECRPM: 1 set, 2 reset, 0 not known.
Query mode_report(const Csi& csi, const Modes& modes) {
  const bool ansi = csi.leader == 0;
  const int number = csi.param(0, 0);
  const auto on = modes.is_set(number, ansi);
  return answered(std::string(ansi ? "\x1b[" : "\x1b[?") + std::to_string(number) + ";" +
                  (!on   ? "0"
                   : *on ? "1"
                         : "2") +
                  "$y");
}

/// CSI ... t: sizes and states can be told, titles cannot (CVE-2003-0063).
Query window_report(const Csi& csi) {
  if (csi.leader != 0 || !csi.intermediates.empty()) return {};
  switch (csi.param(0, 0)) {
    case 11:
    case 13:
    case 14:
    case 15:
    case 16:
    case 18:
    case 19:
      return {Kind::viewer, {}};
    case 20:
    case 21:
      return {Kind::refused, {}};
    default:
      return {};
  }
}

std::string version_report(const ViewerTraits& traits) {
  return "\x1bP>|" + (traits.emulator.empty() ? std::string("ptyd(" PTYD_VERSION ")") : traits.emulator) + "\x1b\\";
}

/// Sequences that are questions by leader, intermediates and final byte alone.
struct CsiRow {
  char leader;
  std::string_view intermediates;
  char final;
  Kind kind;
};
constexpr std::array kCsiRows{
    CsiRow{'=', "", 'c', Kind::viewer},   // DA3
    CsiRow{0, "", 'x', Kind::viewer},     // DECREQTPARM
    CsiRow{'?', "", 'u', Kind::viewer},   // kitty keyboard flags
    CsiRow{'?', "", 'm', Kind::viewer},   // XTQMODKEYS
    CsiRow{0, "*", 'y', Kind::refused},   // DECRQCRA: reads the screen
    CsiRow{0, "$", 'w', Kind::refused},   // DECRQPSR
    CsiRow{0, "$", 'u', Kind::refused},   // DECRQTSR
    CsiRow{0, "+", 'x', Kind::refused},   // DECRQPKFM
    CsiRow{0, "\"", 'v', Kind::refused},  // DECRQDE
    CsiRow{0, "&", 'u', Kind::refused},   // DECRQUPSS
    CsiRow{0, "#", 'R', Kind::refused},   // XTREPORTCOLORS
    CsiRow{0, "#", '|', Kind::refused},   // XTREPORTSGR
};

Query classify_csi(const Token& token, const Modes& modes, const ViewerTraits& traits) {
  // Colours and caret moves are nearly all there is: look no closer at them.
  if (std::string_view("cnptSquxmywvR|").find(token.bytes.back()) == std::string_view::npos) return {};
  if (token.bytes.back() == 'm' && token.bytes.find('?') == std::string_view::npos) return {};
  const auto csi = parse_csi(token);
  if (!csi) return {};
  if (csi->is(0, "", 'c') || csi->is('>', "", 'c')) {
    if (csi->param(0, 0) != 0) return {};
    return answered(std::string(csi->leader == 0 ? kPrimaryAttributes : kSecondaryAttributes));
  }
  if (csi->is(0, "", 'n') || csi->is('?', "", 'n')) return device_status(*csi);
  if (csi->is(0, "$", 'p') || csi->is('?', "$", 'p')) return mode_report(*csi, modes);
  if (csi->is('>', "", 'q')) return answered(version_report(traits));
  if (csi->is('?', "", 'S') && csi->param(1, 0) == 1) return {Kind::viewer, {}};  // XTSMGRAPHICS, read
  if (csi->final == 't') return window_report(*csi);
  const auto row = std::find_if(kCsiRows.begin(), kCsiRows.end(), [&](const CsiRow& each) {
    return csi->is(each.leader, each.intermediates, each.final);
  });
  return {row == kCsiRows.end() ? Kind::none : row->kind, {}};
}

std::string colour_report(std::string_view number, std::uint32_t colour, std::string_view terminator) {
  char text[32];
  const unsigned red = colour >> 16 & 0xff, green = colour >> 8 & 0xff, blue = colour & 0xff;
  std::snprintf(text, sizeof text, ";rgb:%02x%02x/%02x%02x/%02x%02x", red, red, green, green, blue, blue);
  return "\x1b]" + std::string(number) + text + std::string(terminator);
}

bool is_number(std::string_view text) {
  return !text.empty() && text.size() <= 3 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Query classify_osc(const Token& token, const ViewerTraits& traits) {
  const auto payload = string_payload(token);
  if (!payload || payload->find('?') == payload->npos) return {};
  const auto number = payload->substr(0, payload->find(';'));
  const auto rest = payload->substr(std::min(payload->size(), number.size() + 1));
  const auto end = string_terminator(token);
  if (rest == "?") {
    if (number == "10") return answered(colour_report(number, traits.foreground.value_or(kForeground), end));
    if (number == "11") return answered(colour_report(number, traits.background.value_or(kBackground), end));
    if (number == "12") return answered(colour_report(number, traits.cursor_colour.value_or(kCaretColour), end));
    if (number.size() == 2 && number >= "13" && number <= "19") return {Kind::viewer, {}};
  }
  const bool palette = number == "4" || number == "5";
  if (palette && rest.ends_with(";?") && is_number(rest.substr(0, rest.size() - 2))) return {Kind::viewer, {}};
  // Fonts (CVE-2022-45063), the clipboard, lists of colours: asked in forms whose answers a program could shape.
  const bool asks =
      palette || number == "50" || number == "52" || number == "21" || (number.size() == 2 && number[0] == '1');
  return {asks && (rest == "?" || rest.ends_with(";?") || number == "50") ? Kind::refused : Kind::none, {}};
}

Query classify_dcs(const Token& token) {
  const auto payload = string_payload(token);
  if (!payload) return {};
  const auto among = [](const auto& known, std::string_view asked) {
    return std::find(known.begin(), known.end(), asked) != known.end() ? Kind::viewer : Kind::refused;
  };
  if (payload->starts_with("$q")) return {among(kSettings, payload->substr(2)), {}};
  if (payload->starts_with("+q")) return {among(kCapabilities, payload->substr(2)), {}};
  return {};
}

}  // namespace

Query classify(const Token& token, const Modes& modes, const ViewerTraits& traits) {
  if (token.kind == TokenKind::control) {
    if (token.bytes == "\x05") return {Kind::refused, {}};  // ENQ: the answerback is empty
    if (token.bytes == "\xc2\x9a") return answered(std::string(kPrimaryAttributes));
    return {};
  }
  if (token.cancelled || token.overlong || token.bytes.empty()) return {};
  switch (token.kind) {
    case TokenKind::csi:
      return classify_csi(token, modes, traits);
    case TokenKind::osc:
      return classify_osc(token, traits);
    case TokenKind::dcs:
      return classify_dcs(token);
    case TokenKind::escape:
      return token.bytes == "\x1bZ" ? answered(std::string(kPrimaryAttributes)) : Query{};  // DECID
    default:
      return {};
  }
}

}  // namespace ptyd
