#include "pty/modes.hpp"

#include <algorithm>
#include <array>

#include "pty/sequence.hpp"
#include "pty/utf8.hpp"

namespace ptyd {

namespace {

/// One row a mode. Rows with the same group exclude each other.
struct Row {
  int number;
  bool ansi;
  bool initially;
  bool in_preamble;  ///< false: known and reported, but the text that is replayed sets it itself
  int group;
  bool soft_reset;  ///< DECSTR puts it back
};

constexpr int kMouse = 1, kMouseEncoding = 2, kScreen = 3;

constexpr std::array kRows{
    Row{1, false, false, true, 0, true},           // application caret keys
    Row{66, false, false, true, 0, true},          // application keypad
    Row{2004, false, false, true, 0, false},       // bracketed paste
    Row{4, true, false, true, 0, true},            // insert
    Row{6, false, false, true, 0, true},           // origin
    Row{45, false, false, true, 0, false},         // reverse wrap
    Row{1004, false, false, true, 0, false},       // focus reports
    Row{7, false, true, true, 0, false},           // autowrap
    Row{25, false, true, true, 0, true},           // caret visible
    Row{9, false, false, true, kMouse, false},     // mouse: press only
    Row{1000, false, false, true, kMouse, false},  // press and release
    Row{1002, false, false, true, kMouse, false},  // and drag
    Row{1003, false, false, true, kMouse, false},  // and move
    Row{1005, false, false, true, kMouseEncoding, false},
    Row{1006, false, false, true, kMouseEncoding, false},
    Row{1015, false, false, true, kMouseEncoding, false},
    Row{1016, false, false, true, kMouseEncoding, false},
    Row{20, true, false, true, 0, false},     // new line
    Row{1007, false, false, true, 0, false},  // wheel as caret keys on the alternate screen
    Row{12, false, false, false, 0, false},   // blinking caret
    Row{47, false, false, false, kScreen, false},
    Row{1047, false, false, false, kScreen, false},
    Row{1049, false, false, false, kScreen, false},
    Row{2026, false, false, false, 0, false},  // synchronized output
};

constexpr std::size_t kNone = kRows.size();

std::size_t row_of(int number, bool ansi) {
  const auto found = std::find_if(kRows.begin(), kRows.end(),
                                  [&](const Row& row) { return row.number == number && row.ansi == ansi; });
  return static_cast<std::size_t>(found - kRows.begin());
}

std::string clean_title(std::string_view text) {
  const auto valid = utf8::repair(text);
  std::string title;
  std::size_t characters = 0;
  for (std::string_view rest = valid; !rest.empty() && characters < Modes::kMaxTitle;) {
    const auto one = rest.substr(0, utf8::character(rest));
    rest.remove_prefix(one.size());
    const bool control = static_cast<unsigned char>(one[0]) < 0x20 || one[0] == '\x7f' ||
                         (one.size() == 2 && one[0] == '\xc2' && static_cast<unsigned char>(one[1]) < 0xa0);
    if (control) continue;
    title += one;
    characters++;
  }
  return title;
}

}  // namespace

Modes::Modes() {
  reset();
}

void Modes::reset() {
  on_.assign(kRows.size(), false);
  for (std::size_t i = 0; i < kRows.size(); i++) on_[i] = kRows[i].initially;
  keyboard_.clear();
  line_drawing_ = false;
}

void Modes::soft_reset() {
  for (std::size_t i = 0; i < kRows.size(); i++)
    if (kRows[i].soft_reset) on_[i] = kRows[i].initially;
  line_drawing_ = false;
}

void Modes::feed(const Token& token) {
  if (token.cancelled || token.overlong) return;
  if (token.kind == TokenKind::csi) return feed_csi(token);
  if (token.kind == TokenKind::osc) return feed_osc(token);
  if (token.kind != TokenKind::escape) return;
  const auto body = token.bytes.substr(1);
  if (body == "c") reset();
  if (body == "=" || body == ">") set(66, false, body == "=");
  if (body.starts_with('(')) line_drawing_ = body == "(0";
}

void Modes::feed_csi(const Token& token) {
  // Colours and caret moves are nearly all there is: look no closer at them.
  const char final = token.bytes.back();
  if (final != 'h' && final != 'l' && final != 'u' && final != 'p') return;
  const auto csi = parse_csi(token);
  if (!csi) return;
  const bool is_set_or_reset = (final == 'h' || final == 'l') && csi->intermediates.empty();
  if (is_set_or_reset && (csi->leader == 0 || csi->leader == '?'))
    for (std::size_t i = 0; i < csi->count; i++) set(csi->params[i], csi->leader == 0, final == 'h');
  if (final == 'u' && csi->intermediates.empty()) feed_keyboard(csi->leader, csi->param(0, -1), csi->param(1, 1));
  if (csi->is(0, "!", 'p')) soft_reset();
}

void Modes::set(int number, bool ansi, bool on) {
  const auto row = row_of(number, ansi);
  if (row == kNone) return;
  if (const int group = kRows[row].group; on && group != 0)
    for (std::size_t i = 0; i < kRows.size(); i++)
      if (kRows[i].group == group) on_[i] = false;
  on_[row] = on;
}

/// The kitty keyboard protocol: push `>`, pop `<`, set `=`.
void Modes::feed_keyboard(char leader, int first, int second) {
  if (leader == '>') {
    if (keyboard_.size() == kMaxKeyboardStack) keyboard_.erase(keyboard_.begin());
    keyboard_.push_back(std::max(first, 0) & 31);
  } else if (leader == '<') {
    for (int left = std::max(first, 1); left > 0 && !keyboard_.empty(); left--) keyboard_.pop_back();
  } else if (leader == '=') {
    const int flags = std::max(first, 0) & 31;
    const int now = second == 2 ? keyboard_flags() | flags : second == 3 ? keyboard_flags() & ~flags : flags;
    keyboard_.assign(1, now);
  }
}

void Modes::feed_osc(const Token& token) {
  const auto payload = string_payload(token);
  if (payload && (payload->starts_with("0;") || payload->starts_with("2;"))) title_ = clean_title(payload->substr(2));
}

std::optional<bool> Modes::is_set(int number, bool ansi) const {
  const auto row = row_of(number, ansi);
  if (row == kNone) return std::nullopt;
  return on_[row];
}

std::string Modes::preamble() const {
  std::string text;
  for (std::size_t i = 0; i < kRows.size(); i++) {
    const auto& row = kRows[i];
    if (!row.in_preamble || on_[i] == row.initially) continue;
    text += std::string(row.ansi ? "\x1b[" : "\x1b[?") + std::to_string(row.number) + (on_[i] ? "h" : "l");
  }
  if (keyboard_flags() != 0) text += "\x1b[=" + std::to_string(keyboard_flags()) + ";1u";
  if (line_drawing_) text += "\x1b(0";
  return text;
}

std::string mode_reset_sequence() {
  // DECSTR first: it also forgets margins without moving the caret. 1047 leaves the alternate screen without moving it.
  std::string text = "\x1b[!p\x1b[?1047l";
  for (const auto& row : kRows)
    if (row.group != kScreen)
      text += std::string(row.ansi ? "\x1b[" : "\x1b[?") + std::to_string(row.number) + (row.initially ? "h" : "l");
  return text + "\x1b>\x1b[=0;1u\x1b[>4m\x1b(B\x0f\x1b[m";
}

}  // namespace ptyd
