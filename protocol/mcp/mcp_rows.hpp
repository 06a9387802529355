// The field rows of MCP's tools: the arguments of each, and the results. Source: protocol/mcp.md.
//
// Fields that a Command or a Reply has already are its own rows, in snake_case.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <tuple>

#include "protocol/execute_rows.hpp"
#include "protocol/snake_rows.hpp"

namespace ptyd::schema {

/// The name of a terminal of MCP: 1 to kMaxToolTerminal of `A-Z a-z 0-9 _ . -`.
struct ToolTerminalName {
  Problem decode(const json::value& value, std::string& out, Nulls nulls) const;
  json::object schema() const;
};

inline constexpr std::string_view kToolTerminalNote = "name of the terminal";

/// A terminal that is `default` where none is named.
template <class Message>
constexpr auto any_terminal(std::string_view note) {
  return with_fallback(kDefaultTerminal,
                       optional("terminal_id", ToolTerminalName{}, note, &Message::key, &SessionKey::terminal_id));
}
/// A terminal that has to be named, since it is changed for all that use it.
template <class... Members>
constexpr auto named_terminal(Members... members) {
  return required("terminal_id", ToolTerminalName{}, kToolTerminalNote, members...);
}

/// Notes that differ from those of the same fields elsewhere: a call waits less here, and fields have other names.
struct ToolNote {
  std::string_view name, note;
};
inline constexpr std::array<ToolNote, 4> kToolNotes = {{
    {"no_enter", "of is_input: without Enter behind it"},
    {"timeout",
     "seconds to wait, at most 55; absent: 30, of is_input and keys 2. Nothing is ended when they are over: the status "
     "is running then, and an empty command waits for more"},
    {"alt_screen", "a full-screen program shows its own screen: screen has it"},
    {"timeout_clamped", "more was asked for than 55 seconds"},
}};

template <class Kind, class... Members>
constexpr auto noted(Row<Kind, Members...> row) {
  for (const auto& [name, note] : kToolNotes)
    if (row.name == name) row.note = note;
  return row;
}

// --- arguments

/// The row as an argument; none for the key, since a tool names its terminal in its own way.
template <class Kind, class First, class... Members>
constexpr auto argument(const Row<Kind, First, Members...>& row) {
  if constexpr (std::is_same_v<First, SessionKey Execute::*>)
    return std::tuple<>{};
  else
    return std::tuple{noted(row)};
}

struct ExecuteTool;
template <>
struct Rows<ExecuteTool> {
  static constexpr std::string_view name = "terminal_execute";
  static constexpr auto fields =
      std::tuple_cat(std::tuple{any_terminal<Execute>("name of the terminal; one that is not there is started")},
                     std::apply([](const auto&... rows) { return std::tuple_cat(argument(rows)...); },
                                Rows<InSnake<Execute>>::fields));
};

struct ListTool;
template <>
struct Rows<ListTool> {
  static constexpr std::string_view name = "terminal_list";
  static constexpr std::tuple<> fields{};
};

struct ScreenTool;
template <>
struct Rows<ScreenTool> {
  static constexpr std::string_view name = "terminal_screen";
  static constexpr std::tuple fields{any_terminal<TakeSnapshot>(kToolTerminalNote),
                                     optional("scrollback", Integer{0, limits::kMaxScrollback},
                                              "lines above the screen at most; 0", &TakeSnapshot::scrollback)};
};

struct ResizeTool;
template <>
struct Rows<ResizeTool> {
  static constexpr std::string_view name = "terminal_resize";
  static constexpr std::tuple fields{named_terminal(&Resize::key, &SessionKey::terminal_id),
                                     required("cols", kCols, "", &Resize::size, &Size::cols),
                                     required("rows", kRows, "", &Resize::size, &Size::rows)};
};

struct CloseTool;
template <>
struct Rows<CloseTool> {
  static constexpr std::string_view name = "terminal_close";
  static constexpr std::tuple fields{named_terminal(&Close::terminal_id)};
};

// --- results

enum class ToolStatus : std::uint8_t { completed, running, error };
template <>
inline constexpr std::array<std::string_view, 3> kNames<ToolStatus>{"completed", "running", "error"};

/// The result of `terminal_execute`: an answer, or why there is none.
struct ExecuteResult {
  ToolStatus status = ToolStatus::error;
  Executed answer;
  std::string error, error_code;  ///< "" where there is an answer
};

/// The row of a field of Executed as a row of ExecuteResult. `status` is the result's own, since it may be `error`.
template <class Kind, class... Members>
constexpr auto of_result(const Row<Kind, Members...>& row) {
  if constexpr (std::is_same_v<Kind, Choice<CommandStatus>>)
    return required(row.name, Choice<ToolStatus>{}, row.note, &ExecuteResult::status);
  else
    return Row<Kind, Executed ExecuteResult::*, Members...>{
        row.name, row.presence, row.kind,
        row.note, row.fallback, std::tuple_cat(std::tuple{&ExecuteResult::answer}, row.members)};
}

template <>
struct Rows<ExecuteResult> {
  static constexpr std::string_view name = "ExecuteResult";
  static constexpr auto fields = std::tuple_cat(
      std::apply([](const auto&... rows) { return std::tuple{of_result(noted(rows))...}; },
                 Rows<InSnake<Executed>>::fields),
      std::tuple{
          optional("error", kAnyText, "why it was not done", &ExecuteResult::error),
          optional("error_code", kAnyText, "busy, not_running, bad_request and others", &ExecuteResult::error_code)});
};

/// The result of `terminal_screen`.
struct ScreenResult;
template <>
struct Rows<ScreenResult> {
  static constexpr std::string_view name = "ScreenResult";
  static constexpr std::tuple fields{
      required("terminal_id", kAnyText, "", &ScreenSnapshot::key, &SessionKey::terminal_id),
      required("cols", kCols, "", &ScreenSnapshot::size, &Size::cols),
      required("rows", kRows, "", &ScreenSnapshot::size, &Size::rows),
      optional("text", kAnyText, "as a person reads it", &ScreenSnapshot::text),
      required("caret", SnakeObject<CaretPlace>{}, "", &ScreenSnapshot::caret),
      required("alternate", Boolean{}, "a full-screen program shows its own screen", &ScreenSnapshot::alternate),
      required("title", kAnyText, "", &ScreenSnapshot::title)};
};

/// The result of tools that have nothing to tell: the terminal it was done to.
struct DoneResult {
  std::string terminal_id;
};
template <>
struct Rows<DoneResult> {
  static constexpr std::string_view name = "DoneResult";
  static constexpr std::tuple fields{required("terminal_id", kAnyText, "", &DoneResult::terminal_id)};
};

}  // namespace ptyd::schema
