#include "pty/shell/integration.hpp"

#include <algorithm>
#include <array>

namespace ptyd {
namespace {

/// Each file of this room that a shell reads is wrapped into a string when the program is built.
constexpr std::string_view kBashScript =
#include "pty/shell/bash.inc"
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

}  // namespace

ShellKind shell_kind(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  const auto found =
      std::find_if(kShells.begin(), kShells.end(), [&](const KnownShell& shell) { return shell.name == name; });
  return found == kShells.end() ? ShellKind::other : found->kind;
}

bool has_integration(ShellKind kind) {
  return kind == ShellKind::bash;
}

Program integrated(Program program, const Integration& with) {
  program.args.insert(program.args.begin(), {"--rcfile", with.start_file().string()});
  return program;
}

std::string start_text(ShellKind, const Integration& with) {
  return "__ptyd_n=" + in_quotes(with.nonce) + "\n__ptyd_f=" + in_quotes(with.command_file().string()) + "\n" +
         std::string(kBashScript);
}

std::string command_text(ShellKind, std::string_view token, std::string_view text) {
  return std::string(token).append("\n").append(text);
}

std::string_view typed_line(ShellKind) {
  return " \\builtin eval \"$__ptyd\"\r";
}

}  // namespace ptyd
