#include "pty/shell/integration.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace ptyd {
namespace {

/// Each file of this room that a shell reads is wrapped into a string when the program is built.
constexpr std::string_view kBashScript =
#include "pty/shell/bash.inc"
    ;
constexpr std::string_view kZshScript =
#include "pty/shell/zsh.inc"
    ;
constexpr std::string_view kFishScript =
#include "pty/shell/fish.inc"
    ;
constexpr std::string_view kPosixScript =
#include "pty/shell/sh.inc"
    ;

struct KnownShell {
  std::string_view name;
  ShellKind kind;
};
constexpr std::array kShells = {KnownShell{"bash", ShellKind::bash},  KnownShell{"zsh", ShellKind::zsh},
                                KnownShell{"fish", ShellKind::fish},  KnownShell{"sh", ShellKind::posix},
                                KnownShell{"dash", ShellKind::posix}, KnownShell{"ash", ShellKind::posix}};

std::string in_quotes(std::string_view word) {
  std::string text = "'";
  for (const char c : word) c == '\'' ? text += "'\\''" : text += c;
  return text += '\'';
}

/// `word` with a backslash before each of `special`.
std::string escaped(std::string_view word, std::string_view special) {
  std::string text;
  for (const char c : word) {
    if (special.find(c) != special.npos) text += '\\';
    text += c;
  }
  return text;
}

std::string in_fish_quotes(std::string_view word) {
  return "'" + escaped(word, "'\\") + "'";
}

/// In quotes between which variables are expanded, as the shell would expand it in ENV. A backslash stands for itself.
std::string to_expand(std::string_view value) {
  return '"' + escaped(value, "\"\\") + '"';
}

std::vector<std::string> start_arguments(ShellKind kind, const Integration& with) {
  const auto file = with.start_file(kind).string();
  if (kind == ShellKind::bash) return {"--rcfile", file};
  if (kind == ShellKind::fish) return {"-C", "source " + in_fish_quotes(file)};
  return {};
}

std::string start_value(ShellKind kind, const Integration& with) {
  // The value of ENV is expanded.
  return kind == ShellKind::zsh ? with.folder.string() : escaped(with.start_file(kind).string(), "$`\"\\");
}

std::string variables(const Integration& with) {
  return "__ptyd_n=" + in_quotes(with.nonce) + "\n__ptyd_f=" + in_quotes(with.command_file().string()) + "\n";
}

/// Whether a line behind `text` is a command of its own, as far as can be told.
bool ends_its_line(std::string_view text) {
  if (const auto last = text.find_last_not_of(" \t\n"); last != text.npos) text = text.substr(0, last + 1);
  constexpr std::array<std::string_view, 4> kGoOn{"\\", "|", "&&", "|&"};
  return text.find("<<") == text.npos &&
         std::none_of(kGoOn.begin(), kGoOn.end(), [text](std::string_view end) { return text.ends_with(end); });
}

}  // namespace

ShellKind shell_kind(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  const auto found =
      std::find_if(kShells.begin(), kShells.end(), [&](const KnownShell& shell) { return shell.name == name; });
  return found == kShells.end() ? ShellKind::other : found->kind;
}

bool has_integration(ShellKind kind) {
  return kind != ShellKind::other;
}

bool tells_end_of_exit(ShellKind kind) {
  return kind == ShellKind::fish;
}

bool keeps_prompt_on_interrupt(ShellKind kind) {
  return kind == ShellKind::fish;
}

std::string_view start_variable(ShellKind kind) {
  if (kind == ShellKind::zsh) return "ZDOTDIR";
  return kind == ShellKind::posix ? "ENV" : "";
}

void integrate(LaunchSpec& spec, ShellKind kind, const Integration& with) {
  const auto arguments = start_arguments(kind, with);
  for (auto& program : spec.candidates) program.args.insert(program.args.begin(), arguments.begin(), arguments.end());
  const auto name = start_variable(kind);
  if (name.empty()) return;
  std::erase_if(spec.environment, [name](const auto& variable) { return variable.first == name; });
  spec.environment.emplace_back(name, start_value(kind, with));
}

std::string start_text(ShellKind kind, const Integration& with) {
  switch (kind) {
    case ShellKind::zsh:
      return variables(with) + (with.theirs.empty() ? "" : "__ptyd_z=" + in_quotes(with.theirs) + "\n") +
             std::string(kZshScript);
    case ShellKind::fish:
      return "set -g __ptyd_n " + in_fish_quotes(with.nonce) + "\nset -g __ptyd_f " +
             in_fish_quotes(with.command_file().string()) + "\n" + std::string(kFishScript);
    case ShellKind::posix:
      return variables(with) +
             (with.theirs.empty() ? "unset ENV\n__ptyd_v=\n"
                                  : "ENV=" + in_quotes(with.theirs) + "\n__ptyd_v=" + to_expand(with.theirs) + "\n") +
             std::string(kPosixScript);
    default:
      return variables(with) + std::string(kBashScript);
  }
}

std::string command_text(ShellKind kind, std::string_view token, std::string_view text) {
  if (kind != ShellKind::posix) return std::string(token).append("\n").append(text);
  // A script, with our calls before and behind the text.
  std::string script = "{ __ptyd_b " + std::string(token) + " \"$?\" && :; } 2>/dev/null\n";
  script.append(text).append("\n");
  if (ends_its_line(text)) script += "{ __ptyd_e \"$?\" && :; } 2>/dev/null\n";
  return script;
}

std::string_view typed_line(ShellKind kind) {
  if (kind == ShellKind::fish) return " __ptyd_b; eval $__ptyd_c\r";
  return kind == ShellKind::posix ? " \\eval \"$__ptyd\"\r" : " \\builtin \\eval \"$__ptyd\"\r";
}

}  // namespace ptyd
