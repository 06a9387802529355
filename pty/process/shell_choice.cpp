#include "pty/process/shell_choice.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace ptyd {
namespace {

constexpr std::string_view kSpace = " \t\r\n\v\f";
constexpr std::array<std::string_view, 6> kUsualShells = {"/bin/zsh", "/bin/bash", "/bin/sh", "zsh", "bash", "sh"};

/// The program of a value such as ` "/bin/zsh" -i `: arguments are dropped, one quote is taken off each end.
std::string_view program_of(std::string_view value) {
  value.remove_prefix(std::min(value.find_first_not_of(kSpace), value.size()));
  value = value.substr(0, value.find_first_of(kSpace));
  const auto is_quote = [](char c) { return c == '"' || c == '\''; };
  if (!value.empty() && is_quote(value.front())) value.remove_prefix(1);
  if (!value.empty() && is_quote(value.back())) value.remove_suffix(1);
  return value;
}

Program shell(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  // A login shell, and no inverse % where output did not end with a line feed: it would stay in every transcript.
  if (name == "zsh") return {std::string(path), {"-l", "-o", "nopromptsp"}};
  return {std::string(path), {}};
}

}  // namespace

std::vector<Program> shell_candidates(std::string_view preferred, std::string_view shell_variable) {
  std::vector<std::string_view> paths = {program_of(preferred), program_of(shell_variable)};
  if (paths[0].empty() && paths[1].empty()) paths[0] = "bash";
  paths.insert(paths.end(), kUsualShells.begin(), kUsualShells.end());

  std::vector<Program> result;
  for (const std::string_view path : paths) {
    if (path.empty()) continue;
    Program candidate = shell(path);
    if (std::find(result.begin(), result.end(), candidate) == result.end()) result.push_back(std::move(candidate));
  }
  return result;
}

}  // namespace ptyd
