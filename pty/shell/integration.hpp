// Integration: how a shell is started so that it tells where commands begin and end, and how it is given one.
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

/// The means of integrating one launch of a shell.
struct Integration {
  std::string nonce;             ///< kNonceDigits; stands in the text of the start file alone
  std::filesystem::path folder;  ///< 0700, of this launch alone; holds the files below

  std::filesystem::path start_file() const { return folder / "rc"; }
  std::filesystem::path command_file() const { return folder / "c"; }
  /// The shell notes there whether a trap on ERR is set.
  std::filesystem::path trap_file() const { return folder / "c.trap"; }
};

/// `program` with the arguments that make it read the start file. It is of a kind that has_integration().
Program integrated(Program program, const Integration& with);
/// Text of the start file: the user's own files are read by it or before it.
std::string start_text(ShellKind kind, const Integration& with);
/// Text of the command file. `text` holds no NUL.
std::string command_text(ShellKind kind, std::string_view token, std::string_view text);
/// Line to be typed at the prompt, Enter included, to have the command file carried out. Its leading blank and the
/// script keep it out of the history.
std::string_view typed_line(ShellKind kind);

}  // namespace ptyd
