// Execute, Executed: one command in a persistent shell, and what came of it. Source: protocol/execute.md.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pty/types.hpp"

namespace ptyd {

namespace limits {
/// How long an answer is waited for where the client does not say: for a command, and for what is typed into one.
inline constexpr std::chrono::milliseconds kExecuteWait{30000}, kInputWait{2000};
/// The longest wait. A longer one is cut to this, and the answer says so.
inline constexpr std::chrono::milliseconds kMaxExecuteWait{60000};
}  // namespace limits

/// Characters of content in one answer.
namespace limits {
inline constexpr std::uint32_t kMinOutputChars = 1000, kUsualOutputChars = 30'000, kMaxOutputChars = 200'000;
}  // namespace limits

/// How long a client wants to wait.
struct WaitTime {
  std::optional<std::chrono::milliseconds> time;  ///< nothing: the default
  bool clamped = false;                           ///< more than kMaxExecuteWait was asked for
};

/// Runs `command` in the shell of a terminal, which is started where it is not running. Blank: waits for what runs
/// there. The name of a key ("C-c", "S-Up", "F5"): types that key. The answer comes when the command has ended or the
/// time is up; after typing into a program also when that has printed something and is quiet. The answer ends nothing.
struct Execute {
  SessionKey key;
  std::string command;    ///< without NUL
  bool is_input = false;  ///< `command` is typed into the program that runs, with Enter ...
  bool no_enter = false;  ///< ... or without
  bool literal = false;   ///< `command` is text, even if it is the name of a key
  WaitTime timeout;
  std::uint32_t max_output_chars = limits::kUsualOutputChars;
  // Of a shell that is started for this command:
  std::string cwd;    ///< "" the server's own
  std::string shell;  ///< name or path; "" the server's own
  std::optional<std::uint16_t> cols, rows;
  Environment env;
};

enum class CommandStatus : std::uint8_t { completed, running };

/// How a program reads the keyboard.
enum class InputMode : std::uint8_t {
  line,      ///< whole lines, which the kernel echoes
  password,  ///< whole lines, which nothing shows
  raw,       ///< each key, as line editors and full-screen programs do
};

struct CaretPlace {
  int row = 0, column = 0;  ///< from 0
  bool visible = true;
};

/// Screen of a full-screen program.
struct ProgramScreen {
  std::vector<std::string> rows;  ///< all of them, from the top, without blanks at their ends; valid UTF-8
  CaretPlace caret;
};

struct Executed {
  /// Output since the last answer, as a person reads it; valid UTF-8. Where that is too much, a line in the
  /// middle says how much is left out.
  std::string content;
  std::string command;  ///< as it was asked
  std::string terminal_id;
  CommandStatus status = CommandStatus::completed;
  std::optional<int> exit_code;            ///< when completed: of the command, or of the last one
  std::optional<std::string> working_dir;  ///< as the shell reported it last; nothing before its first report
  std::int64_t duration_ms = 0;            ///< since the command began
  bool truncated = false;                  ///< something was left out: so many lines and bytes
  std::uint64_t omitted_lines = 0, omitted_bytes = 0;
  std::uint64_t total_bytes = 0;  ///< that the command has printed until now, sequences among them
  bool terminal_created = false;  ///< a shell was started for this call
  bool terminal_closed = false;   ///< the shell has ended
  bool timeout_clamped = false;
  // Of the program that has the terminal's keyboard; nothing while the shell stands at its prompt.
  std::optional<InputMode> input_mode;
  std::optional<std::string> foreground;  ///< its name; valid UTF-8
  bool alt_screen = false;                ///< it shows a screen of its own ...
  std::optional<ProgramScreen> screen;    ///< ... which is this
  bool maybe_idle = false;                ///< the shell may be at its prompt, with its integration lost
};

}  // namespace ptyd
