// The field rows of agents' programs and of their output; names are those of the Agent Client Protocol, version 1.
#pragma once

#include <tuple>

#include "protocol/program_kinds.hpp"
#include "protocol/rows.hpp"

namespace ptyd::schema {

/// The agent's name of a session: opaque text.
inline constexpr Text kAgentSession{.max = limits::kMaxAgentSession, .may_hold_nul = false};
/// The id of a terminal. Not trimmed: an id that differs from the one that we made is unknown.
inline constexpr Text kAgentTerminal{.min = 1, .max = limits::kMaxTerminalId, .may_hold_nul = false};

/// A terminal of a session: a SessionKey whose thread_id is still the `sessionId` of the agent.
struct AgentKey;
template <>
struct Rows<AgentKey> {
  static constexpr std::string_view name = "TerminalParams";
  static constexpr std::tuple fields{required("sessionId", kAgentSession, "", &SessionKey::thread_id),
                                     required("terminalId", kAgentTerminal, "", &SessionKey::terminal_id)};
};

template <>
struct Rows<Run> {
  static constexpr std::string_view name = "CreateTerminalParams";
  static constexpr std::tuple fields{
      required("sessionId", kAgentSession, "", &Run::key, &SessionKey::thread_id),
      required("command", Argument{.min = 1}, "", &Run::command),
      optional("args", ArgumentList{}, "", &Run::args),
      optional("env", VariableList{}, "", &Run::env),
      optional("cwd", AbsolutePath{}, "", &Run::cwd),
      optional("outputByteLimit", ByteCount{limits::kMaxOutputLimit}, "bytes of UTF-8", &Run::output_limit)};
};

/// Names that the SDK's guide shows and the protocol does not have; the protocol's own names take precedence.
struct RunAsGuided;
template <>
struct Rows<RunAsGuided> {
  static constexpr std::string_view name = "CreateTerminalGuideParams";
  static constexpr std::tuple fields{optional("workingDirectory", AbsolutePath{}, "cwd", &Run::cwd)};
};

/// Our own fields of a Run: `_meta.ptyd`.
struct RunExtension;
template <>
struct Rows<RunExtension> {
  static constexpr std::string_view name = "CreateTerminalExtension";
  static constexpr std::tuple fields{optional("cols", kCols, "", &Run::size, &Size::cols),
                                     optional("rows", kRows, "", &Run::size, &Size::rows),
                                     optional("input", Boolean{}, "people may type into it", &Run::takes_input),
                                     optional("raw", Boolean{}, "terminal/output keeps sequences", &Run::raw_output)};
};

/// Our own fields of a ReadOutput: `_meta.ptyd`.
struct OutputExtension;
template <>
struct Rows<OutputExtension> {
  static constexpr std::string_view name = "TerminalOutputExtension";
  static constexpr std::tuple fields{optional("raw", Boolean{}, "absent: as create said", &ReadOutput::raw)};
};

// --- methods of ours, besides AgentKey

struct AgentInput;
template <>
struct Rows<AgentInput> {
  static constexpr std::string_view name = "TerminalInputParams";
  static constexpr std::tuple fields{
      required("data", Text{.min = 1, .max = limits::kMaxWrite}, "typed as it is; \\r is Enter", &Write::data)};
};

struct AgentResize;
template <>
struct Rows<AgentResize> {
  static constexpr std::string_view name = "ResizeTerminalParams";
  static constexpr std::tuple fields{required("cols", kCols, "", &Resize::size, &Size::cols),
                                     required("rows", kRows, "", &Resize::size, &Size::rows)};
};

struct AgentSignal;
template <>
struct Rows<AgentSignal> {
  static constexpr std::string_view name = "SignalTerminalParams";
  static constexpr std::tuple fields{required("signal", SignalChoice{}, "", &Signal::number)};
};

struct AgentScreenParams;
template <>
struct Rows<AgentScreenParams> {
  static constexpr std::string_view name = "TerminalScreenParams";
  static constexpr std::tuple fields{optional("scrollback", Integer{0, limits::kMaxScrollback},
                                              "lines above the screen at most; none", &TakeSnapshot::scrollback)};
};

struct AgentScreen;
template <>
struct Rows<AgentScreen> {
  static constexpr std::string_view name = "TerminalScreen";
  static constexpr std::tuple fields{
      required("text", kAnyText, "what a person reads", &ScreenSnapshot::text),
      required("cols", kCols, "", &ScreenSnapshot::size, &Size::cols),
      required("rows", kRows, "", &ScreenSnapshot::size, &Size::rows),
      required("caret", Object<CaretPlace>{}, "", &ScreenSnapshot::caret),
      required("alternate", Boolean{}, "a full-screen program shows its own screen", &ScreenSnapshot::alternate),
      required("title", kAnyText, "", &ScreenSnapshot::title)};
};

/// Both fields are always present: clients read either.
template <>
struct Rows<ExitStatus> {
  static constexpr std::string_view name = "TerminalExitStatus";
  static constexpr std::tuple fields{nullable("exitCode", kCount, "", &ExitStatus::code),
                                     nullable("signal", SignalName{}, "", &ExitStatus::signal)};
};

template <>
struct Rows<ProgramOutput> {
  static constexpr std::string_view name = "TerminalOutput";
  static constexpr std::tuple fields{
      required("output", kAnyText, "the end of it", &ProgramOutput::text),
      required("truncated", Boolean{}, "anything was ever left out", &ProgramOutput::truncated),
      optional("exitStatus", Object<ExitStatus>{}, "absent while it runs", &ProgramOutput::exit)};
};

template <>
struct Rows<ProgramExit> {
  static constexpr std::string_view name = "TerminalExit";
  static constexpr std::tuple fields{nullable("exitCode", kCount, "", &ProgramExit::exit, &ExitStatus::code),
                                     nullable("signal", SignalName{}, "", &ProgramExit::exit, &ExitStatus::signal)};
};

}  // namespace ptyd::schema
