#include "protocol/json/issue.hpp"

#include <charconv>
#include <cmath>

#include "protocol/json/json_text.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {

namespace {

namespace json = boost::json;

/// Enough to recognise a value by, little enough that an answer never carries a request back.
constexpr std::size_t kMostShown = 48;

std::string quoted(std::string_view text) {
  std::string out;
  json_text::append_string(out, cut_short(text));
  return out;
}

std::string shown_number(double number) {
  if (!std::isfinite(number)) return "a number too large";
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
}

std::string got(std::string expectation, std::string_view what) {
  return expectation.append(", got ").append(what);
}

}  // namespace

std::string cut_short(std::string_view text) {
  if (text.size() <= kMostShown) return std::string(text);
  text = text.substr(0, kMostShown);
  text.remove_suffix(utf8::unfinished_tail(text));
  return std::string(text) + "...";
}

std::string shown(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return value.get_bool() ? "true" : "false";
    case json::kind::int64:
      return std::to_string(value.get_int64());
    case json::kind::uint64:
      return std::to_string(value.get_uint64());
    case json::kind::double_:
      return shown_number(value.get_double());
    case json::kind::string:
      return quoted(value.get_string());
    case json::kind::array:
      return "an array";
    case json::kind::object:
      return "an object";
  }
  return {};
}

Issue::Issue(std::string sentence, std::string effect_sentence)
    : sentence_(std::move(sentence)), effect_sentence_(std::move(effect_sentence)) {}

Issue Issue::missing() {
  return {"is missing", "Missing key"};
}

Issue Issue::unknown() {
  return {"is no field of this call", "Unexpected key"};
}

Issue Issue::not_a(const json::value& value, std::string_view what, std::string_view effect_what) {
  const std::string it = shown(value);
  return {it + " is not " + std::string(what), got("Expected " + std::string(effect_what), it)};
}

Issue Issue::below(const json::value& value, std::int64_t minimum) {
  const std::string it = shown(value), bound = std::to_string(minimum);
  return {it + " is below " + bound, got("Expected a value greater than or equal to " + bound, it)};
}

Issue Issue::above(const json::value& value, std::int64_t maximum) {
  const std::string it = shown(value), bound = std::to_string(maximum);
  return {it + " is above " + bound, got("Expected a value less than or equal to " + bound, it)};
}

Issue Issue::too_short(std::string_view text, std::size_t length, std::size_t minimum) {
  const std::string bound = std::to_string(minimum);
  return {"length " + std::to_string(length) + " is below " + bound,
          got("Expected a value with a length of at least " + bound, quoted(text))};
}

Issue Issue::too_long(std::string_view text, std::size_t length, std::size_t maximum) {
  const std::string bound = std::to_string(maximum);
  return {"length " + std::to_string(length) + " is above " + bound,
          got("Expected a value with a length of at most " + bound, quoted(text))};
}

Issue Issue::too_many(std::size_t count, std::size_t maximum) {
  const std::string number = std::to_string(count), bound = std::to_string(maximum);
  return {number + " entries are above " + bound, got("Expected a value with at most " + bound + " entries", number)};
}

Issue Issue::holds_nul() {
  return {"holds a NUL character", "Expected a string without NUL characters"};
}

Issue Issue::not_like(std::string_view text, std::string_view form) {
  const std::string it = quoted(text);
  return {it + " is not of the form " + std::string(form), got("Expected a string matching " + std::string(form), it)};
}

Issue Issue::other(std::string sentence) {
  return {sentence, sentence};
}

Issue& Issue::inside(std::string_view key) {
  std::string name = quoted(key);
  bracketed_.insert(0, "[" + name + "]");
  if (!key.empty()) name = name.substr(1, name.size() - 2);
  dotted_ = dotted_.empty() || dotted_.front() == '[' ? name + dotted_ : name + "." + dotted_;
  return *this;
}

Issue& Issue::inside(std::size_t index) {
  const std::string place = "[" + std::to_string(index) + "]";
  bracketed_.insert(0, place);
  dotted_ = dotted_.empty() || dotted_.front() == '[' ? place + dotted_ : place + "." + dotted_;
  return *this;
}

std::string Issue::words() const {
  return dotted_.empty() ? sentence_ : dotted_ + ": " + sentence_;
}

std::string Issue::effect_words() const {
  return bracketed_.empty() ? effect_sentence_ : effect_sentence_ + "\n  at " + bracketed_;
}

}  // namespace ptyd
