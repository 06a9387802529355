// ShellMarker: reports of a shell with our integration, in private sequences of its output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "pty/text/scanner.hpp"

namespace ptyd {

/// `OSC 6973 ; NONCE ; KIND [; FIELD]... BEL` (or ST), as the scripts in this room print it.
struct ShellMarker {
  enum class Kind : std::uint8_t {
    prompt,  ///< `P;STATUS;CWD`: the prompt comes next
    begun,   ///< `B;TOKEN;STATUS`: the text of a command has been read and runs next; status is `$?` before it
    ended,   ///< `E;TOKEN;STATUS;CWD`: that text has ended by itself
  };
  Kind kind = Kind::prompt;
  std::string nonce;  ///< of the launch
  std::string token;  ///< of the command: of begun and ended
  int status = 0;
  std::string cwd;  ///< of prompt and ended; bytes, which need not be UTF-8
};

/// Hex digits.
inline constexpr std::size_t kNonceDigits = 32, kTokenDigits = 16;

/// Whether `token` has our number. Such a token is cut out of everything, valid or not, and so is each piece of one
/// that is too long.
bool is_shell_marker(const Token& token);
/// Nothing unless `token` is exactly as our shells write it. The caller checks the nonce.
std::optional<ShellMarker> parse_shell_marker(const Token& token);

}  // namespace ptyd
