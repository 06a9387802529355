// Replies as results of tools.

#include <utility>

#include "protocol/errors.hpp"
#include "protocol/mcp/mcp_rows.hpp"
#include "protocol/mcp/mcp_terminals.hpp"
#include "protocol/mcp/mcp_tools.hpp"

namespace ptyd::mcp {

namespace {

void append_line(std::string& text, std::string_view line) {
  if (!text.empty() && text.back() != '\n') text += '\n';
  text.append("[").append(line) += ']';
}

std::string seconds_text(std::int64_t ms) {
  return std::to_string(ms / 1000) + "." + std::to_string(ms % 1000 / 100) + " s";
}

std::string status_line(const Executed& output) {
  if (output.status == CommandStatus::running)
    return "still running after " + seconds_text(output.duration_ms) +
           "; an empty command waits for more, is_input types into it, C-c interrupts it";
  std::string line = "completed";
  if (output.exit_code) line += ", exit code " + std::to_string(*output.exit_code);
  if (output.working_dir) line += "; working directory " + *output.working_dir;
  return line;
}

void append_screen(std::string& text, const Executed& reply) {
  const auto& caret = reply.screen->caret;
  append_line(text, "the screen of " + reply.foreground.value_or("a program") + "; caret at row " +
                        std::to_string(caret.row) + ", column " + std::to_string(caret.column));
  for (const auto& row : reply.screen->rows) text.append("\n").append(row);
}

ToolOutput output_of(const Command&, const Executed& reply) {
  ToolOutput output;
  output.text = reply.content;
  if (reply.screen) append_screen(output.text, reply);
  append_line(output.text, status_line(reply));
  if (reply.input_mode == InputMode::password)
    append_line(output.text,
                reply.foreground.value_or("a program") + " reads a line that is not shown, as for a password");
  if (reply.maybe_idle && !reply.terminal_closed)
    append_line(output.text,
                "the shell may be at its prompt, and no longer tell the ends of commands: C-c, then another command");
  if (reply.terminal_closed) append_line(output.text, "the shell has ended; the next command starts a new one");
  const bool is_running = reply.status == CommandStatus::running;
  schema::write<schema::ExecuteResult>(
      output.value,
      schema::ExecuteResult{is_running ? schema::ToolStatus::running : schema::ToolStatus::completed, reply, {}, {}});
  return output;
}

/// Lists the terminals of MCP alone: the tools have no names for others.
ToolOutput output_of(const Command&, TerminalList reply) {
  std::erase_if(reply.terminals, [](const TerminalInfo& each) {
    return each.key.thread_id != thread_of_terminal(each.key.terminal_id);
  });
  ToolOutput output;
  for (const auto& each : reply.terminals) {
    const auto status = schema::kNames<Status>.at(static_cast<std::size_t>(each.status));
    output.text.append(each.key.terminal_id).append(": ").append(status);
    if (each.status == Status::running) output.text += each.has_running_subprocess ? ", a program runs" : ", idle";
    output.text.append(", in ").append(each.cwd) += '\n';
  }
  if (output.text.empty()) output.text = "There are no terminals.";
  schema::write<schema::InSnake<TerminalList>>(output.value, reply);
  return output;
}

ToolOutput output_of(const Command&, const ScreenSnapshot& reply) {
  ToolOutput output;
  output.text = reply.text.value_or("");
  schema::write<schema::ScreenResult>(output.value, reply);
  return output;
}

ToolOutput output_of(const Command& command, const Done&) {
  ToolOutput output;
  schema::DoneResult done;
  if (const auto* resize = std::get_if<Resize>(&command)) {
    done.terminal_id = resize->key.terminal_id;
    output.text = done.terminal_id + " has " + std::to_string(resize->size.cols) + " columns and " +
                  std::to_string(resize->size.rows) + " rows now.";
  } else if (const auto* close = std::get_if<Close>(&command)) {
    done.terminal_id = close->terminal_id.value_or("");
    output.text = done.terminal_id + " is closed.";
  }
  schema::write<schema::DoneResult>(output.value, done);
  return output;
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

/// Only the result of terminal_execute has a field for the code.
ToolOutput output_of_error(const Command& command, const Error& error) {
  ToolOutput output{error_sentence(error), "", true};
  const auto code = error_row(error.code()).name;
  const auto* asked = std::get_if<Execute>(&command);
  if (!asked) {
    output.text.insert(0, std::string(code) + ": ");
    return output;
  }
  schema::ExecuteResult result;
  result.error = output.text;
  result.error_code = code;
  result.answer.command = asked->command;
  result.answer.terminal_id = asked->key.terminal_id;
  schema::write<schema::ExecuteResult>(output.value, result);
  return output;
}

}  // namespace

Error with_names_of_arguments(const Error& error) {
  std::string sentence = error_sentence(error);
  const auto translate = [&sentence](std::string_view name) {
    if (const schema::SnakeName ours(name); ours.view() != name) replace_all(sentence, name, ours.view());
  };
  std::apply([&translate](const auto&... rows) { (translate(rows.name), ...); }, schema::Rows<Execute>::fields);
  return {error.code(), std::move(sentence)};
}

ToolOutput tool_output(const Command& command, const Result<Reply>& reply) {
  if (!reply) return output_of_error(command, reply.error());
  return std::visit(
      [&command]<class Answer>(const Answer& answer) {
        if constexpr (requires { output_of(command, answer); })
          return output_of(command, answer);
        else
          return output_of(command, Done{});
      },
      *reply);
}

}  // namespace ptyd::mcp
