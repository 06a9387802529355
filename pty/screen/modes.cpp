#include "pty/screen/modes.hpp"

#include <algorithm>
#include <utility>

#include "pty/text/sequence.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

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

/// The path in `file://host/path`; nothing when there is none, or one that cannot be shown.
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

void keep_title(Modes::TitleStack& kept, std::string& title) {
  if (kept.size() == Modes::kMaxKeptTitles) kept.erase(kept.begin());
  kept.push_back(title);
}

void bring_back_title(Modes::TitleStack& kept, std::string& title) {
  if (kept.empty()) return;
  title = std::move(kept.back());
  kept.pop_back();
}

}  // namespace

Modes::Modes() {
  reset();
}

void Modes::reset() {
  for (const ModeRow& row : mode_rows()) on_[index_of(row)] = row.initially;
  caret_style_ = other_keys_ = checksum_flags_ = 0;
  keyboard_[0].clear();
  keyboard_[1].clear();
  palette_.reset();
}

/// DECSTR, as xterm.js does it.
void Modes::soft_reset() {
  for (const ModeRow& row : mode_rows())
    if (row.soft) on_[index_of(row)] = row.initially;
}

void Modes::feed(const Token& token, Buffer active) {
  if (token.cancelled || token.overlong) return;
  if (token.kind == TokenKind::csi) {
    feed_csi(token, active);
  } else if (token.kind == TokenKind::osc) {
    feed_osc(token);
  } else if (const auto escape = parse_escape(token)) {
    feed_escape(*escape);
  }
}

void Modes::feed_escape(const Escape& escape) {
  if (escape.intermediate != 0) return;
  if (escape.final == 'c') reset();
  if (escape.final == '=' || escape.final == '>') set(66, false, escape.final == '=');
}

void Modes::feed_csi(const Token& token, Buffer active) {
  // Colours and caret moves are nearly all there is: look no closer at them.
  const char final = token.bytes.back();
  const bool other_keys = final == 'm' && (token.bytes[2] < '0' || token.bytes[2] > ';');
  if (final != 'h' && final != 'l' && final != 'u' && final != 'p' && final != 'q' && final != 't' && final != 'y' &&
      !other_keys) {
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
  if (csi->is(0, "#", 'y')) checksum_flags_ = static_cast<std::uint8_t>(csi->param(0, 0) & 63);
  if (csi->is('>', "", 'm') && csi->param(0, 4) == 4) other_keys_ = static_cast<std::uint8_t>(csi->param(1, 0) & 3);
}

void Modes::set_all(const Csi& csi) {
  if (csi.leader != 0 && csi.leader != '?') return;
  for (std::size_t i = 0; i < csi.count; ++i) set(csi.params[i], csi.leader == 0, csi.final == 'h');
}

void Modes::set(int number, bool ansi, bool on) {
  const ModeRow* const row = mode_row(number, ansi);
  if (row == nullptr || row->home != ModeRow::Home::modes) return;
  for (const ModeRow& other : mode_rows())
    if (row->group != ModeRow::kAlone && other.group == row->group) on_[index_of(other)] = false;
  on_[index_of(*row)] = on;
}

/// CSI 22 and 23 t: keep titles and bring them back, each by itself; 1 the icon's, 2 the window's, 0 both.
void Modes::feed_titles(const Csi& csi) {
  const int what = csi.param(0, 0), which = csi.param(1, 0);
  if ((what != 22 && what != 23) || which > 2) return;
  const auto move = what == 22 ? keep_title : bring_back_title;
  if (which != 1) move(kept_titles_.window, titles_.window);
  if (which != 2) move(kept_titles_.icon, titles_.icon);
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
  if (payload->starts_with("7;")) cwd_ = payload->size() == 2 ? "" : path_of(payload->substr(2)).value_or(cwd_);
  palette_.feed(*payload);
}

std::optional<bool> Modes::is_set(int number, bool ansi) const {
  const ModeRow* const row = mode_row(number, ansi);
  if (row == nullptr || row->home != ModeRow::Home::modes) return std::nullopt;
  return on_[index_of(*row)];
}

}  // namespace ptyd
