// Command, Reply, Event: everything a client may ask of a terminal and everything a terminal may say, in no language.
//
// README.md says what the reference is; fields and bounds beyond it are marked "ours". Strings are valid UTF-8; lengths
// that the reference bounds are counted in UTF-16 units. Decoders have checked every bound named here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "protocol/execute_messages.hpp"
#include "protocol/tool_call_messages.hpp"
#include "pty/result.hpp"
#include "pty/types.hpp"

namespace ptyd {

namespace limits {
inline constexpr int kMinCols = 20, kMaxCols = 2000;  ///< the wider of the reference's two generations
inline constexpr int kMinRows = 5, kMaxRows = 1000;
inline constexpr std::size_t kMaxTerminalId = 128;  ///< UTF-16 units, after trimming
inline constexpr std::size_t kMaxThreadId = 1024;   ///< ours: the reference has none; names go into files and frames
inline constexpr std::size_t kMaxCwd = 4096;        ///< ours: PATH_MAX
inline constexpr std::size_t kMaxEnvEntries = 128;
inline constexpr std::size_t kMaxEnvKey = 128;
inline constexpr std::size_t kMaxEnvValue = 8192;
inline constexpr std::size_t kMaxWrite = 65536;  ///< UTF-16 units in one terminal.write
/// Ours: bytes of one frame from a client. The longest request is an open or a restart with all of its environment,
/// each of whose units may be written in six bytes (`\u001b`); the rest is for its other fields, names and punctuation.
inline constexpr std::size_t kMaxRequest = 7 << 20;
static_assert(kMaxEnvEntries * (6 * (kMaxEnvKey + kMaxEnvValue) + 16) + (512 << 10) <= kMaxRequest);
/// Ours: bytes of one frame from a client that may only view. None of its requests has a long field.
inline constexpr std::size_t kMaxViewRequest = 64 << 10;
/// Ours: values in one JSON text. Each costs some 40 bytes of memory for as few as two on the wire. The request with
/// the most is a program with all its arguments and variables, which has some 7200.
inline constexpr std::size_t kMaxValues = 64 << 10;
inline constexpr std::int64_t kMaxAck = 8 << 20;  ///< bytes in one terminal.ackOutput
inline constexpr std::size_t kMaxHistoryBytes = 1 << 20;
inline constexpr std::size_t kMaxHistoryLines = 5000;
/// Ours: bytes of `lines` in one answer, but for the end of the last line. On a slow link keys wait behind such an
/// answer.
inline constexpr std::size_t kMaxLinesPage = 8 << 10;
inline constexpr std::size_t kMaxFeatures = 16;     ///< ours
inline constexpr std::size_t kMaxRequestId = 1024;  ///< ours: UTF-16 units; kept until the reply
inline constexpr std::size_t kMaxStreams = 16;      ///< ours: event streams of one connection; each gets every event
inline constexpr std::size_t kMaxCursor = 64;       ///< ours: more than any cursor we make
inline constexpr std::size_t kMaxHold = 64;         ///< ours: UTF-16 units of the name of a hold
inline constexpr std::size_t kMaxName = 128;        ///< ours: UTF-16 units of a terminal's name, which has to fit a tab
inline constexpr std::size_t kMaxEmulator = 64;     ///< ours: characters of an emulator's name
inline constexpr int kMaxCellPixels = 1024;         ///< ours: far beyond any font; keeps reports to programs sane
inline constexpr int kMaxScrollback = 1'000'000;    ///< ours: lines one may ask for; far beyond what is kept
inline constexpr std::size_t kMaxArgs = 4096;       ///< ours: arguments of a program that an agent runs
inline constexpr std::size_t kMaxArg = (128 << 10) - 1;  ///< bytes: the kernel's MAX_ARG_STRLEN less the NUL
inline constexpr std::size_t kMaxVariables = 1024;       ///< ours: of such a program; some agents send all they have
inline constexpr std::size_t kMaxAgentSession = 512;     ///< ours: UTF-16 units; names go into files and frames
inline constexpr std::size_t kMaxOutputLimit = 1 << 20;  ///< bytes of a program's output that are kept at most
inline constexpr std::size_t kOutputLimit = 64 << 10;    ///< where an agent names none
}  // namespace limits

/// A type of event that a connection may ask for by `features`: kFeatureOf<Title>.
enum class Feature : std::uint8_t {};

enum class DeliveryPolicy : std::uint8_t {
  latest,    ///< for people: a client that falls behind is resynced
  lossless,  ///< for recorders: the child waits
};

/// `screen`: text that recreates the terminal. `raw`: the journal's own text. `repaint`: text that draws the visible
/// screen over what the client shows.
enum class HistoryFormat : std::uint8_t { screen, raw, repaint };

// --- Commands

struct Open {
  SessionKey key;
  std::string cwd;
  std::optional<std::uint16_t> cols, rows;
  Environment env;
  std::optional<bool> stream_output;
  // Ours:
  std::string after;    ///< cursor the client has reached, "" for none
  bool attach = false;  ///< true: only attach, keep the size; Errc::not_found when there is no such session
  DeliveryPolicy policy = DeliveryPolicy::latest;
  std::string hold;  ///< name under which output is held for a lossless client, also until it comes back; "" for none
  HistoryFormat history_format = HistoryFormat::screen;
  std::optional<std::uint32_t> scrollback;  ///< lines of history at most
  std::optional<std::uint64_t> from_line;   ///< of a repaint: the first line above the screen that it draws
  std::vector<Feature> features;
  ViewerTraits traits;
};
struct Write {
  SessionKey key;
  std::string data;
};
struct AckOutput {
  SessionKey key;
  std::int64_t bytes = 0;
};
struct Resize {
  SessionKey key;
  Size size;
};
struct Clear {
  SessionKey key;
};
/// Ours: sets the name that people call the terminal by. "" takes the name away.
struct Rename {
  SessionKey key;
  std::string name;
};
struct Restart {
  SessionKey key;
  std::string cwd;
  Size size;
  Environment env;
};
struct Close {
  std::string thread_id;
  std::optional<std::string> terminal_id;  ///< absent: every terminal of the thread
  bool delete_history = false;
};
/// Hear every session's output, now and in future.
struct Subscribe {
  std::vector<Feature> features;
};
/// Ends Subscribe. No reply of its own.
struct Unsubscribe {};
/// Ours: `plain` what a person reads, `vt` bytes that recreate the terminal, `cells` runs of cells that look alike,
/// `lines` bytes that draw lines above the screen.
enum class SnapshotFormat : std::uint8_t { plain, vt, cells, lines };
/// Ours: returns the screen as it is now, without a subscription.
struct TakeSnapshot {
  SessionKey key;
  SnapshotFormat format = SnapshotFormat::vt;
  std::optional<std::uint32_t> scrollback;      ///< lines above the screen at most
  std::optional<std::uint64_t> from_line = {};  ///< of lines: the first one; absent: as `scrollback` says
};
/// Ours: ends the subscription of the connection to this session, in whatever language it began.
struct Detach {
  SessionKey key;
};
/// Ours.
struct List {
  std::optional<std::string> thread_id;
  bool lost = false;  ///< only programs that the caller may Keep: of agents that dialled in and lost their connections
};

// --- Commands of agents: one program in a terminal of its own; agents.md

/// The thread of an agent's terminal is this and the agent's own name of its session.
inline constexpr std::string_view kAgentThreads = "acp/";
/// Size where an agent asks for none: wide enough that programs break few lines, and cheap.
inline constexpr Size kAgentSize{120, 40};

/// Starts `command` in a new terminal, which only clients with the same credential reach: for others it is not_found.
/// The reply comes when it runs, or when it is known that it never will: then the terminal has ended with 127 or 126
/// and says why.
struct Run {
  SessionKey key;       ///< the terminal's id was made for it
  std::string command;  ///< a program; where there are no arguments maybe a whole line for a shell
  std::vector<std::string> args;
  Environment env;                                    ///< on top of what agents' programs get
  std::string cwd;                                    ///< absolute
  std::uint64_t output_limit = limits::kOutputLimit;  ///< bytes of UTF-8 that ReadOutput gives at most
  Size size;
  bool takes_input = false;  ///< else its standard input is /dev/null, and Write is refused
  bool raw_output = false;   ///< ReadOutput gives the output with its sequences, unless it says otherwise
  bool dialled_in = false;   ///< the agent itself asks, not a delegate: it may come back and be offered its session
};
/// Asks for a program's output as text, and whether it has ended.
struct ReadOutput {
  SessionKey key;
  std::optional<bool> raw = std::nullopt;  ///< absent: as its Run wanted
};
/// Is answered when the program has ended.
struct AwaitExit {
  SessionKey key;
};
/// Ends the program with everything that it started; is answered when all of that is gone.
struct Kill {
  SessionKey key;
};
/// Kills the program if it still runs; waiting calls are answered first. Then the terminal has no owner: it is
/// not_found for agents, and people see it for a while if it was pinned.
struct Release {
  SessionKey key;
};
/// Makes the connection that asks an owner of the terminal, as ReadOutput does.
struct Keep {
  SessionKey key;
};
/// A tool call, of which `told` was told, shows the terminal: people see it for a while after its Release too.
struct Pin {
  SessionKey key;
  ToolCallUpdate told = {};
};
/// Sends a signal to the foreground process group of the terminal: the program, unless a shell has put a job there.
struct Signal {
  SessionKey key;
  int number = 0;
};

using Command =
    std::variant<Open, Write, AckOutput, Resize, Clear, Restart, Close, Subscribe, Unsubscribe, TakeSnapshot, List, Run,
                 ReadOutput, AwaitExit, Kill, Release, Keep, Pin, Signal, Detach, Rename, Execute>;

// --- Replies

enum class Status : std::uint8_t { starting, running, exited, error };

/// A terminal as it is at `cursor`.
struct Snapshot {
  SessionKey key;
  std::string cwd;
  Status status = Status::starting;
  std::optional<int> pid;
  std::string history;
  std::string replay_preamble;  ///< omitted on the wire when empty
  ExitStatus exit;
  UnixMillis updated_at = 0;
  // Ours:
  Cursor cursor;
  Size size;
  bool resumed = false;  ///< `after` was honoured: history is empty, what was missed follows as events
  std::string name;      ///< by Rename, "" when it has none
  /// Of a repaint: the first line above the screen that history draws.
  std::optional<std::uint64_t> from_line;
  /// Of a repaint: the oldest line above the screen that is kept.
  std::optional<std::uint64_t> first_line;
  std::optional<ToolCall> tool_call;  ///< that shows it, of an agent's program
};

struct TerminalInfo {
  SessionKey key;
  Status status = Status::starting;
  std::optional<int> pid;
  std::string cwd;  ///< of `process`; where none is known, what it was started in
  Size size;
  std::string title;
  ExitStatus exit;
  bool has_running_subprocess = false;
  std::string cli_kind;     ///< "" when none
  std::string agent_state;  ///< "" when none
  int viewers = 0;
  UnixMillis updated_at = 0;
  std::string command_line;  ///< of a program that an agent runs, "" of a shell
  bool takes_input = true;
  std::string process;                   ///< the program in the foreground, as the kernel calls it; "" where none is
  std::optional<UnixMillis> started_at;  ///< of its last program; nothing where another server started it
  std::string name;                      ///< by Rename, "" when it has none
  std::optional<ToolCall> tool_call;     ///< that shows it, of an agent's program
};
struct TerminalList {
  std::vector<TerminalInfo> terminals;
};
/// Ours: cells that look alike.
struct CellSpan {
  std::string text;
  int columns = 0;
  std::string foreground, background, underline_colour;  ///< "" the default, "0" to "255", or "#rrggbb"
  std::string underline;  ///< "" none, else "single", "double", "curly", "dotted" or "dashed"
  bool bold = false, faint = false, italic = false, blink = false, inverse = false, invisible = false, strike = false,
       overline = false;
  std::string link;  ///< URI of a hyperlink
};
struct CellRow {
  std::vector<CellSpan> spans;  ///< without the default blanks at the end
  bool wrapped = false;         ///< the text goes on in the next row
};
/// Ours: a terminal's screen at `cursor`.
struct ScreenSnapshot {
  SessionKey key;
  Cursor cursor;
  Size size;
  SnapshotFormat format = SnapshotFormat::vt;
  std::optional<std::string> text;  ///< of plain, vt and lines
  /// Of lines: the first one, the one behind the last one, and the one behind all that there are above the screen.
  /// Lines are numbered as they leave the screen.
  std::optional<std::uint64_t> first_line, next_line, end_line;
  bool has_earlier = false;         ///< of lines: there were others before the first one, and nothing cleared them
  std::vector<CellRow> scrollback;  ///< of cells, oldest first
  std::vector<CellRow> screen;
  CaretPlace caret;
  bool alternate = false;  ///< a full-screen program shows its own screen
  std::string title;
};
/// Output of a program: the end of it, as text.
struct ProgramOutput {
  std::string text;
  bool truncated = false;          ///< anything was ever left out
  std::optional<ExitStatus> exit;  ///< once it has ended
};
struct ProgramExit {
  ExitStatus exit;
};
struct Done {};

using Reply = std::variant<Done, Snapshot, ScreenSnapshot, TerminalList, ProgramOutput, ProgramExit, Executed>;

// --- Events

struct Started {
  Snapshot snapshot;
};
struct Restarted {
  Snapshot snapshot;
};
/// Output. Most of it travels as ready text (protocol/output.hpp), beside which this has only the length.
struct Output {
  /// Valid UTF-8. Where the event travels as ready text: empty, or of an agent's terminal the bytes as they were
  /// written.
  std::string data;
  std::size_t byte_length = 0;  ///< of `data` in UTF-8
};
struct Exited {
  ExitStatus exit;
};
/// The reference's `error` event: a child that could not be started.
struct Failed {
  std::string message;
};
struct Cleared {};
struct Activity {
  bool has_running_subprocess = false;
  std::string cli_kind;     ///< "codex", "claude" or ""
  std::string agent_state;  ///< "running", "attention", "review" or ""
};
// Ours, by feature:
struct Resized {
  Size size;
};
struct Title {
  std::string title;
};
/// Something did not go as asked; nothing was lost silently.
struct Warning {
  std::string code;  ///< e.g. "line-too-long", "history-in-memory"
  std::string message;
};
struct Shutdown {
  std::string reason;
};
/// A program has put text on a clipboard (OSC 52).
struct Clipboard {
  std::string selection;  ///< OSC 52's letters: `c` clipboard, `p` primary ...
  std::string text;
};

/// Another program is in the foreground, or its working directory has changed.
struct Process {
  std::string process;  ///< as the kernel calls it
  std::string cwd;      ///< its own; where it is not known, what the terminal was started in
};

/// The terminal has another name.
struct Renamed {
  std::string name;  ///< "" when it has none any more
};

/// The client was resynced, since it had fallen behind too far.
struct Resynced {
  std::uint64_t skipped_lines = 0;  ///< that the client was not shown, and that its scrollback lacks from now on
};

using EventBody = std::variant<Started, Restarted, Output, Exited, Failed, Cleared, Activity, Resized, Title, Warning,
                               Shutdown, Clipboard, Process, Renamed, Resynced, ToolCallUpdated>;

/// Something that a session tells its clients. `cursor` is the position right after it.
struct Event {
  SessionKey key;
  UnixMillis created_at = 0;
  Cursor cursor;
  EventBody body;
};

template <class Body, class... Bodies>
consteval Feature feature_among(const std::variant<Bodies...>*) {
  std::uint8_t before = 0;
  static_cast<void>(((std::is_same_v<Body, Bodies> || (++before, false)) || ...));
  return Feature{before};
}
/// Features are numbered as events stand in EventBody; those that have to be asked for say so in their rows.
template <class Body>
inline constexpr Feature kFeatureOf = feature_among<Body>(static_cast<const EventBody*>(nullptr));

}  // namespace ptyd
