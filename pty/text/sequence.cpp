#include "pty/text/sequence.hpp"

#include <algorithm>
#include <utility>

namespace ptyd {

namespace {

constexpr bool is_leader(char c) {
  return c >= '<' && c <= '?';
}
constexpr bool is_intermediate(char c) {
  return c >= ' ' && c <= '/';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
}

/// Bytes before the body: a C1 control in UTF-8, or ESC and a letter, with controls in between that ESC lets pass.
std::size_t introducer(std::string_view bytes) {
  std::size_t letter = 1;
  while (letter < bytes.size() && is_control(bytes[letter])) ++letter;
  return letter + 1;
}

/// Takes digits, semicolons, sub-parameters and controls off the front of `text`.
void take_params(std::string_view& text, Csi& csi) {
  bool in_sub = false;
  const char* const begin = text.data();
  for (; !text.empty(); text.remove_prefix(1)) {
    const char c = text[0];
    if (is_control(c)) continue;
    if (!is_digit(c) && c != ';' && c != ':') break;
    if (csi.count == 0) csi.params[csi.count++] = -1;
    if (c == ';') {
      in_sub = false;
      if (csi.count < Csi::kMaxParams) csi.params[csi.count] = -1;
      csi.count++;
    } else if (c == ':') {
      in_sub = true;
    } else if (!in_sub && csi.count <= Csi::kMaxParams) {
      auto& value = csi.params[csi.count - 1];
      value = std::min(std::max(value, 0) * 10 + (c - '0'), Csi::kMaxParam);
    }
  }
  csi.text = {begin, static_cast<std::size_t>(text.data() - begin)};
  csi.count = std::min(csi.count, Csi::kMaxParams);
}

void skip_controls(std::string_view& text) {
  while (!text.empty() && is_control(text[0])) text.remove_prefix(1);
}

std::string without_controls(std::string_view text) {
  std::string kept;
  std::copy_if(text.begin(), text.end(), std::back_inserter(kept),
               [](unsigned char c) { return c >= 0x20 && c != 0x7f; });
  return kept;
}

}  // namespace

std::optional<Csi> parse_csi(const Token& token) {
  std::optional<Csi> csi;  // the one thing returned, so that it is made where the caller wants it
  const std::size_t begin = introducer(token.bytes);
  if (token.kind != TokenKind::csi || token.overlong || token.cancelled || token.bytes.size() <= begin) return csi;
  std::string_view text = token.bytes.substr(begin);
  csi.emplace();
  skip_controls(text);
  if (!text.empty() && is_leader(text[0])) {
    csi->leader = text[0];
    text.remove_prefix(1);
  }
  take_params(text, *csi);
  while (!text.empty() && (is_intermediate(text[0]) || is_control(text[0]))) {
    if (!is_control(text[0])) csi->intermediates += text[0];
    text.remove_prefix(1);
  }
  if (text.size() == 1 && text[0] >= '@' && text[0] <= '~') {
    csi->final = text[0];
  } else {
    csi.reset();
  }
  return csi;
}

std::optional<Escape> parse_escape(const Token& token) {
  if (token.kind != TokenKind::escape || token.overlong || token.cancelled) return std::nullopt;
  Escape escape;
  std::size_t count = 0;
  for (const char c : token.bytes.substr(1)) {
    if (is_control(c)) continue;
    if (++count > 2) return std::nullopt;
    escape.intermediate = std::exchange(escape.final, c);
  }
  return escape;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

int number_of(std::string_view digits) {
  if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_digit)) return -1;
  int value = 0;
  for (const char c : digits) value = std::min(value * 10 + (c - '0'), Csi::kMaxParam);
  return value;
}

std::string_view string_terminator(const Token& token) {
  for (const std::string_view end : {"\a", "\x1b\\", "\xc2\x9c"})
    if (token.bytes.ends_with(end)) return end;
  return {};
}

std::optional<std::string_view> string_payload(const Token& token) {
  if (token.overlong || token.cancelled) return std::nullopt;
  const std::string_view end = string_terminator(token);
  const std::size_t begin = introducer(token.bytes);
  if (token.bytes.size() < begin + end.size()) return std::nullopt;
  return token.bytes.substr(begin, token.bytes.size() - begin - end.size());
}

std::string string_beginning(const Token& token) {
  std::string_view bytes = token.overlong ? token.head : token.bytes;
  if (!token.overlong) bytes.remove_suffix(string_terminator(token).size());
  return without_controls(bytes.substr(std::min(introducer(bytes), bytes.size())));
}

}  // namespace ptyd
