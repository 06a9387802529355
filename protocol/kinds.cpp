#include "protocol/kinds.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <charconv>
#include <cmath>

#include "pty/text/utf8.hpp"

namespace ptyd::schema {

namespace {

/// White space as JavaScript's trim() knows it, in UTF-8.
constexpr std::array<std::string_view, 25> kSpaces = {
    "\t",     "\n",     "\v",     "\f",     "\r",     " ",      "\u00A0", "\u1680", "\u2000",
    "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008", "\u2009",
    "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF"};

std::string_view trim(std::string_view text) {
  const auto leading = [&text](std::string_view space) { return text.starts_with(space); };
  const auto trailing = [&text](std::string_view space) { return text.ends_with(space); };
  for (auto it = kSpaces.begin(); (it = std::find_if(kSpaces.begin(), kSpaces.end(), leading)) != kSpaces.end();)
    text.remove_prefix(it->size());
  for (auto it = kSpaces.begin(); (it = std::find_if(kSpaces.begin(), kSpaces.end(), trailing)) != kSpaces.end();)
    text.remove_suffix(it->size());
  return text;
}

Problem check_length(std::string_view text, std::size_t min, std::size_t max) {
  if (text.size() < min) return Issue::too_short(text, text.size(), min);  // min is 0 or 1: bytes tell as well
  if (text.size() <= max) return {};                                       // never more units than bytes
  const std::size_t units = utf8::utf16_length(text);
  if (units > max) return Issue::too_long(text, units, max);
  return {};
}

bool is_name(std::string_view key) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return !key.empty() && letter(key.front()) &&
         std::all_of(key.begin(), key.end(), [&](char c) { return letter(c) || digit(c); });
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

/// Whether `word` may be the name or the version of an emulator.
bool is_plain(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](char c) { return is_letter_or_digit(c) || c == '.' || c == '_' || c == '-'; });
}

/// Whether `text`, which is not empty, has the form kEmulatorForm.
bool is_emulator(std::string_view text) {
  const auto end = std::min(text.find_first_of(" ("), text.size());
  const auto name = text.substr(0, end);
  auto version = text.substr(end);
  if (version.starts_with('(')) {
    if (!version.ends_with(')')) return false;
    version.remove_suffix(1);
  }
  return is_plain(name) && is_letter_or_digit(name.front()) && (version.empty() || is_plain(version.substr(1)));
}

constexpr std::string_view kEmulatorForm = "name, name(version) or name version";

constexpr std::string_view kNameForm = "[A-Za-z_][A-Za-z0-9_]*";

Problem decode_variable(std::string_view key, const json::value& value, std::string& out) {
  Problem problem = check_length(key, 1, limits::kMaxEnvKey);
  if (!problem && !is_name(key)) problem = Issue::not_like(key, kNameForm);
  if (!problem) problem = Text{.max = limits::kMaxEnvValue, .may_hold_nul = false}.decode(value, out, Nulls::refused);
  if (problem) problem->inside(key);
  return problem;
}

}  // namespace

Problem Text::decode(const json::value& value, std::string& out, Nulls) const {
  const json::string* string = value.if_string();
  if (!string) return Issue::not_a(value, "a string", "string");
  const std::string_view text = trimmed ? trim(*string) : std::string_view(*string);
  if (!may_hold_nul && text.find('\0') != text.npos) return Issue::holds_nul();
  Problem problem = check_length(text, min, max);
  if (!problem) out = text;
  return problem;
}

json::object Text::schema() const {
  json::object schema{{"type", "string"}};
  if (min > 0) schema["minLength"] = min;
  if (max != kUnbounded) schema["maxLength"] = max;
  return schema;
}

Problem EmulatorName::decode(const json::value& value, std::string& out, Nulls nulls) const {
  Problem problem = Text{.max = max}.decode(value, out, nulls);
  if (!problem && !out.empty() && !is_emulator(out)) problem = Issue::not_like(out, kEmulatorForm);
  return problem;
}

json::object EmulatorName::schema() const {
  return {{"type", "string"},
          {"maxLength", max},
          {"pattern", "^([A-Za-z0-9][A-Za-z0-9._-]*( [A-Za-z0-9._-]+|\\([A-Za-z0-9._-]+\\))?)?$"}};
}

Problem Integer::read(const json::value& value, std::int64_t& out) const {
  constexpr double kExact = 9007199254740992.0;  // up to here a double holds every integer
  if (const auto* number = value.if_int64()) {
    out = *number;
  } else if (value.is_uint64()) {
    return Issue::above(value, max);
  } else if (const auto* fraction = value.if_double()) {
    if (std::isnan(*fraction) || std::trunc(*fraction) != *fraction)
      return Issue::not_a(value, "an integer", "an integer");
    if (*fraction > kExact) return Issue::above(value, max);
    if (*fraction < -kExact) return Issue::below(value, min);
    out = static_cast<std::int64_t>(*fraction);
  } else {
    return Issue::not_a(value, "an integer", "number");
  }
  if (out < min) return Issue::below(value, min);
  if (out > max) return Issue::above(value, max);
  return {};
}

json::object Integer::schema() const {
  json::object schema{{"type", "integer"}, {"minimum", min}};
  if (max != kUnbounded) schema["maximum"] = max;
  return schema;
}

Problem Boolean::decode(const json::value& value, bool& out, Nulls) const {
  const bool* flag = value.if_bool();
  if (!flag) return Issue::not_a(value, "true or false", "boolean");
  out = *flag;
  return {};
}

Problem decode_name(const json::value& value, std::span<const std::string_view> names, std::size_t& index) {
  const json::string* string = value.if_string();
  const auto found = string ? std::find(names.begin(), names.end(), std::string_view(*string)) : names.end();
  if (found != names.end()) {
    index = static_cast<std::size_t>(found - names.begin());
    return {};
  }
  std::string listed, alternatives;
  for (const auto name : names) {
    listed.append(listed.empty() ? "one of \"" : ", \"").append(name).append("\"");
    alternatives.append(alternatives.empty() ? "\"" : " | \"").append(name).append("\"");
  }
  return Issue::not_a(value, listed, alternatives);
}

json::object names_schema(std::span<const std::string_view> names) {
  json::array values;
  for (const auto name : names)
    if (!name.empty()) values.emplace_back(name);
  return {{"type", "string"}, {"enum", std::move(values)}};
}

json::object Word::schema() const {
  return names_schema(words);
}

Problem EnvironmentObject::decode(const json::value& value, Environment& out, Nulls) const {
  const json::object* object = value.if_object();
  if (!object) return Issue::not_a(value, "an object", "object");
  if (object->size() > limits::kMaxEnvEntries) return Issue::too_many(object->size(), limits::kMaxEnvEntries);
  for (const auto& [key, text] : *object) {
    std::string content;
    if (Problem problem = decode_variable(key, text, content)) return problem;
    out.emplace_back(key, std::move(content));
  }
  return {};
}

json::object EnvironmentObject::schema() const {
  return {{"type", "object"},
          {"propertyNames", {{"pattern", "^" + std::string(kNameForm) + "$"}, {"maxLength", limits::kMaxEnvKey}}},
          {"additionalProperties", {{"type", "string"}, {"maxLength", limits::kMaxEnvValue}}},
          {"maxProperties", limits::kMaxEnvEntries}};
}

Problem Colour::decode(const json::value& value, std::uint32_t& out, Nulls nulls) const {
  std::string text;
  if (Problem problem = Text{}.decode(value, text, nulls)) return problem;
  const char* const end = text.data() + text.size();
  const bool shaped = text.size() == 7 && text.front() == '#';
  if (!shaped || std::from_chars(text.data() + 1, end, out, 16).ptr != end) return Issue::not_like(text, "#rrggbb");
  return {};
}

json::object Colour::schema() const {
  return {{"type", "string"}, {"pattern", "^#[0-9A-Fa-f]{6}$"}};
}

void Timestamp::write(std::string& out, UnixMillis time) const {
  out += '"';
  json_text::append_time(out, time);
  out += '"';
}

json::object or_null(json::object schema) {
  if (json::value* type = schema.if_contains("type")) *type = json::array{*type, "null"};
  if (json::value* values = schema.if_contains("enum")) values->as_array().emplace_back(nullptr);
  return schema;
}

void describe(json::object& schema, std::string_view note, std::string_view fallback) {
  if (!note.empty()) schema["description"] = note;
  if (!fallback.empty()) schema["default"] = fallback;
}

void set_default(json::object& schema, std::string_view text) {
  schema["default"] = json::parse(text);
}

}  // namespace ptyd::schema
