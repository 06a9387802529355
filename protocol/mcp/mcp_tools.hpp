// The tools of MCP: one row each, from which the list, the decoding and the schemas follow; and results as a model
// reads them.
#pragma once

#include <boost/json/object.hpp>
#include <string>
#include <string_view>

#include "protocol/json/schema.hpp"
#include "protocol/messages.hpp"

namespace ptyd::mcp {

struct Tool {
  std::string_view name, title, note;
  bool reads_only, destroys, is_idempotent;
  /// Refuses arguments that have no row, by name. `command` is one of the right type also after a problem.
  Problem (*decode)(const boost::json::object& arguments, Command& command);
  boost::json::object (*input)();
  boost::json::object (*output)();
};

/// Null when there is none of this name.
const Tool* find_tool(std::string_view name);
/// All of them, as a JSON array in the order of their rows; made once.
const std::string& tools_text();

/// Puts a command into the thread of its terminal, and lets it wait for kMaxToolWait at most.
void settle(Command& command);

/// A tool's result: text for the model, and the same as a value that agrees with the tool's output schema.
struct ToolOutput {
  std::string text;
  std::string value;  ///< JSON text; "" for none, which only an error may have
  bool is_error = false;
};
ToolOutput tool_output(const Command& command, const Result<Reply>& reply);
/// `error` with the field names in its sentence changed to those of the arguments, which are in snake_case.
Error with_names_of_arguments(const Error& error);

}  // namespace ptyd::mcp
