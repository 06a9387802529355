// Plain values: the vocabulary that all rooms share.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptyd {

/// Cells. The protocol checks the bounds (protocol/messages.hpp).
struct Size {
  std::uint16_t cols = 120;
  std::uint16_t rows = 30;
  bool operator==(const Size&) const = default;
};

/// How a child ended: `code` when it exited by itself, `signal` when a signal ended it; exactly one is set.
struct ExitStatus {
  std::optional<int> code;
  std::optional<int> signal;
  bool operator==(const ExitStatus&) const = default;
};

/// Names a session: the client's thread and terminal, both non-empty UTF-8.
struct SessionKey {
  std::string thread_id;
  std::string terminal_id;
  auto operator<=>(const SessionKey&) const = default;
};

/// NAME and value; order is kept, a later entry of the same name wins.
using Environment = std::vector<std::pair<std::string, std::string>>;

/// One thing to try to execute. `path` without a slash is looked up in the child's PATH.
struct Program {
  std::string path;
  std::vector<std::string> args;  ///< argv[1] and on, byte-exact
  bool operator==(const Program&) const = default;
};

/// All that is needed to start a child on a new pty.
struct LaunchSpec {
  std::vector<Program> candidates;  ///< tried in order while the one before is not found
  std::string cwd;
  Environment environment;  ///< complete: nothing is inherited beside it
  Size size;
  /// For programs that are not typed to: standard input is /dev/null, and the terminal is no controlling one. So a
  /// question on /dev/tty fails at once, and no process is hung up when the program ends.
  bool null_input = false;
};

/// A place in the order of all that a session ever said; see journal.hpp.
using Position = std::uint64_t;

/// A position together with the journal it belongs to. On the wire `<incarnation as 16 hex digits>.<position>`.
struct Cursor {
  std::uint64_t incarnation = 0;
  Position position = 0;
  bool operator==(const Cursor&) const = default;
};
std::string format_cursor(const Cursor& cursor);
/// Nothing unless `text` is exactly what format_cursor writes.
std::optional<Cursor> parse_cursor(std::string_view text);

/// Traits that only a viewer knows and programs ask for. Colours are 0xRRGGBB.
struct ViewerTraits {
  std::optional<std::uint32_t> foreground, background, cursor_colour;
  std::optional<Size> cell_size;  ///< pixels
  std::string emulator;           ///< name and version as in XTVERSION; at most 64 printable ASCII characters
};

/// Milliseconds since 1970, UTC.
using UnixMillis = std::int64_t;

}  // namespace ptyd
