#include "pty/queries.hpp"

#include <algorithm>
#include <array>

#include "pty/query_strings.hpp"
#include "pty/sequence.hpp"

namespace ptyd {
namespace {

using Kind = Query::Kind;

/// VT220 with colour: what every emulator that people use can do.
constexpr std::string_view kPrimaryAttributes = "\x1b[?62;22c";
/// A version that programs take for an xterm with SGR mouse reports.
constexpr std::string_view kSecondaryAttributes = "\x1b[>0;276;0c";

Query answered(std::string_view answer) {
  return {Kind::answered, std::string(answer)};
}

/// DSR 5 is always well; the rest only a viewer knows.
Query device_status(const Csi& csi) {
  if (csi.leader == 0 && csi.param(0, 0) == 5) return answered("\x1b[0n");
  return {csi.param(0, 0) == 0 ? Kind::refused : Kind::viewer, {}};
}

Query attributes(const Csi& csi) {
  if (csi.leader == '=') return {Kind::viewer, {}};
  if (csi.param(0, 0) != 0) return {Kind::refused, {}};
  return answered(csi.leader == 0 ? kPrimaryAttributes : kSecondaryAttributes);
}

/// DECRPM: 1 set, 2 reset, 0 not known.
Query mode_report(const Csi& csi, const Modes& modes) {
  const bool ansi = csi.leader == 0;
  const int number = csi.param(0, 0);
  const auto on = modes.is_set(number, ansi);
  const char* state = !on ? ";0$y" : *on ? ";1$y" : ";2$y";
  return answered((ansi ? "\x1b[" : "\x1b[?") + std::to_string(number) + state);
}

/// CSI ... t: sizes and states can be told, titles cannot (CVE-2003-0063).
Query window_report(const Csi& csi) {
  constexpr std::array kHarmless{11, 13, 14, 15, 16, 18, 19};
  const int what = csi.param(0, 0);
  if (what == 20 || what == 21) return {Kind::refused, {}};
  const bool asks = std::find(kHarmless.begin(), kHarmless.end(), what) != kHarmless.end();
  return {asks ? Kind::viewer : Kind::none, {}};
}

/// A viewer announces the name; what is not printable is not repeated.
Query version_report(const ViewerTraits& traits) {
  std::string name = traits.emulator.substr(0, 64);
  std::erase_if(name, [](unsigned char c) { return c < 0x20 || c > 0x7E; });
  if (name.empty()) name = "ptyd(" PTYD_VERSION ")";
  return answered("\x1bP>|" + name + "\x1b\\");
}

/// Sequences that are questions by leader, intermediates and final byte alone.
struct CsiRow {
  char leader;
  std::string_view intermediates;
  char final;
  Kind kind;
};
constexpr std::array kCsiRows{
    CsiRow{0, "", 'x', Kind::viewer},     // DECREQTPARM
    CsiRow{'?', "", 'u', Kind::viewer},   // kitty keyboard flags
    CsiRow{'?', "", 'm', Kind::viewer},   // XTQMODKEYS
    CsiRow{'?', "", 'g', Kind::viewer},   // XTQFMTKEYS
    CsiRow{'?', "", 'S', Kind::viewer},   // XTSMGRAPHICS
    CsiRow{0, "'", '|', Kind::viewer},    // DECRQLP
    CsiRow{0, "*", 'y', Kind::refused},   // DECRQCRA: reads the screen
    CsiRow{0, "$", 'w', Kind::refused},   // DECRQPSR
    CsiRow{0, "$", 'u', Kind::refused},   // DECRQTSR
    CsiRow{0, "+", 'x', Kind::refused},   // DECRQPKFM
    CsiRow{0, "\"", 'v', Kind::refused},  // DECRQDE
    CsiRow{0, "&", 'u', Kind::refused},   // DECRQUPSS
    CsiRow{0, "#", 'R', Kind::refused},   // XTREPORTCOLORS
    CsiRow{0, "#", 'S', Kind::refused},   // XTREPORTGRAPHICS
    CsiRow{0, "#", '|', Kind::refused},   // XTREPORTSGR
};

Query classify_row(const Csi& csi) {
  const auto row = std::find_if(kCsiRows.begin(), kCsiRows.end(), [&](const CsiRow& each) {
    return csi.is(each.leader, each.intermediates, each.final);
  });
  return {row == kCsiRows.end() ? Kind::none : row->kind, {}};
}

Query classify_csi(const Csi& csi, const Modes& modes, const ViewerTraits& traits) {
  const bool plain = csi.intermediates.empty();
  if (plain && csi.final == 'c' && csi.leader != '?') return attributes(csi);
  if (plain && csi.final == 'n' && (csi.leader == 0 || csi.leader == '?')) return device_status(csi);
  if (csi.is(0, "$", 'p') || csi.is('?', "$", 'p')) return mode_report(csi, modes);
  if (csi.is('>', "", 'q')) return version_report(traits);
  if (csi.is(0, "", 't')) return window_report(csi);
  return classify_row(csi);
}

/// Colours and caret moves are nearly all there is: look no closer at them.
bool can_ask(std::string_view csi) {
  constexpr std::string_view kFinals = "cnptSquxmywvR|g";
  const char final = csi.back();
  if (final == 'm') return csi.find('?') != csi.npos;
  return kFinals.find(final) != kFinals.npos;
}

constexpr char kEnq = 0x05;

/// ENQ is obeyed inside a sequence too. Its answer would be the answerback string, which is empty here.
bool holds_enquiry(std::string_view sequence) {
  return sequence.find(kEnq) != sequence.npos;
}

/// ESC Z, perhaps with controls in between, but no intermediates.
bool is_decid(std::string_view escape) {
  return escape.back() == 'Z' &&
         std::none_of(escape.begin(), escape.end(), [](char c) { return c >= ' ' && c <= '/'; });
}

Query classify_sequence(const Token& token, const Modes& modes, const ViewerTraits& traits) {
  if (token.overlong || holds_enquiry(token.bytes)) return {Kind::refused, {}};
  if (token.cancelled) return {};
  if (token.kind == TokenKind::escape) return is_decid(token.bytes) ? answered(kPrimaryAttributes) : Query{};
  if (!can_ask(token.bytes)) return {};
  const auto csi = parse_csi(token);
  return csi ? classify_csi(*csi, modes, traits) : Query{};
}

}  // namespace

Query classify(const Token& token, const Modes& modes, const ViewerTraits& traits) {
  switch (token.kind) {
    case TokenKind::text:
      return {};
    case TokenKind::control:
      if (holds_enquiry(token.bytes)) return {Kind::refused, {}};
      return token.bytes == "\xC2\x9A" ? answered(kPrimaryAttributes) : Query{};  // DECID
    case TokenKind::escape:
    case TokenKind::csi:
      return classify_sequence(token, modes, traits);
    case TokenKind::osc:
    case TokenKind::dcs:
    case TokenKind::string:
      return classify_string(token, traits);
  }
  return {};
}

}  // namespace ptyd
