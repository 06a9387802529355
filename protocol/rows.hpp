// The field rows of requests and replies. Wire names of fields exist here, in the other *_rows.hpp files, and where
// text is written without rows (output.cpp, acp/acp_live.cpp, the frames of languages).
//
// README.md says what the reference is; notes that begin with "ours" mark what it does not have.
#pragma once

#include <tuple>

#include "protocol/json/schema.hpp"
#include "protocol/kinds.hpp"
#include "protocol/messages.hpp"

namespace ptyd::schema {

// --- kinds with our bounds

inline constexpr Text kAnyText{};
inline constexpr Text kEnvelopeId{.min = 1, .max = limits::kMaxRequestId, .trimmed = true};
inline constexpr Text kThreadId{.min = 1, .max = limits::kMaxThreadId, .trimmed = true, .may_hold_nul = false};
inline constexpr Text kTerminalId{.min = 1, .max = limits::kMaxTerminalId, .trimmed = true, .may_hold_nul = false};
inline constexpr Text kCwd{.min = 1, .max = limits::kMaxCwd, .trimmed = true, .may_hold_nul = false};
inline constexpr Integer kCols{limits::kMinCols, limits::kMaxCols};
inline constexpr Integer kRows{limits::kMinRows, limits::kMaxRows};
inline constexpr Integer kCellPixels{1, limits::kMaxCellPixels};
inline constexpr Integer kPid{1};
inline constexpr Integer kCount{0};
inline constexpr Integer kAnyInteger{std::numeric_limits<std::int32_t>::min(),
                                     std::numeric_limits<std::int32_t>::max()};
inline constexpr Word kCliKind{"codex", "claude"};
inline constexpr Word kAgentState{"running", "attention", "review"};

inline constexpr std::string_view kDefaultTerminal = "default";

// --- parts

/// Colours of a ViewerTraits.
struct Colours;
template <>
struct Rows<Colours> {
  static constexpr std::string_view name = "Colours";
  static constexpr std::tuple fields{optional("foreground", Colour{}, "", &ViewerTraits::foreground),
                                     optional("background", Colour{}, "", &ViewerTraits::background),
                                     optional("cursor", Colour{}, "", &ViewerTraits::cursor_colour)};
};

/// A Size in pixels.
struct CellSize;
template <>
struct Rows<CellSize> {
  static constexpr std::string_view name = "CellSize";
  static constexpr std::tuple fields{required("width", kCellPixels, "pixels", &Size::cols),
                                     required("height", kCellPixels, "pixels", &Size::rows)};
};

// --- requests

/// Name and texts of a method.
struct MethodText {
  std::string_view name;
  std::string_view failure;  ///< said by effect rpc when an error has no words of its own
  std::string_view note;     ///< one line for people
};

/// Name and texts of a method, with the type of its answer.
template <class AnswerType = Done>
struct MethodRow : MethodText {
  using Answered = AnswerType;
};

template <class Message>
inline constexpr auto kThreadIdRow = required("threadId", kThreadId, "trimmed", &Message::key, &SessionKey::thread_id);
template <class Message>
inline constexpr auto kTerminalIdRow = with_fallback(kDefaultTerminal,
                                                     optional("terminalId", kTerminalId, "trimmed", &Message::key,
                                                              &SessionKey::terminal_id));

template <>
struct Rows<Open> {
  static constexpr std::string_view name = "OpenParams";
  static constexpr MethodRow<Snapshot> method{
      {"terminal.open", "Failed to open terminal", "Starts a shell or attaches to one; its output follows as events"}};
  static constexpr std::tuple fields{
      kThreadIdRow<Open>,
      kTerminalIdRow<Open>,
      required("cwd", kCwd, "working directory of a new shell, trimmed; must exist", &Open::cwd),
      optional("cols", kCols, "120 for a new terminal, else unchanged", &Open::cols),
      optional("rows", kRows, "30 for a new terminal, else unchanged", &Open::rows),
      optional("env", EnvironmentObject{}, "set on top of the server's environment", &Open::env),
      optional("streamOutput", Boolean{}, "false: this connection gets no output events of it", &Open::stream_output),
      optional("after", Text{.max = limits::kMaxCursor},
               "ours: the last cursor seen; what was missed follows as events, or the reply is a full snapshot",
               &Open::after),
      optional("attach", Boolean{}, "ours: only an existing terminal, and without resizing it", &Open::attach),
      optional("policy", Choice<DeliveryPolicy>{},
               "ours: latest shows the present to a client that falls behind, lossless makes the program wait",
               &Open::policy),
      optional("hold", Text{.max = limits::kMaxHold},
               "ours: a name under which a lossless client is waited for; it tells the same when it comes back",
               &Open::hold),
      optional("historyFormat", Choice<HistoryFormat>{},
               "ours: history as text that recreates the screen, or as the program wrote it, or that repaints an "
               "emulator which holds the lines before `fromLine`",
               &Open::history_format),
      optional("fromLine", kCount, "ours: of a repaint, the first line above the screen that it draws",
               &Open::from_line),
      optional("scrollback", Integer{0, limits::kMaxScrollback}, "ours: lines of history at most", &Open::scrollback),
      optional("features", FeatureNames{}, "ours: further event types to hear", &Open::features),
      optional("colors", Object<Colours>{}, "ours: the answers to programs that ask for colours", &Open::traits),
      optional("cellSize", Object<CellSize>{}, "ours: pixels of a cell", &Open::traits, &ViewerTraits::cell_size),
      optional("emulator", EmulatorName{limits::kMaxEmulator}, "ours: name and version of the viewer's emulator",
               &Open::traits, &ViewerTraits::emulator)};
};

template <>
struct Rows<Write> {
  static constexpr std::string_view name = "WriteParams";
  static constexpr MethodRow<> method{{"terminal.write", "Failed to write terminal", "Types text into it"}};
  static constexpr std::tuple fields{
      kThreadIdRow<Write>, kTerminalIdRow<Write>,
      required("data", Text{.min = 1, .max = limits::kMaxWrite}, "typed into the terminal as it is", &Write::data)};
};

template <>
struct Rows<AckOutput> {
  static constexpr std::string_view name = "AckOutputParams";
  static constexpr MethodRow<> method{
      {"terminal.ackOutput", "Failed to acknowledge terminal output", "Confirms output that the client has processed"}};
  static constexpr std::tuple fields{
      kThreadIdRow<AckOutput>, kTerminalIdRow<AckOutput>,
      required("bytes", Integer{1, limits::kMaxAck}, "sum of byteLength since the last one", &AckOutput::bytes)};
};

template <>
struct Rows<Resize> {
  static constexpr std::string_view name = "ResizeParams";
  static constexpr MethodRow<> method{{"terminal.resize", "Failed to resize terminal", "Changes its size"}};
  static constexpr std::tuple fields{kThreadIdRow<Resize>, kTerminalIdRow<Resize>,
                                     required("cols", kCols, "", &Resize::size, &Size::cols),
                                     required("rows", kRows, "", &Resize::size, &Size::rows)};
};

template <>
struct Rows<Clear> {
  static constexpr std::string_view name = "ClearParams";
  static constexpr MethodRow<> method{
      {"terminal.clear", "Failed to clear terminal", "Empties its screen, scrollback and journal"}};
  static constexpr std::tuple fields{kThreadIdRow<Clear>, kTerminalIdRow<Clear>};
};

template <>
struct Rows<Rename> {
  static constexpr std::string_view name = "RenameParams";
  static constexpr MethodRow<> method{
      {"terminal.rename", "Failed to rename terminal", "Ours: gives it a name, which the server keeps"}};
  static constexpr std::tuple fields{kThreadIdRow<Rename>, kTerminalIdRow<Rename>,
                                     required("name", Text{.max = limits::kMaxName, .trimmed = true},
                                              "what people call it, trimmed; \"\" for no name", &Rename::name)};
};

template <>
struct Rows<Restart> {
  static constexpr std::string_view name = "RestartParams";
  static constexpr MethodRow<Snapshot> method{
      {"terminal.restart", "Failed to restart terminal", "Ends its program and starts a new shell in its place"}};
  static constexpr std::tuple fields{
      kThreadIdRow<Restart>,
      kTerminalIdRow<Restart>,
      required("cwd", kCwd, "working directory of the new shell, trimmed; must exist", &Restart::cwd),
      required("cols", kCols, "", &Restart::size, &Size::cols),
      required("rows", kRows, "", &Restart::size, &Size::rows),
      optional("env", EnvironmentObject{}, "set on top of the server's environment", &Restart::env)};
};

template <>
struct Rows<Close> {
  static constexpr std::string_view name = "CloseParams";
  static constexpr MethodRow<> method{{"terminal.close", "Failed to close terminal",
                                       "Ends one terminal, or all of a thread, with every process in it"}};
  static constexpr std::tuple fields{
      required("threadId", kThreadId, "trimmed", &Close::thread_id),
      optional("terminalId", kTerminalId, "trimmed; absent: every terminal of the thread", &Close::terminal_id),
      optional("deleteHistory", Boolean{}, "also delete the transcript", &Close::delete_history)};
};

template <>
struct Rows<Subscribe> {
  static constexpr std::string_view name = "SubscribeEventsParams";
  static constexpr MethodRow<> method{{"terminal.subscribeEvents", "Failed to subscribe to terminal events",
                                       "Sends the output of every terminal, present and future"}};
  static constexpr std::tuple fields{
      optional("features", FeatureNames{}, "ours: further event types to hear", &Subscribe::features)};
};

template <>
struct Rows<TakeSnapshot> {
  static constexpr std::string_view name = "SnapshotParams";
  static constexpr MethodRow<ScreenSnapshot> method{
      {"terminal.snapshot", "Failed to take a snapshot", "Ours: returns its screen as it is now; no events follow"}};
  static constexpr std::tuple fields{
      kThreadIdRow<TakeSnapshot>, kTerminalIdRow<TakeSnapshot>,
      optional("format", Choice<SnapshotFormat>{},
               "plain: text for a person; vt: bytes that recreate the terminal, the default; cells: runs of cells; "
               "lines: bytes that draw some lines above the screen",
               &TakeSnapshot::format),
      optional("fromLine", kCount, "for `lines`: the first one; else the oldest that `scrollback` allows",
               &TakeSnapshot::from_line),
      optional("scrollback", Integer{0, limits::kMaxScrollback},
               "lines above the screen at most; for `lines`: whole lines that take so many rows at most",
               &TakeSnapshot::scrollback)};
};

template <>
struct Rows<List> {
  static constexpr std::string_view name = "ListParams";
  static constexpr MethodRow<TerminalList> method{
      {"terminal.list", "Failed to list terminals", "Ours: lists the terminals"}};
  static constexpr std::tuple fields{
      optional("threadId", kThreadId, "trimmed; absent: every thread", &List::thread_id)};
};

// --- replies

template <>
struct Rows<ToolCall> {
  static constexpr std::string_view name = "ToolCall";
  static constexpr std::tuple fields{
      required("title", kAnyText, "one line, \"\" where the agent tells none", &ToolCall::title),
      required("kind", Choice<ToolKind>{}, "", &ToolCall::kind),
      required("status", Choice<ToolStatus>{}, "", &ToolCall::status)};
};

template <class Message>
inline constexpr auto kToolCallRow = optional("toolCall", Object<ToolCall>{},
                                              "ours: the tool call of an agent that shows it; absent where none does",
                                              &Message::tool_call);

template <>
struct Rows<Snapshot> {
  static constexpr std::string_view name = "Snapshot";
  static constexpr std::tuple fields{
      required("threadId", kAnyText, "", &Snapshot::key, &SessionKey::thread_id),
      required("terminalId", kAnyText, "", &Snapshot::key, &SessionKey::terminal_id),
      required("cwd", kAnyText, "", &Snapshot::cwd),
      required("status", Choice<Status>{}, "", &Snapshot::status),
      nullable("pid", kPid, "", &Snapshot::pid),
      required("history", kAnyText, "recreates the terminal when written to a fresh emulator", &Snapshot::history),
      optional("replayPreamble", kAnyText, "to be written before history", &Snapshot::replay_preamble),
      nullable("exitCode", kAnyInteger, "", &Snapshot::exit, &ExitStatus::code),
      nullable("exitSignal", kAnyInteger, "null when no signal ended it", &Snapshot::exit, &ExitStatus::signal),
      required("updatedAt", Timestamp{}, "", &Snapshot::updated_at),
      required("cursor", CursorText{}, "ours: the position of this state in the output", &Snapshot::cursor),
      required("cols", kCols, "ours", &Snapshot::size, &Size::cols),
      required("rows", kRows, "ours", &Snapshot::size, &Size::rows),
      required("resumed", Boolean{}, "ours: history is empty, what was missed after `after` follows as events",
               &Snapshot::resumed),
      optional("name", kAnyText, "ours: what people call it, by terminal.rename; absent where it has no name",
               &Snapshot::name),
      optional("fromLine", kCount, "ours: of a repaint, the first line above the screen that it draws",
               &Snapshot::from_line),
      optional("firstLine", kCount, "ours: of a repaint, the oldest line above the screen that is kept",
               &Snapshot::first_line),
      kToolCallRow<Snapshot>};
};

template <>
struct Rows<CellSpan> {
  static constexpr std::string_view name = "CellSpan";
  static constexpr std::tuple fields{
      required("text", kAnyText, "", &CellSpan::text),
      required("columns", kCount, "that the text takes", &CellSpan::columns),
      optional("foreground", kAnyText, "0 to 255, or #rrggbb; absent: the default", &CellSpan::foreground),
      optional("background", kAnyText, "", &CellSpan::background),
      optional("underlineColour", kAnyText, "", &CellSpan::underline_colour),
      optional("underline", kAnyText, "single, double, curly, dotted or dashed", &CellSpan::underline),
      optional("bold", Boolean{}, "", &CellSpan::bold),
      optional("faint", Boolean{}, "", &CellSpan::faint),
      optional("italic", Boolean{}, "", &CellSpan::italic),
      optional("blink", Boolean{}, "", &CellSpan::blink),
      optional("inverse", Boolean{}, "", &CellSpan::inverse),
      optional("invisible", Boolean{}, "", &CellSpan::invisible),
      optional("strike", Boolean{}, "", &CellSpan::strike),
      optional("overline", Boolean{}, "", &CellSpan::overline),
      optional("link", kAnyText, "target of a hyperlink", &CellSpan::link)};
};

template <>
struct Rows<CellRow> {
  static constexpr std::string_view name = "CellRow";
  static constexpr std::tuple fields{
      required("spans", ArrayOf<CellSpan>{}, "from the left; default blanks at the end are left out", &CellRow::spans),
      optional("wrapped", Boolean{}, "the text goes on in the next row", &CellRow::wrapped)};
};

template <>
struct Rows<CaretPlace> {
  static constexpr std::string_view name = "CaretPlace";
  static constexpr std::tuple fields{required("row", kCount, "from 0", &CaretPlace::row),
                                     required("column", kCount, "from 0", &CaretPlace::column),
                                     required("visible", Boolean{}, "", &CaretPlace::visible)};
};

template <>
struct Rows<ScreenSnapshot> {
  static constexpr std::string_view name = "ScreenSnapshot";
  static constexpr std::tuple fields{
      required("threadId", kAnyText, "", &ScreenSnapshot::key, &SessionKey::thread_id),
      required("terminalId", kAnyText, "", &ScreenSnapshot::key, &SessionKey::terminal_id),
      required("cursor", CursorText{}, "the position of this state in the output", &ScreenSnapshot::cursor),
      required("cols", kCols, "", &ScreenSnapshot::size, &Size::cols),
      required("rows", kRows, "", &ScreenSnapshot::size, &Size::rows),
      required("format", Choice<SnapshotFormat>{}, "", &ScreenSnapshot::format),
      optional("text", kAnyText, "of plain, vt and lines", &ScreenSnapshot::text),
      optional("firstLine", kCount, "of lines: the first one in text", &ScreenSnapshot::first_line),
      optional("nextLine", kCount, "of lines: the one behind the last one in text", &ScreenSnapshot::next_line),
      optional("endLine", kCount, "of lines: the one behind all above the screen", &ScreenSnapshot::end_line),
      optional("hasEarlier", Boolean{}, "of lines: there were others before the first one, and nothing cleared them",
               &ScreenSnapshot::has_earlier),
      optional("scrollback", ArrayOf<CellRow>{}, "of cells, oldest first", &ScreenSnapshot::scrollback),
      optional("screen", ArrayOf<CellRow>{}, "of cells", &ScreenSnapshot::screen),
      required("caret", Object<CaretPlace>{}, "", &ScreenSnapshot::caret),
      required("alternate", Boolean{}, "a full-screen program shows its own screen", &ScreenSnapshot::alternate),
      required("title", kAnyText, "", &ScreenSnapshot::title)};
};

template <>
struct Rows<TerminalInfo> {
  static constexpr std::string_view name = "TerminalInfo";
  static constexpr std::tuple fields{
      required("threadId", kAnyText, "", &TerminalInfo::key, &SessionKey::thread_id),
      required("terminalId", kAnyText, "", &TerminalInfo::key, &SessionKey::terminal_id),
      required("status", Choice<Status>{}, "", &TerminalInfo::status),
      nullable("pid", kPid, "", &TerminalInfo::pid),
      required("cwd", kAnyText, "of the program in the foreground; where it is not known, that of the start",
               &TerminalInfo::cwd),
      required("cols", kCols, "", &TerminalInfo::size, &Size::cols),
      required("rows", kRows, "", &TerminalInfo::size, &Size::rows),
      required("title", kAnyText, "", &TerminalInfo::title),
      nullable("exitCode", kAnyInteger, "", &TerminalInfo::exit, &ExitStatus::code),
      nullable("exitSignal", kAnyInteger, "", &TerminalInfo::exit, &ExitStatus::signal),
      required("hasRunningSubprocess", Boolean{}, "", &TerminalInfo::has_running_subprocess),
      nullable("cliKind", kCliKind, "", &TerminalInfo::cli_kind),
      nullable("agentState", kAgentState, "", &TerminalInfo::agent_state),
      required("viewers", kCount, "connections that hear its output", &TerminalInfo::viewers),
      required("updatedAt", Timestamp{}, "", &TerminalInfo::updated_at),
      optional("commandLine", kAnyText, "ours: the command of an agent's program; absent for a shell",
               &TerminalInfo::command_line),
      optional("takesInput", Boolean{}, "ours: false for an agent's program that reads no input",
               &TerminalInfo::takes_input),
      optional("process", kAnyText, "ours: the program in the foreground, as the kernel calls it; absent once it ended",
               &TerminalInfo::process),
      optional("name", kAnyText, "ours: what people call it, by terminal.rename; absent where it has no name",
               &TerminalInfo::name),
      optional("startedAt", Timestamp{}, "ours: of its last program; absent where another server started it",
               &TerminalInfo::started_at),
      kToolCallRow<TerminalInfo>};
};

template <>
struct Rows<TerminalList> {
  static constexpr std::string_view name = "TerminalList";
  static constexpr std::tuple fields{required("terminals", ArrayOf<TerminalInfo>{}, "", &TerminalList::terminals)};
};

}  // namespace ptyd::schema
