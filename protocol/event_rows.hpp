// The field rows of events. On the wire an event has `type`, then the fields of all events, then its own.
#pragma once

#include <cstdint>
#include <tuple>

#include "protocol/json/schema.hpp"
#include "protocol/kinds.hpp"
#include "protocol/messages.hpp"
#include "protocol/rows.hpp"

namespace ptyd::schema {

template <>
struct Rows<Event> {
  static constexpr std::string_view name = "Event";
  static constexpr std::tuple fields{
      required("threadId", kAnyText, "", &Event::key, &SessionKey::thread_id),
      required("terminalId", kAnyText, "", &Event::key, &SessionKey::terminal_id),
      required("createdAt", Timestamp{}, "", &Event::created_at),
      optional("cursor", CursorText{},
               "ours: the position right after this; absent where the connection does not hear the terminal",
               &Event::cursor)};
};

/// Connections that are told of an event.
enum class ToldTo : std::uint8_t {
  all,
  asking,  ///< those that named its type in `features`: the reference does not have it
};

/// Place of an event in the output.
enum class Place : std::uint8_t {
  output,  ///< behind what was printed before it; viewers are told of it there
  none,
};

/// Whether an agent that is subscribed to its program is told of the event, by a notification of LiveOutput.
enum class ToAgents : std::uint8_t { told, untold };

/// Columns of an event beside its fields and its `type`, which is the wire's.
template <ToldTo kToldTo, Place kPlace, ToAgents kToAgents>
struct EventRow {
  static constexpr ToldTo told_to = kToldTo;
  static constexpr Place place = kPlace;
  static constexpr ToAgents to_agents = kToAgents;
};

template <>
struct Rows<Started> : EventRow<ToldTo::all, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "StartedEvent", type = "started";
  static constexpr std::tuple fields{required("snapshot", Object<Snapshot>{}, "", &Started::snapshot)};
};
template <>
struct Rows<Restarted> : EventRow<ToldTo::all, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "RestartedEvent", type = "restarted";
  static constexpr std::tuple fields{required("snapshot", Object<Snapshot>{}, "", &Restarted::snapshot)};
};
template <>
struct Rows<Output> : EventRow<ToldTo::all, Place::output, ToAgents::told> {
  static constexpr std::string_view name = "OutputEvent", type = "output";
  static constexpr std::tuple fields{
      required("data", kAnyText, "as the program wrote it", &Output::data),
      required("byteLength", kCount, "of data in UTF-8; to be acknowledged", &Output::byte_length)};
};
template <>
struct Rows<Exited> : EventRow<ToldTo::all, Place::output, ToAgents::told> {
  static constexpr std::string_view name = "ExitedEvent", type = "exited";
  static constexpr std::tuple fields{
      nullable("exitCode", kAnyInteger, "", &Exited::exit, &ExitStatus::code),
      nullable("exitSignal", kAnyInteger, "null when no signal ended it", &Exited::exit, &ExitStatus::signal)};
};
template <>
struct Rows<Failed> : EventRow<ToldTo::all, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "ErrorEvent", type = "error";
  static constexpr std::tuple fields{
      required("message", kAnyText, "why no program could be started", &Failed::message)};
};
template <>
struct Rows<Cleared> : EventRow<ToldTo::all, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "ClearedEvent", type = "cleared";
  static constexpr std::tuple<> fields{};
};
template <>
struct Rows<Activity> : EventRow<ToldTo::all, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "ActivityEvent", type = "activity";
  static constexpr std::tuple fields{required("hasRunningSubprocess", Boolean{}, "", &Activity::has_running_subprocess),
                                     nullable("cliKind", kCliKind, "", &Activity::cli_kind),
                                     nullable("agentState", kAgentState, "", &Activity::agent_state)};
};
template <>
struct Rows<Resized> : EventRow<ToldTo::asking, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "ResizedEvent", type = "resized";
  static constexpr std::tuple fields{required("cols", kCols, "", &Resized::size, &Size::cols),
                                     required("rows", kRows, "", &Resized::size, &Size::rows)};
};
template <>
struct Rows<Title> : EventRow<ToldTo::asking, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "TitleEvent", type = "title";
  static constexpr std::tuple fields{required("title", kAnyText, "", &Title::title)};
};
template <>
struct Rows<Warning> : EventRow<ToldTo::asking, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "WarningEvent", type = "warning";
  static constexpr std::tuple fields{required("code", kAnyText, "e.g. line-too-long", &Warning::code),
                                     required("message", kAnyText, "", &Warning::message)};
};
template <>
struct Rows<Shutdown> : EventRow<ToldTo::asking, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "ShutdownEvent", type = "shutdown";
  static constexpr std::tuple fields{required("reason", kAnyText, "", &Shutdown::reason)};
};
template <>
struct Rows<Clipboard> : EventRow<ToldTo::asking, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "ClipboardEvent", type = "clipboard";
  static constexpr std::tuple fields{
      required("selection", kAnyText, "letters as in OSC 52: c clipboard, p primary ...", &Clipboard::selection),
      required("text", kAnyText, "", &Clipboard::text)};
};
template <>
struct Rows<Process> : EventRow<ToldTo::asking, Place::none, ToAgents::untold> {
  static constexpr std::string_view name = "ProcessEvent", type = "process";
  static constexpr std::tuple fields{
      required("process", kAnyText, "the program in the foreground, as the kernel calls it", &Process::process),
      required("cwd", kAnyText, "where it is", &Process::cwd)};
};
template <>
struct Rows<Renamed> : EventRow<ToldTo::asking, Place::none, ToAgents::untold> {
  static constexpr std::string_view name = "RenamedEvent", type = "renamed";
  static constexpr std::tuple fields{required("name", kAnyText, "\"\" when it has none any more", &Renamed::name)};
};

template <>
struct Rows<Resynced> : EventRow<ToldTo::asking, Place::output, ToAgents::untold> {
  static constexpr std::string_view name = "ResyncedEvent", type = "resynced";
  static constexpr std::tuple fields{required(
      "skippedLines", kCount, "that were not shown, and are missing above the screen", &Resynced::skipped_lines)};
};
template <>
struct Rows<ToolCallUpdated> : EventRow<ToldTo::asking, Place::none, ToAgents::untold> {
  static constexpr std::string_view name = "ToolCallEvent", type = "toolCall";
  static constexpr std::tuple fields{required("toolCall", Object<ToolCall>{}, "as it is now", &ToolCallUpdated::call)};
};

}  // namespace ptyd::schema
