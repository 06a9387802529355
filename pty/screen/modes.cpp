#include "pty/screen/modes.hpp"

#include <algorithm>
#include <array>

#include "pty/text/sequence.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

constexpr bool kSoft = true;

/// A mode of DEC's that only changes what is reported or sent.
constexpr ModeRow quiet(int number, bool soft = false, bool initially = false) {
  return {number, false, initially, soft, false, false, ModeRow::kAlone};
}
constexpr ModeRow one_of(ModeRow::Group group, int number) {
  return {number, false, false, false, false, false, group};
}
constexpr ModeRow silent(int number) {
  return {number, false, false, false, true, false, ModeRow::kAlone};
}
constexpr ModeRow drawing(int number, bool initially = false) {
  return {number, false, initially, false, false, true, ModeRow::kAlone};
}
constexpr ModeRow ansi(int number) {
  return {number, true, false, false, false, true, ModeRow::kAlone};
}
constexpr ModeRow buffer(int number) {
  return {number, false, false, false, true, true, ModeRow::kScreen};
}

constexpr std::array kRows{
    // The reference's, in its order:
    quiet(1, kSoft),             // application caret keys
    quiet(66, kSoft),            // application keypad
    quiet(2004, kSoft),          // bracketed paste
    ansi(4),                     // insert
    drawing(6),                  // origin
    drawing(45),                 // reverse wrap
    quiet(1004, kSoft),          // focus reports
    drawing(7, true),            // autowrap
    quiet(25, kSoft, true),      // caret visible
    one_of(ModeRow::kMouse, 9),  // mouse: presses; and releases; drags; all moves
    one_of(ModeRow::kMouse, 1000),
    one_of(ModeRow::kMouse, 1002),
    one_of(ModeRow::kMouse, 1003),
    // Ours:
    one_of(ModeRow::kMouseEncoding, 1005),  // UTF-8; SGR; urxvt; SGR in pixels
    one_of(ModeRow::kMouseEncoding, 1006),
    one_of(ModeRow::kMouseEncoding, 1015),
    one_of(ModeRow::kMouseEncoding, 1016),
    ansi(20),      // new line
    quiet(5),      // reverse video
    quiet(1007),   // wheel as caret keys on the alternate screen
    quiet(2031),   // reports of a change of the colour scheme
    silent(12),    // blinking caret: a matter of the viewer's taste
    silent(2026),  // synchronized output: a latecomer must not wait for its end
    buffer(47),    // restored, but in its own way
    buffer(1047),
    buffer(1049),
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
}

void Modes::feed(const Token& token, Buffer active) {
  if (token.cancelled || token.overlong) return;
  if (token.kind == TokenKind::csi) {
    feed_csi(token, active);
  } else if (token.kind == TokenKind::osc) {
    feed_osc(token);
  } else if (token.kind == TokenKind::escape) {
    feed_escape(token.bytes.substr(1));
  }
}

void Modes::feed_escape(std::string_view body) {
  if (body == "c") reset();
  if (body == "=" || body == ">") set(66, false, body == "=");
}

void Modes::feed_csi(const Token& token, Buffer active) {
  // Colours and caret moves are nearly all there is: look no closer at them.
  const char final = token.bytes.back();
  const bool other_keys = final == 'm' && token.bytes.size() > 2 && token.bytes[2] == '>';
  if (final != 'h' && final != 'l' && final != 'u' && final != 'p' && final != 'q' && final != 't' && !other_keys) {
    return;
  }
  const auto csi = parse_csi(token);
  if (!csi) return;
  const bool plain = csi->intermediates.empty();
  if (plain && (final == 'h' || final == 'l')) set_all(*csi);
  if (plain && final == 'u') feed_keyboard(keyboard_[static_cast<std::size_t>(active)], *csi);
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
  if (row == kNone || kRows[row].draws) return;
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
void Modes::feed_keyboard(KeyboardStack& stack, const Csi& csi) {
  const char leader = csi.leader;
  const int first = csi.param(0, -1), second = csi.param(1, 1);
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
  if (row == kNone || kRows[row].draws) return std::nullopt;
  return on_[row];
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
