#include "pty/modes.hpp"

#include <algorithm>
#include <array>

#include "pty/sequence.hpp"
#include "pty/utf8.hpp"

namespace ptyd {
namespace {

constexpr bool kSoft = true, kSilent = true;

constexpr std::array kRows{
    // The reference's, in its order:
    ModeRow{1, false, false, kSoft},                          // application caret keys
    ModeRow{66, false, false, kSoft},                         // application keypad
    ModeRow{2004, false, false, kSoft},                       // bracketed paste
    ModeRow{4, true, false, kSoft},                           // insert
    ModeRow{6, false, false, kSoft},                          // origin
    ModeRow{45, false, false, kSoft},                         // reverse wrap
    ModeRow{1004, false, false, kSoft},                       // focus reports
    ModeRow{7, false, true, kSoft},                           // autowrap
    ModeRow{25, false, true, kSoft},                          // caret visible
    ModeRow{9, false, false, false, false, ModeRow::kMouse},  // mouse: presses; and releases; drags; all moves
    ModeRow{1000, false, false, false, false, ModeRow::kMouse},
    ModeRow{1002, false, false, false, false, ModeRow::kMouse},
    ModeRow{1003, false, false, false, false, ModeRow::kMouse},
    // Ours:
    ModeRow{1005, false, false, false, false, ModeRow::kMouseEncoding},  // UTF-8; SGR; urxvt; SGR in pixels
    ModeRow{1006, false, false, false, false, ModeRow::kMouseEncoding},
    ModeRow{1015, false, false, false, false, ModeRow::kMouseEncoding},
    ModeRow{1016, false, false, false, false, ModeRow::kMouseEncoding},
    ModeRow{20, true},                                            // new line
    ModeRow{5},                                                   // reverse video
    ModeRow{1007},                                                // wheel as caret keys on the alternate screen
    ModeRow{2031},                                                // reports of a change of the colour scheme
    ModeRow{12, false, false, false, kSilent},                    // blinking caret: a matter of the viewer's taste
    ModeRow{2026, false, false, false, kSilent},                  // synchronized output: a latecomer must not wait
    ModeRow{47, false, false, false, kSilent, ModeRow::kScreen},  // restored, but in its own way
    ModeRow{1047, false, false, false, kSilent, ModeRow::kScreen},
    ModeRow{1049, false, false, false, kSilent, ModeRow::kScreen},
};

/// Switching it moves the caret.
constexpr int kOrigin = 6;

constexpr std::size_t kNone = kRows.size();

std::size_t row_of(int number, bool ansi) {
  const auto found = std::find_if(kRows.begin(), kRows.end(),
                                  [&](const ModeRow& row) { return row.number == number && row.ansi == ansi; });
  return static_cast<std::size_t>(found - kRows.begin());
}

bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  return first < 0x20 || first == 0x7F || (first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0);
}

std::string clean_title(std::string_view text) {
  const std::string valid = utf8::repair(text);
  std::string title;
  std::size_t characters = 0;
  for (std::string_view rest = valid; !rest.empty() && characters < Modes::kMaxTitle;) {
    const std::string_view one = rest.substr(0, utf8::character(rest));
    rest.remove_prefix(one.size());
    if (is_control(one)) continue;
    title += one;
    ++characters;
  }
  return title;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::optional<std::string> percent_decoded(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      plain += text[i];
      continue;
    }
    if (i + 2 >= text.size() || hex_digit(text[i + 1]) < 0 || hex_digit(text[i + 2]) < 0) return std::nullopt;
    plain += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
    i += 2;
  }
  return plain;
}

/// The path in `file://host/path`; nothing when there is none that can be shown.
std::optional<std::string> path_of(std::string_view url) {
  constexpr std::string_view kScheme = "file://";
  if (!url.starts_with(kScheme)) return std::nullopt;
  const std::size_t slash = url.find('/', kScheme.size());
  if (slash == url.npos) return std::nullopt;
  auto path = percent_decoded(url.substr(slash));
  const auto control = [](unsigned char c) { return c < 0x20 || c == 0x7F; };
  if (!path || path->size() > Modes::kMaxCwd || std::any_of(path->begin(), path->end(), control) ||
      !utf8::valid(*path)) {
    return std::nullopt;
  }
  return path;
}

bool is_screen_switch(const Csi& csi) {
  const auto is_screen = [](int number) { return number == 47 || number == 1047 || number == 1049; };
  return (csi.is('?', "", 'h') || csi.is('?', "", 'l')) &&
         std::any_of(csi.params.begin(), csi.params.begin() + static_cast<std::ptrdiff_t>(csi.count), is_screen);
}

/// Whether a text enters or leaves the alternate screen.
class FindsSwitch final : public TokenSink {
 public:
  void on_token(const Token& token) override {
    if (found || token.kind != TokenKind::csi || (token.bytes.back() | 4) != 'l') return;
    const auto csi = parse_csi(token);
    found = csi && is_screen_switch(*csi);
  }
  bool found = false;
};

bool switches_screen(std::string_view text) {
  FindsSwitch finder;
  Scanner().scan(text, finder);
  return finder.found;
}

}  // namespace

std::span<const ModeRow> mode_rows() {
  return kRows;
}

std::string switch_text(const ModeRow& row, bool on) {
  return (row.ansi ? "\x1b[" : "\x1b[?") + std::to_string(row.number) + (on ? "h" : "l");
}

Modes::Modes() {
  static_assert(kRows.size() <= kMaxRows);
  reset();
}

void Modes::reset() {
  for (std::size_t i = 0; i < kRows.size(); ++i) on_[i] = kRows[i].initially;
  charsets_[0] = charsets_[1] = 'B';
  shifted_out_ = false;
  caret_style_ = other_keys_ = 0;
  keyboard_[0].clear();
  keyboard_[1].clear();
  palette_.reset();
}

/// DECSTR, as xterm.js does it.
void Modes::soft_reset() {
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[i].soft) on_[i] = kRows[i].initially;
  }
  charsets_[0] = charsets_[1] = 'B';
  shifted_out_ = false;
}

void Modes::feed(const Token& token) {
  if (token.cancelled || token.overlong) return;
  if (token.kind == TokenKind::csi) {
    feed_csi(token);
  } else if (token.kind == TokenKind::osc) {
    feed_osc(token);
  } else if (token.kind == TokenKind::escape) {
    feed_escape(token.bytes.substr(1));
  } else if (token.bytes == "\x0e" || token.bytes == "\x0f") {
    shifted_out_ = token.bytes == "\x0e";
  }
}

void Modes::feed_escape(std::string_view body) {
  if (body == "c") reset();
  if (body == "=" || body == ">") set(66, false, body == "=");
  // Line drawing and the British pound are what is left of charsets; any other is as good as ASCII.
  if (body.size() == 2 && (body[0] == '(' || body[0] == ')')) {
    charsets_[body[0] == '(' ? 0 : 1] = body[1] == '0' || body[1] == 'A' ? body[1] : 'B';
  }
}

void Modes::feed_csi(const Token& token) {
  // Colours and caret moves are nearly all there is: look no closer at them.
  const char final = token.bytes.back();
  const bool other_keys = final == 'm' && token.bytes.size() > 2 && token.bytes[2] == '>';
  if (final != 'h' && final != 'l' && final != 'u' && final != 'p' && final != 'q' && final != 't' && !other_keys)
    return;
  const auto csi = parse_csi(token);
  if (!csi) return;
  const bool plain = csi->intermediates.empty();
  if (plain && (final == 'h' || final == 'l')) set_all(*csi);
  if (plain && final == 'u') feed_keyboard(csi->leader, csi->param(0, -1), csi->param(1, 1));
  if (csi->is(0, "!", 'p')) soft_reset();
  if (csi->is(0, "", 't')) feed_titles(*csi);
  if (csi->is(0, " ", 'q')) caret_style_ = static_cast<std::uint8_t>(csi->param(0, 0) <= 6 ? csi->param(0, 0) : 0);
  if (csi->is('>', "", 'm') && csi->param(0, 4) == 4) other_keys_ = static_cast<std::uint8_t>(csi->param(1, 0) & 3);
}

void Modes::set_all(const Csi& csi) {
  if (csi.leader != 0 && csi.leader != '?') return;
  for (std::size_t i = 0; i < csi.count; ++i) set(csi.params[i], csi.leader == 0, csi.final == 'h');
}

void Modes::set(int number, bool ansi, bool on) {
  const std::size_t row = row_of(number, ansi);
  if (row == kNone) return;
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (kRows[row].group != ModeRow::kAlone && kRows[i].group == kRows[row].group) on_[i] = false;
  }
  on_[row] = on;
}

/// CSI 22 and 23 t: keep titles and bring them back; 1 the icon's, 2 the window's, 0 both.
void Modes::feed_titles(const Csi& csi) {
  const int what = csi.param(0, 0), which = csi.param(1, 0);
  if (which > 2) return;
  if (what == 22) {
    if (kept_titles_.size() == kMaxKeptTitles) kept_titles_.erase(kept_titles_.begin());
    kept_titles_.push_back({titles_, which != 1, which != 2});
  } else if (what == 23 && !kept_titles_.empty()) {
    const KeptTitles& kept = kept_titles_.back();
    if (kept.window && which != 1) titles_.window = kept.titles.window;
    if (kept.icon && which != 2) titles_.icon = kept.titles.icon;
    kept_titles_.pop_back();
  }
}

/// The kitty keyboard protocol: push `>`, pop `<`, set `=`.
void Modes::feed_keyboard(char leader, int first, int second) {
  Stack& stack = keyboard();
  const auto flags = static_cast<std::uint8_t>(std::max(first, 0) & 31);
  if (leader == '>') {
    if (stack.size() == kMaxKeyboardStack) stack.erase(stack.begin());
    stack.push_back(flags);
  } else if (leader == '<') {
    for (int left = std::max(first, 1); left > 0 && !stack.empty(); --left) stack.pop_back();
  } else if (leader == '=') {
    const int now = flags_of(stack);
    if (stack.empty()) stack.push_back(0);
    stack.back() = static_cast<std::uint8_t>(second == 2 ? now | flags : second == 3 ? now & ~flags : flags);
  }
}

void Modes::feed_osc(const Token& token) {
  const auto payload = string_payload(token);
  if (!payload) return;
  const bool both = payload->starts_with("0;");
  if (both || payload->starts_with("1;")) titles_.icon = clean_title(payload->substr(2));
  if (both || payload->starts_with("2;")) titles_.window = clean_title(payload->substr(2));
  if (payload->starts_with("7;")) cwd_ = path_of(payload->substr(2)).value_or(cwd_);
  palette_.feed(*payload);
}

std::optional<bool> Modes::is_set(int number, bool ansi) const {
  const std::size_t row = row_of(number, ansi);
  if (row == kNone) return std::nullopt;
  return on_[row];
}

bool Modes::on_alternate_screen() const {
  static const std::size_t first = row_of(47, false);
  static_assert(kRows[kNone - 3].group == ModeRow::kScreen && kRows[kNone - 1].group == ModeRow::kScreen);
  return on_[first] || on_[first + 1] || on_[first + 2];
}

std::string Modes::preamble(std::string_view replayed) const {
  std::string text;
  const auto keyboard_text = [&](const Stack& stack) {
    if (flags_of(stack) != 0) text += "\x1b[=" + std::to_string(flags_of(stack)) + ";1u";
  };
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    if (!kRows[i].silent && on_[i] != kRows[i].initially) text += switch_text(kRows[i], on_[i]);
  }
  keyboard_text(keyboard_[0]);
  if (on_alternate_screen() && !switches_screen(replayed)) text += "\x1b[?1049h";
  if (on_alternate_screen()) keyboard_text(keyboard_[1]);
  if (other_keys_ != 0) text += "\x1b[>4;" + std::to_string(other_keys_) + "m";
  if (caret_style_ != 0) text += "\x1b[" + std::to_string(caret_style_) + " q";
  if (charsets_[0] != 'B') text += std::string("\x1b(") + charsets_[0];
  if (charsets_[1] != 'B') text += std::string("\x1b)") + charsets_[1];
  if (shifted_out_) text += '\x0e';
  return text;
}

std::string mode_reset_sequence() {
  // DECSTR first: it forgets margins and origin without moving the caret, as does 1047 when it leaves the alternate
  // screen; each screen has its own keyboard flags.
  std::string text = "\x1b[!p\x1b[<99u\x1b[=0;1u\x1b[?1047l\x1b[<99u\x1b[=0;1u";
  for (const ModeRow& row : kRows) {
    if (row.group != ModeRow::kScreen && row.number != kOrigin) text += switch_text(row, row.initially);
  }
  return text + "\x1b>\x1b[>4;0m\x1b[0 q\x1b(B\x1b)B\x0f\x1b[m";
}

}  // namespace ptyd
