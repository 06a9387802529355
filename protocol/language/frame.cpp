#include "protocol/language/frame.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/parser.hpp>

#include "protocol/messages.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;

constexpr std::string_view kSpace = " \t\r\n";

/// The length of the string literal at the start of `text`, quotes included; all of it when it does not end.
std::size_t string_length(std::string_view text) {
  for (std::size_t at = 1; (at = text.find_first_of("\"\\", at)) != text.npos; at += 2)
    if (text[at] == '"') return at + 1;
  return text.size();
}

/// The length of the array or object at the start of `text`.
std::size_t nested_length(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; (at = text.find_first_of("\"[]{}", at)) != text.npos;) {
    if (text[at] == '"') {
      at += string_length(text.substr(at));
      continue;
    }
    depth += text[at] == '[' || text[at] == '{' ? 1u : 0u;
    if (text[at] == ']' || text[at] == '}') --depth;
    ++at;
    if (depth == 0) return at;
  }
  return text.size();
}

/// Whether `text` ends with the escape of a leading surrogate, such as `\ud83d`.
bool ends_in_half_pair(std::string_view text) {
  if (text.size() < 6) return false;
  const std::string_view escape = text.substr(text.size() - 6);
  return escape.starts_with("\\u") && (escape[2] == 'd' || escape[2] == 'D') &&
         std::string_view("89abAB").find(escape[3]) != std::string_view::npos;
}

/// Whether the error is half of a surrogate pair: JSON can write one, and UTF-8 cannot hold it. `before` is the text
/// that was read before the error.
bool is_half_pair(const json::error_code& error, std::string_view before) {
  return error == json::error::illegal_leading_surrogate || error == json::error::illegal_trailing_surrogate ||
         error == json::error::expected_utf16_escape || ends_in_half_pair(before);
}

/// An error of Boost.JSON in words for people who do not know that library.
std::string reason(const json::error_code& error, std::string_view before) {
  if (error == json::error::too_deep) return "nested too deeply (at most 32 levels)";
  if (error == json::error::incomplete) return "ends too early";
  return is_half_pair(error, before) ? "half of a surrogate pair" : error.message();
}

/// Whether `text` may hold more than limits::kMaxValues values: each but the outermost has a comma before it, or is the
/// first in what holds it. A value takes two bytes at least, so short texts are not looked at.
bool has_too_many_values(std::string_view text) {
  if (text.size() <= 2 * limits::kMaxValues) return false;
  std::size_t values = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '"') {
      at += string_length(text.substr(at)) - 1;
    } else if (text[at] == ',' || text[at] == '[' || text[at] == '{') {
      ++values;
    }
  }
  return values > limits::kMaxValues;
}

}  // namespace

std::string_view without_space(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(kSpace), text.size()));
}

std::size_t value_length(std::string_view text) {
  if (text.starts_with('"')) return string_length(text);
  if (text.starts_with('{') || text.starts_with('[')) return nested_length(text);
  return std::min(text.find_first_of(",]} \t\r\n"), text.size());
}

Document::Document(std::string_view frame) {
  if (has_too_many_values(frame)) {
    error_ = "more than " + std::to_string(limits::kMaxValues) + " values";
    is_beyond_us_ = true;
    return;
  }
  std::array<unsigned char, 2048> scratch;
  json::parser parser({}, {}, scratch.data(), scratch.size());
  parser.reset(&resource_);
  json::error_code error;
  const std::size_t read = parser.write(frame.data(), frame.size(), error);
  if (error)
    refuse(error, frame.substr(0, read));
  else
    value_ = parser.release();
}

void Document::refuse(const json::error_code& error, std::string_view before) {
  error_ = "not JSON at byte " + std::to_string(before.size()) + ": " + reason(error, before);
  const bool is_half = error != json::error::incomplete && is_half_pair(error, before);
  is_beyond_us_ = error == json::error::too_deep || is_half;
}

Members::Members(std::string_view frame) : rest_(frame) {
  rest_ = without_space(rest_);
  if (rest_.starts_with('{'))
    rest_.remove_prefix(1);
  else
    rest_ = {};
}

bool Members::next() {
  if (begun_) {
    rest_.remove_prefix(value_length(rest_));
    rest_ = without_space(rest_);
    if (!rest_.starts_with(',')) return false;
    rest_.remove_prefix(1);
  }
  begun_ = true;
  rest_ = without_space(rest_);
  if (!rest_.starts_with('"')) return false;
  const std::size_t length = string_length(rest_);
  if (length < 2) return false;
  key_ = rest_.substr(1, length - 2);
  rest_.remove_prefix(length);
  rest_ = without_space(rest_);
  if (!rest_.starts_with(':')) return false;
  rest_.remove_prefix(1);
  rest_ = without_space(rest_);
  return true;
}

std::string_view Members::value() const {
  return rest_.substr(0, value_length(rest_));
}

std::optional<json::value> find_scalar(std::string_view frame, std::string_view name, json::storage_ptr memory) {
  for (Members members(frame); members.next();) {
    if (members.key() != name) continue;
    const std::string_view text = members.value();
    if (text.find_first_of("\"-0123456789") != 0) return std::nullopt;
    json::error_code error;
    json::value value = json::parse(text, error, std::move(memory));
    if (!error && (value.is_string() || value.is_number())) return value;
    return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace ptyd
