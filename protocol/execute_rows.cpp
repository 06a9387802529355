#include "protocol/execute_rows.hpp"

#include <algorithm>
#include <chrono>

namespace ptyd::schema {

namespace {

constexpr std::array<std::string_view, 6> kShells = {"bash", "zsh", "fish", "sh", "dash", "ash"};
constexpr std::string_view kShellForm = "bash, zsh, fish, sh, dash or ash, or an absolute path of one of them";

using FractionalSeconds = std::chrono::duration<double>;

}  // namespace

Problem Seconds::decode(const json::value& value, WaitTime& out, Nulls) const {
  if (value.is_null()) return {};
  if (!value.is_number()) return Issue::not_a(value, "a number", "number");
  const FractionalSeconds asked(value.to_number<double>());
  if (!(asked.count() >= 0)) return Issue::below(value, 0);
  out.clamped = asked > limits::kMaxExecuteWait;
  out.time = out.clamped ? limits::kMaxExecuteWait : std::chrono::round<std::chrono::milliseconds>(asked);
  return {};
}

void TextRows::write(std::string& out, const std::vector<std::string>& rows) const {
  out += '[';
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i > 0) out += ',';
    json_text::append_string(out, rows[i]);
  }
  out += ']';
}

json::object TextRows::schema() const {
  return {{"type", "array"}, {"items", {{"type", "string"}}}};
}

json::object Seconds::schema() const {
  return {{"type", {"number", "null"}}, {"minimum", 0}};
}

Problem ShellProgram::decode(const json::value& value, std::string& out, Nulls nulls) const {
  std::string text;
  if (Problem problem = kCwd.decode(value, text, nulls)) return problem;
  const auto name = std::string_view(text).substr(text.rfind('/') + 1);
  const bool is_path = text.find('/') != text.npos;
  if (std::find(kShells.begin(), kShells.end(), name) == kShells.end() || (is_path && text.front() != '/'))
    return Issue::not_like(text, kShellForm);
  out = std::move(text);
  return {};
}

json::object ShellProgram::schema() const {
  return {{"type", "string"}, {"minLength", 1}, {"maxLength", limits::kMaxCwd}};
}

}  // namespace ptyd::schema
