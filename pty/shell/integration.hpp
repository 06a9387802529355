// Integration: starts a shell so that it marks where commands begin and end, and gives it commands.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "pty/types.hpp"

namespace ptyd {

enum class ShellKind : std::uint8_t {
  bash,
  zsh,
  fish,
  posix,  ///< sh, dash, ash
  other,  ///< no shell that we know
};

/// By the file name of `program`.
ShellKind shell_kind(std::string_view program);
/// Whether a shell of this kind can tell of its commands: there is a script for it.
bool has_integration(ShellKind kind);

/// Whether a shell of this kind reports the end of an `exit` too. Then it ends, or its prompt comes next.
bool tells_end_of_exit(ShellKind kind);
/// Whether Ctrl-C at an empty prompt brings no new prompt, so that no marker is printed.
bool keeps_prompt_on_interrupt(ShellKind kind);

/// The variable by which a shell of this kind is shown our start file; "" where it is an argument.
std::string_view start_variable(ShellKind kind);

/// The means of integrating one launch of a shell.
struct Integration {
  std::string nonce;             ///< kNonceDigits; stands in the text of the start file alone
  std::filesystem::path folder;  ///< 0700, of this launch alone; holds the files below
  std::string theirs = {};       ///< the user's own value of start_variable(); "" for none

  /// zsh looks for a file of this name.
  std::filesystem::path start_file(ShellKind kind) const {
    return folder / (kind == ShellKind::zsh ? ".zshenv" : "rc");
  }
  std::filesystem::path command_file() const { return folder / "c"; }
  /// The shell notes there whether a trap on ERR is set.
  std::filesystem::path trap_file() const { return folder / "c.trap"; }
};

/// Changes `spec` so that its shells, all of a `kind` that has_integration(), read the start file.
void integrate(LaunchSpec& spec, ShellKind kind, const Integration& with);
/// Text of the start file: the user's own files are read by it or before it.
std::string start_text(ShellKind kind, const Integration& with);
/// Text of the command file. `text` holds no NUL.
std::string command_text(ShellKind kind, std::string_view token, std::string_view text);
/// Line to be typed at the prompt, Enter included, to have the command file carried out. Its leading blank and the
/// script keep it out of the history.
std::string_view typed_line(ShellKind kind);

}  // namespace ptyd
