// The field rows of commands in persistent shells. Source: protocol/execute.md.
#pragma once

#include <tuple>

#include "protocol/rows.hpp"

namespace ptyd::schema {

template <>
inline constexpr std::array<std::string_view, 2> kNames<CommandStatus>{"completed", "running"};
template <>
inline constexpr std::array<std::string_view, 3> kNames<InputMode>{"line", "password", "raw"};

/// An array of strings. Only written.
struct TextRows {
  void write(std::string& out, const std::vector<std::string>& rows) const;
  json::object schema() const;
};

/// A time to wait, in seconds with any fraction. Null is the default. Only read.
struct Seconds {
  Problem decode(const json::value& value, WaitTime& out, Nulls nulls) const;
  json::object schema() const;
};

/// A shell by its name, or by a path that ends with one. Only read.
struct ShellProgram {
  Problem decode(const json::value& value, std::string& out, Nulls nulls) const;
  json::object schema() const;
};

template <>
struct Rows<Execute> {
  static constexpr std::string_view name = "ExecuteParams";
  static constexpr MethodRow<Executed> method{
      {"terminal.execute", "Failed to execute",
       "Ours: runs a command in a shell that stays, and tells how and where it ended"}};
  /// Other fields are refused: a misspelt one would change what runs.
  static constexpr bool is_closed = true;
  static constexpr std::tuple fields{
      kThreadIdRow<Execute>,
      kTerminalIdRow<Execute>,
      required("command", Text{.may_hold_nul = false},
               "run in the shell; blank: wait for what runs there; the name of a key (C-c, Enter, Up, F1, M-x): typed",
               &Execute::command),
      optional("isInput", Boolean{}, "type it into the program that runs", &Execute::is_input),
      optional("noEnter", Boolean{}, "of isInput: without Enter behind it", &Execute::no_enter),
      optional("literal", Boolean{}, "it is text, even if it is the name of a key", &Execute::literal),
      optional("timeout", Seconds{},
               "seconds to wait, at most 60; absent: 30, of isInput and keys 2. Nothing is ended when they are over",
               &Execute::timeout),
      optional("maxOutputChars", Integer{limits::kMinOutputChars, limits::kMaxOutputChars},
               "characters of output in content at most; 30000. Of more the middle is left out",
               &Execute::max_output_chars),
      optional("cwd", kCwd, "of a new shell, trimmed; must exist; absent: the server's", &Execute::cwd),
      optional("shell", ShellProgram{}, "of a new shell: its name or path; absent: the server's", &Execute::shell),
      optional("cols", kCols, "of a new shell; 120", &Execute::cols),
      optional("rows", kRows, "of a new shell; 40", &Execute::rows),
      optional("env", EnvironmentObject{}, "of a new shell: set on top of what agents' programs get", &Execute::env)};
};

template <>
struct Rows<ProgramScreen> {
  static constexpr std::string_view name = "ProgramScreen";
  static constexpr std::tuple fields{required("rows", TextRows{}, "without blanks at their ends", &ProgramScreen::rows),
                                     required("caret", Object<CaretPlace>{}, "", &ProgramScreen::caret)};
};

template <>
struct Rows<Executed> {
  static constexpr std::string_view name = "Executed";
  static constexpr std::tuple fields{
      required("content", kAnyText, "what was printed since the last answer, as a person reads it", &Executed::content),
      required("command", kAnyText, "as it was asked", &Executed::command),
      required("terminalId", kAnyText, "", &Executed::terminal_id),
      required("status", Choice<CommandStatus>{}, "", &Executed::status),
      nullable("exitCode", kAnyInteger, "null while it runs", &Executed::exit_code),
      nullable("workingDir", kAnyText, "null before the shell has said it", &Executed::working_dir),
      required("durationMs", kCount, "since the command began", &Executed::duration_ms),
      required("truncated", Boolean{}, "the middle was left out, and a line there says how much", &Executed::truncated),
      required("omittedLines", kCount, "of which something was left out", &Executed::omitted_lines),
      required("omittedBytes", kCount, "that were left out", &Executed::omitted_bytes),
      required("totalBytes", kCount, "that the command has printed until now", &Executed::total_bytes),
      required("terminalCreated", Boolean{}, "a shell was started for this call", &Executed::terminal_created),
      required("terminalClosed", Boolean{}, "the shell has ended", &Executed::terminal_closed),
      required("timeoutClamped", Boolean{}, "more was asked for than 60 seconds", &Executed::timeout_clamped),
      nullable("inputMode", Choice<InputMode>{}, "how what runs reads the keyboard; null at the prompt",
               &Executed::input_mode),
      nullable("foreground", kAnyText, "the program that has the keyboard; null at the prompt", &Executed::foreground),
      required("altScreen", Boolean{}, "a full-screen program shows its own screen, which is not part of content",
               &Executed::alt_screen),
      optional("screen", Object<ProgramScreen>{}, "of a full-screen program; absent while none shows one",
               &Executed::screen),
      required("maybeIdle", Boolean{}, "what runs may be the shell at its prompt: after C-c another command is typed",
               &Executed::maybe_idle)};
};

}  // namespace ptyd::schema
