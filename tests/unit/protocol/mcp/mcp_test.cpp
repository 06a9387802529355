// The tools of MCP: arguments as Commands, replies as results, and results that keep to the listed schemas.
#include "protocol/mcp/mcp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <tuple>

#include "protocol/mcp/mcp_rows.hpp"
#include "protocol/mcp/mcp_tools.hpp"

namespace ptyd::mcp {
namespace {

namespace json = boost::json;

Headers mcp_headers() {
  return {"application/json", "application/json, text/event-stream", "2025-11-25", "s"};
}

Meaning meaning_of(const std::string& tool, const std::string& arguments) {
  return read(mcp_headers(), R"({"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":")" + tool +
                                 R"(","arguments":)" + arguments + "}}");
}

Call called(const std::string& tool, const std::string& arguments) {
  auto meaning = meaning_of(tool, arguments);
  EXPECT_TRUE(std::holds_alternative<Call>(meaning.outcome)) << tool << arguments;
  return std::move(std::get<Call>(meaning.outcome));
}

template <class Asked>
Asked asked(const std::string& tool, const std::string& arguments) {
  return std::get<Asked>(called(tool, arguments).command);
}

/// The result of a call that is refused before it is carried out.
json::value refused(const std::string& tool, const std::string& arguments) {
  const auto meaning = meaning_of(tool, arguments);
  const auto* answer = std::get_if<Answer>(&meaning.outcome);
  EXPECT_TRUE(answer) << arguments << " is taken";
  return answer ? json::parse(answer->body).at("result") : json::value();
}

std::string text_of(const json::value& result) {
  return std::string(result.at("content").at(0).at("text").as_string());
}

std::string fault(const std::string& tool, const std::string& arguments) {
  const auto result = refused(tool, arguments);
  EXPECT_TRUE(result.at("isError").as_bool());
  return text_of(result);
}

json::value result_of_reply(const Call& call, const Result<Reply>& reply) {
  return json::parse(result_frame(call, reply)).at("result");
}

Call execute_call() {
  return called("terminal_execute", R"({"command":"ls"})");
}

bool is_of_type(const json::value& value, std::string_view type) {
  if (type == "integer") return value.is_int64() || value.is_uint64();
  return (type == "string" && value.is_string()) || (type == "boolean" && value.is_bool()) ||
         (type == "number" && value.is_number()) || (type == "object" && value.is_object()) ||
         (type == "array" && value.is_array()) || (type == "null" && value.is_null());
}

void expect_type(const json::value& value, const json::value& type, const std::string& place) {
  const json::array types = type.is_array() ? type.as_array() : json::array{type};
  const bool fits =
      std::any_of(types.begin(), types.end(), [&](const auto& each) { return is_of_type(value, each.as_string()); });
  EXPECT_TRUE(fits) << place << " is " << value << ", not " << type;
}

/// Types, required members, enumerations; and no member that the schema does not have.
void expect_valid(const json::value& value, const json::object& schema, const std::string& place) {
  if (const auto* names = schema.if_contains("enum")) {
    const auto& all = names->as_array();
    EXPECT_NE(std::find(all.begin(), all.end(), value), all.end()) << place << " is " << value;
  }
  if (const auto* type = schema.if_contains("type")) expect_type(value, *type, place);
  if (const auto* required = schema.if_contains("required")) {
    for (const auto& name : required->as_array())
      EXPECT_TRUE(value.as_object().contains(name.as_string())) << place << " has no " << name;
  }
  if (const auto* properties = schema.if_contains("properties"); properties && value.is_object())
    for (const auto& [name, member] : value.as_object()) {
      const auto* known = properties->as_object().if_contains(name);
      EXPECT_TRUE(known) << place << "." << std::string_view(name) << " is not in the schema";
      if (known) expect_valid(member, known->as_object(), place + "." + std::string(name));
    }
  if (const auto* items = schema.if_contains("items"); items && value.is_array())
    for (const auto& each : value.as_array()) expect_valid(each, items->as_object(), place + "[]");
}

void expect_as_listed(const Call& call, const std::string& tool, const Result<Reply>& reply) {
  const auto result = result_of_reply(call, reply);
  expect_valid(result.at("structuredContent"), find_tool(tool)->output(), tool);
  EXPECT_EQ(result.as_object().contains("isError"), !reply) << result;
}

Executed everything_told() {
  Executed told;
  told.content = "a\nb";
  told.command = "ls";
  told.terminal_id = "default";
  told.exit_code = 3;
  told.working_dir = "/srv";
  told.duration_ms = 1250;
  told.truncated = told.terminal_created = told.terminal_closed = told.timeout_clamped = true;
  told.alt_screen = told.maybe_idle = true;
  told.input_mode = InputMode::raw;
  told.foreground.emplace("vim");
  told.screen = ProgramScreen{{"~"}, {0, 1, true}};
  return told;
}

TEST(McpTools, TakeTheReferencesNames) {
  const auto command = asked<Execute>(
      "terminal_execute", R"({"command":"ls","is_input":true,"timeout":1.5,"terminal_id":"a.B-c_1","no_enter":true,)"
                          R"("literal":true})");
  EXPECT_EQ(command.command, "ls");
  EXPECT_TRUE(command.is_input && command.no_enter && command.literal);
  EXPECT_EQ(command.timeout.time, std::chrono::milliseconds(1500));
  EXPECT_EQ(command.key, (SessionKey{"mcp/a.B-c_1", "a.B-c_1"}));
}

TEST(McpTools, TakeTheOtherFieldsOfExecute) {
  const auto command = asked<Execute>("terminal_execute",
                                      R"({"command":"","cwd":"/usr","shell":"bash","cols":20,"rows":5,"env":{"A":"1"},)"
                                      R"("max_output_chars":200000})");
  EXPECT_EQ(command.max_output_chars, 200'000u);
  EXPECT_EQ(command.cwd, "/usr");
  EXPECT_EQ(command.shell, "bash");
  EXPECT_EQ(command.cols, 20);
  EXPECT_EQ(command.rows, 5);
  EXPECT_EQ(command.env.size(), 1u);
}

TEST(McpTools, HaveTheDefaultsOfExecute) {
  for (const char* arguments :
       {R"({"command":""})", R"({"command":"","timeout":null,"cols":null,"terminal_id":null})"}) {
    const auto command = asked<Execute>("terminal_execute", arguments);
    EXPECT_EQ(command.key, (SessionKey{"mcp/default", "default"}));
    EXPECT_FALSE(command.timeout.time || command.timeout.clamped || command.cols);
  }
}

TEST(McpTools, WaitNoLongerThanTheirClients) {
  for (const auto& [seconds, waits, clamped] : {std::tuple{"0", 0, false},
                                                {"55", 55'000, false},
                                                {"55.001", 55'000, true},
                                                {"60", 55'000, true},
                                                {"61", 55'000, true},
                                                {"1e9", 55'000, true}}) {
    const auto command =
        asked<Execute>("terminal_execute", std::string(R"({"command":"x","timeout":)") + seconds + "}");
    EXPECT_EQ(command.timeout.time, std::chrono::milliseconds(waits)) << seconds;
    EXPECT_EQ(command.timeout.clamped, clamped) << seconds;
  }
}

TEST(McpTools, SayTheLongestWait) {
  const auto bound = std::to_string(std::chrono::duration_cast<std::chrono::seconds>(limits::kMaxToolWait).count());
  for (const auto& [name, note] : schema::kToolNotes) {
    if (name.starts_with("timeout")) {
      EXPECT_NE(note.find(bound), note.npos) << note;
    }
  }
}

TEST(McpTools, ReachTheThreadOfTheirTerminal) {
  EXPECT_FALSE(asked<List>("terminal_list", "{}").thread_id);
  const auto screen = asked<TakeSnapshot>("terminal_screen", "{}");
  EXPECT_EQ(screen.key, (SessionKey{"mcp/default", "default"}));
  EXPECT_EQ(screen.format, SnapshotFormat::plain);
  EXPECT_EQ(screen.scrollback, 0u);
  const auto resize = asked<Resize>("terminal_resize", R"({"terminal_id":"a","cols":80,"rows":24})");
  EXPECT_EQ(resize.key, (SessionKey{"mcp/a", "a"}));
  EXPECT_EQ(resize.size, (Size{80, 24}));
  const auto close = asked<Close>("terminal_close", R"({"terminal_id":"a"})");
  EXPECT_EQ(close.thread_id, "mcp/a");
  EXPECT_EQ(close.terminal_id, "a");
}

TEST(McpTools, TellAFaultByItsArgument) {
  EXPECT_EQ(fault("terminal_execute", R"({"command":"x","isInput":true})"),
            "arguments.isInput: is no argument of this tool");
  EXPECT_EQ(fault("terminal_execute", R"({"command":"x","threadId":"t"})"),
            "arguments.threadId: is no argument of this tool");
  EXPECT_EQ(fault("terminal_execute", "{}"), "arguments.command: is missing");
  EXPECT_EQ(fault("terminal_execute", R"({"command":5})"), "arguments.command: 5 is not a string");
  EXPECT_EQ(fault("terminal_execute", R"({"command":"a\u0000"})"), "arguments.command: holds a NUL character");
  EXPECT_EQ(fault("terminal_execute", R"({"command":"x","timeout":-1})"), "arguments.timeout: -1 is below 0");
  EXPECT_EQ(fault("terminal_execute", R"({"command":"x","cols":19})"), "arguments.cols: 19 is below 20");
  EXPECT_EQ(fault("terminal_list", R"({"thread_id":"x"})"),
            "bad_request: arguments.thread_id: is no argument of this tool");
  EXPECT_EQ(fault("terminal_close", "{}"), "bad_request: arguments.terminal_id: is missing");
  EXPECT_EQ(fault("terminal_resize", R"({"terminal_id":"a","cols":80})"), "bad_request: arguments.rows: is missing");
}

TEST(McpTools, NameTerminalsInAFewLetters) {
  const auto execute = [](const std::string& name) { return R"({"command":"x","terminal_id":")" + name + "\"}"; };
  for (const auto& name : {std::string(64, 'x'), std::string("0"), std::string("..")})
    EXPECT_EQ(asked<Execute>("terminal_execute", execute(name)).key, (SessionKey{"mcp/" + name, name}));
  EXPECT_EQ(fault("terminal_execute", execute("a b")),
            R"(arguments.terminal_id: "a b" is not of the form 1 to 64 of A-Z a-z 0-9 _ . -)");
  for (const auto& name : {std::string(65, 'x'), std::string(""), std::string("a/b"), std::string("ä")})
    EXPECT_NE(fault("terminal_execute", execute(name)), "") << name;
}

TEST(McpResults, AgreeWithTheirSchemas) {
  expect_as_listed(execute_call(), "terminal_execute", Reply(Executed{}));
  expect_as_listed(execute_call(), "terminal_execute", Reply(everything_told()));
  Executed running;
  running.status = CommandStatus::running;
  expect_as_listed(execute_call(), "terminal_execute", Reply(running));
  expect_as_listed(execute_call(), "terminal_execute", Error(Errc::busy, ""));
  expect_valid(refused("terminal_execute", R"({"command":"x","cols":1})").at("structuredContent"),
               find_tool("terminal_execute")->output(), "a fault");
  TerminalList list;
  list.terminals.resize(1);
  list.terminals[0].key = {"mcp/a", "a"};
  list.terminals[0].size = {80, 24};
  list.terminals[0].pid = 4711;
  list.terminals[0].cli_kind = "codex";
  expect_as_listed(called("terminal_list", "{}"), "terminal_list", Reply(list));
  ScreenSnapshot screen;
  screen.size = {80, 24};
  screen.text = "a\nb";
  expect_as_listed(called("terminal_screen", "{}"), "terminal_screen", Reply(screen));
  expect_as_listed(called("terminal_close", R"({"terminal_id":"a"})"), "terminal_close", Reply(Done{}));
  expect_as_listed(called("terminal_resize", R"({"terminal_id":"a","cols":80,"rows":24})"), "terminal_resize",
                   Reply(Done{}));
}

TEST(McpResults, HaveTheReferencesFields) {
  const auto value = result_of_reply(execute_call(), Reply(everything_told())).at("structuredContent").as_object();
  EXPECT_EQ(value.at("content"), "a\nb");
  EXPECT_EQ(value.at("command"), "ls");
  EXPECT_EQ(value.at("terminal_id"), "default");
  EXPECT_EQ(value.at("status"), "completed");
  EXPECT_EQ(value.at("exit_code"), 3);
  EXPECT_EQ(value.at("working_dir"), "/srv");
  EXPECT_FALSE(value.contains("error") || value.contains("error_code"));
  for (const auto& member : value)
    EXPECT_EQ(std::string(member.key()).find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), std::string::npos) << member.key();
}

TEST(McpResults, SayTheSameAsText) {
  const auto told = [](const Executed& one) { return text_of(result_of_reply(execute_call(), Reply(one))); };
  EXPECT_EQ(told(everything_told()),
            "a\nb\n[the screen of vim; caret at row 0, column 1]\n~\n"
            "[completed, exit code 3; working directory /srv]\n"
            "[the shell has ended; the next command starts a new one]");
  Executed running;
  running.status = CommandStatus::running;
  running.duration_ms = 1250;
  EXPECT_EQ(told(running),
            "[still running after 1.2 s; an empty command waits for more, is_input types into it, C-c interrupts it]");
  running.foreground.emplace("ssh");
  running.input_mode = InputMode::password;
  EXPECT_EQ(told(running),
            "[still running after 1.2 s; an empty command waits for more, is_input types into it, C-c interrupts it]\n"
            "[ssh reads a line that is not shown, as for a password]");
  running.input_mode = InputMode::raw;
  running.maybe_idle = true;
  EXPECT_EQ(told(running),
            "[still running after 1.2 s; an empty command waits for more, is_input types into it, C-c interrupts it]\n"
            "[the shell may be at its prompt, and no longer tell the ends of commands: C-c, then another command]");
}

TEST(McpResults, AreErrorsOfTheToolAlone) {
  Executed failed;
  failed.exit_code = 1;
  EXPECT_FALSE(result_of_reply(execute_call(), Reply(failed)).as_object().contains("isError"));
  const auto busy = result_of_reply(execute_call(), Error(Errc::busy, "isInput types into another terminalId"));
  EXPECT_TRUE(busy.at("isError").as_bool());
  EXPECT_EQ(text_of(busy), "is_input types into another terminal_id") << "the arguments as they are called here";
  const auto& value = busy.at("structuredContent");
  EXPECT_EQ(value.at("status"), "error");
  EXPECT_EQ(value.at("error_code"), "busy");
  EXPECT_EQ(std::string(value.at("error").as_string()), text_of(busy));
  EXPECT_EQ(value.at("command"), "ls");
  EXPECT_TRUE(value.at("exit_code").is_null() && value.at("working_dir").is_null());
  const auto lost = result_of_reply(called("terminal_screen", "{}"), Error(Errc::not_found, ""));
  EXPECT_TRUE(lost.at("isError").as_bool());
  EXPECT_EQ(text_of(lost), "not_found: There is no such terminal") << "its value has no place for the code";
  EXPECT_FALSE(lost.as_object().contains("structuredContent"));
}

TEST(McpResults, ListTerminalsOfToolsAlone) {
  TerminalList list;
  list.terminals.resize(4);
  list.terminals[0].key = {"mcp/a", "a"};
  list.terminals[0].cwd = "/srv";
  list.terminals[0].status = Status::running;
  list.terminals[1].key = {"people", "a"};
  list.terminals[2].key = {"mcp/a", "b"};
  list.terminals[3].key = {"mcp/b", "b"};
  list.terminals[3].status = Status::exited;
  list.terminals[3].cwd = "/";
  const auto result = result_of_reply(called("terminal_list", "{}"), Reply(list));
  EXPECT_EQ(text_of(result), "a: running, idle, in /srv\nb: exited, in /\n");
  EXPECT_EQ(result.at("structuredContent").at("terminals").as_array().size(), 2u);
  EXPECT_EQ(text_of(result_of_reply(called("terminal_list", "{}"), Reply(TerminalList{}))), "There are no terminals.");
}

TEST(McpTools, AreListedWithClosedInputsAndOpenOutputs) {
  const auto list = json::parse(tools_text()).as_array();
  ASSERT_EQ(list.size(), 5u);
  for (const auto& tool : list) {
    EXPECT_EQ(tool.at("inputSchema").at("type"), "object");
    EXPECT_EQ(tool.at("inputSchema").at("additionalProperties"), false);
    EXPECT_EQ(tool.at("outputSchema").at("type"), "object");
    EXPECT_FALSE(tool.at("outputSchema").as_object().contains("additionalProperties"));
    EXPECT_TRUE(tool.at("annotations").at("readOnlyHint").is_bool());
  }
  EXPECT_EQ(tools_text().find("$ref"), std::string::npos) << "a client is given the schema alone";
  const auto& input = list[0].at("inputSchema");
  EXPECT_EQ(json::serialize(input.at("required")), R"(["command"])");
  for (const char* name : {"command", "is_input", "timeout", "terminal_id", "no_enter"})
    EXPECT_TRUE(input.at("properties").as_object().contains(name)) << name;
  EXPECT_EQ(input.at("properties").at("terminal_id").at("default"), "default");
}

}  // namespace
}  // namespace ptyd::mcp
