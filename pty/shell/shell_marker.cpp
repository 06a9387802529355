#include "pty/shell/shell_marker.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "pty/text/sequence.hpp"

namespace ptyd {
namespace {

constexpr std::string_view kNumber = "6973";

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Lower case, as the server makes them.
bool is_hex(std::string_view text, std::size_t digits) {
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == digits && std::all_of(text.begin(), text.end(), is_digit);
}

/// The byte that `%XX` at the front of `text` stands for; -1 where it is none, or a NUL, which no path holds.
int escaped_byte(std::string_view text) {
  if (text.size() < 3) return -1;
  const int high = digit_value(text[1]), low = digit_value(text[2]);
  const int byte = high * 16 + low;
  return high < 0 || low < 0 || byte == 0 ? -1 : byte;
}

bool take_path(std::string_view field, std::string& path) {
  while (!field.empty()) {
    if (field.front() < 0x21 || field.front() > 0x7E) return false;
    const bool is_escaped = field.front() == '%';
    const int byte = is_escaped ? escaped_byte(field) : field.front();
    if (byte < 0) return false;
    path += static_cast<char>(byte);
    field.remove_prefix(is_escaped ? 3 : 1);
  }
  return true;
}

bool take_status(std::string_view field, int& status) {
  if (field.empty() || field.size() > 3 || (field.size() > 1 && field.front() == '0')) return false;
  if (field.find_first_not_of("0123456789") != field.npos) return false;
  status = number_of(field);
  return status <= 255;
}

bool take_token(std::string_view field, std::string& token) {
  token = field;
  return is_hex(field, kTokenDigits);
}

using Fields = std::vector<std::string_view>;

bool take_prompt(const Fields& fields, ShellMarker& marker) {
  return take_status(fields[0], marker.status) && take_path(fields[1], marker.cwd);
}
bool take_begun(const Fields& fields, ShellMarker& marker) {
  return take_token(fields[0], marker.token) && take_status(fields[1], marker.status);
}
bool take_ended(const Fields& fields, ShellMarker& marker) {
  return take_token(fields[0], marker.token) && take_status(fields[1], marker.status) &&
         take_path(fields[2], marker.cwd);
}

struct Form {
  std::string_view letter;
  ShellMarker::Kind kind;
  std::size_t fields;
  bool (*take)(const Fields&, ShellMarker&);
};
constexpr std::array kForms = {Form{"P", ShellMarker::Kind::prompt, 2, take_prompt},
                               Form{"B", ShellMarker::Kind::begun, 2, take_begun},
                               Form{"E", ShellMarker::Kind::ended, 3, take_ended}};

}  // namespace

bool is_shell_marker(const Token& token) {
  if (token.kind != TokenKind::osc) return false;
  const std::string beginning = string_beginning(token);
  const std::string_view number = std::string_view(beginning).substr(0, beginning.find(';'));
  // A reader of numbers does not mind zeros before them.
  return number.substr(std::min(number.find_first_not_of('0'), number.size())) == kNumber;
}

std::optional<ShellMarker> parse_shell_marker(const Token& token) {
  const auto payload = token.kind == TokenKind::osc ? string_payload(token) : std::nullopt;
  if (!payload || string_terminator(token).empty()) return std::nullopt;
  const Fields parts = split(*payload, ';');
  if (parts.size() < 3 || parts[0] != kNumber || !is_hex(parts[1], kNonceDigits)) return std::nullopt;
  const auto form =
      std::find_if(kForms.begin(), kForms.end(), [&](const Form& each) { return each.letter == parts[2]; });
  const Fields fields(parts.begin() + 3, parts.end());
  if (form == kForms.end() || fields.size() != form->fields) return std::nullopt;
  ShellMarker marker;
  marker.kind = form->kind;
  marker.nonce = parts[1];
  if (!form->take(fields, marker)) return std::nullopt;
  return marker;
}

}  // namespace ptyd
