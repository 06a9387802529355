#include "protocol/mcp/mcp_tools.hpp"

#include <algorithm>
#include <array>
#include <boost/json/serialize.hpp>

#include "protocol/mcp/mcp_rows.hpp"
#include "protocol/mcp/mcp_terminals.hpp"

namespace ptyd::schema {

namespace {

constexpr std::string_view kTerminalPattern = "^[A-Za-z0-9_.-]{1,64}$";
constexpr std::string_view kTerminalForm = "1 to 64 of A-Z a-z 0-9 _ . -";
static_assert(limits::kMaxToolTerminal == 64);

bool is_name_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-';
}

}  // namespace

Problem ToolTerminalName::decode(const json::value& value, std::string& out, Nulls nulls) const {
  std::string name;
  if (Problem problem = kAnyText.decode(value, name, nulls)) return problem;
  const bool is_short = !name.empty() && name.size() <= limits::kMaxToolTerminal;
  if (!is_short || !std::all_of(name.begin(), name.end(), is_name_letter)) return Issue::not_like(name, kTerminalForm);
  out = std::move(name);
  return {};
}

json::object ToolTerminalName::schema() const {
  return {{"type", "string"}, {"pattern", kTerminalPattern}};
}

}  // namespace ptyd::schema

namespace ptyd::mcp {

namespace {

namespace json = boost::json;

template <class Tag>
Problem only_known(const json::object& arguments) {
  for (const auto& [key, value] : arguments)
    if (!schema::has_field<Tag>(key)) return Issue::other("is no argument of this tool").inside(key);
  return {};
}

template <class Tag, class Asked>
Problem decode_tool(const json::object& arguments, Command& command) {
  [[maybe_unused]] Asked& asked = command.emplace<Asked>();
  Problem problem = only_known<Tag>(arguments);
  constexpr auto kFields = std::tuple_size_v<decltype(schema::Rows<Tag>::fields)>;
  if constexpr (kFields > 0)
    if (!problem) problem = schema::decode<Tag>(arguments, asked, schema::Nulls::absent);
  if (problem) problem->inside("arguments");
  return problem;
}

template <class Tag, class Asked>
json::object input_schema() {
  json::object schema = schema::object_schema<Tag, Asked>();
  schema["additionalProperties"] = false;
  return schema;
}

template <class Tag, class Asked, class Answer, class Message = Answer>
constexpr Tool row(std::string_view title, std::string_view note, bool reads_only, bool destroys, bool is_idempotent) {
  return {schema::Rows<Tag>::name,
          title,
          note,
          reads_only,
          destroys,
          is_idempotent,
          decode_tool<Tag, Asked>,
          input_schema<Tag, Asked>,
          schema::object_schema<Answer, Message>};
}

constexpr std::string_view kExecuteNote =
    "Runs a command in a persistent shell: directory, variables and background jobs stay from call to call, and people "
    "can watch and type there. Answers with the output, exit_code and working_dir once the command has ended. After "
    "timeout seconds the status is running and the command goes on: an empty command waits for more, is_input types "
    "into the running program, and the name of a key (C-c, Enter, Escape, Up, F1, M-x ...) types that key; C-c "
    "interrupts it. What is typed is answered once the program has printed something and is quiet. One command runs in "
    "a terminal at a time: another terminal_id is another terminal.";

constexpr std::array kTools = {
    row<schema::ExecuteTool, Execute, schema::ExecuteResult>("Run a command in a terminal", kExecuteNote, false, true,
                                                             false),
    row<schema::ListTool, List, schema::InSnake<TerminalList>, TerminalList>(
        "List terminals", "Lists the terminals of these tools: the state and the directory of each.", true, false,
        true),
    row<schema::ScreenTool, TakeSnapshot, schema::ScreenResult, ScreenSnapshot>(
        "Look at a terminal", "Returns the screen as a person sees it now, also that of a full-screen program.", true,
        false, true),
    row<schema::ResizeTool, Resize, schema::DoneResult>(
        "Resize a terminal", "Changes the size of a terminal, in columns and rows.", false, false, true),
    row<schema::CloseTool, Close, schema::DoneResult>(
        "Close a terminal", "Ends a terminal with every process in it. Its name may be used again.", false, true,
        true)};

json::object tool_object(const Tool& tool) {
  return {{"name", tool.name},
          {"title", tool.title},
          {"description", tool.note},
          {"inputSchema", tool.input()},
          {"outputSchema", tool.output()},
          {"annotations",
           {{"title", tool.title},
            {"readOnlyHint", tool.reads_only},
            {"destructiveHint", tool.destroys},
            {"idempotentHint", tool.is_idempotent},
            {"openWorldHint", !tool.reads_only}}}};
}

void settle_key(SessionKey& key) {
  key.thread_id = thread_of_terminal(key.terminal_id);
}

void settle_one(Execute& asked) {
  settle_key(asked.key);
  if (asked.timeout.time.value_or(limits::kMaxToolWait) > limits::kMaxToolWait)
    asked.timeout = {limits::kMaxToolWait, true};
}
void settle_one(TakeSnapshot& asked) {
  settle_key(asked.key);
  asked.format = SnapshotFormat::plain;
  asked.scrollback = asked.scrollback.value_or(0);
}
void settle_one(Resize& asked) {
  settle_key(asked.key);
}
void settle_one(Close& asked) {
  asked.thread_id = thread_of_terminal(asked.terminal_id.value_or(""));
}

}  // namespace

const Tool* find_tool(std::string_view name) {
  const auto found = std::find_if(kTools.begin(), kTools.end(), [&](const Tool& tool) { return tool.name == name; });
  return found == kTools.end() ? nullptr : &*found;
}

const std::string& tools_text() {
  static const std::string text = [] {
    json::array all;
    for (const Tool& tool : kTools) all.push_back(tool_object(tool));
    return json::serialize(all);
  }();
  return text;
}

void settle(Command& command) {
  std::visit(
      [](auto& asked) {
        if constexpr (requires { settle_one(asked); }) settle_one(asked);
      },
      command);
}

}  // namespace ptyd::mcp
