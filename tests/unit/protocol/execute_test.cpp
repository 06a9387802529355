// Execute and Executed on the wire.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/language/dialect.hpp"
#include "protocol/language/languages.hpp"
#include "protocol/methods.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using schema::Nulls;

struct Read {
  Execute asked;
  std::string problem;
};

Read read(std::string_view params, Nulls nulls = Nulls::refused) {
  Command command;
  const auto value = boost::json::parse(params);
  const auto problem = find_method("terminal.execute")->decode(value.as_object(), nulls, command);
  if (problem) return {{}, problem->words()};
  return {std::get<Execute>(command), ""};
}
std::string problem_with(const std::string& more) {
  return read(R"({"threadId":"t","command":"c",)" + more + "}").problem;
}

TEST(ExecuteOnTheWire, HasDefaults) {
  const auto [asked, problem] = read(R"({"_tag":"terminal.execute","threadId":" t ","command":" ls "})");
  EXPECT_EQ(problem, "");
  EXPECT_EQ(asked.key, (SessionKey{"t", "default"}));
  EXPECT_EQ(asked.command, " ls ") << "not trimmed";
  EXPECT_FALSE(asked.is_input);
  EXPECT_FALSE(asked.no_enter || asked.literal);
  EXPECT_FALSE(asked.timeout.time);
  EXPECT_FALSE(asked.timeout.clamped);
  EXPECT_EQ(asked.max_output_chars, 30'000u);
  EXPECT_EQ(asked.cwd + asked.shell, "");
  EXPECT_FALSE(asked.cols || asked.rows);
}

TEST(ExecuteOnTheWire, TakesAllItsFields) {
  const auto [asked, problem] = read(
      R"({"threadId":"t","terminalId":"a","command":"","isInput":true,"noEnter":true,"literal":true,"timeout":1.5,"maxOutputChars":1000,"cwd":"/usr",)"
      R"("shell":"/bin/bash","cols":20,"rows":5,"env":{"A":"1"}})");
  EXPECT_EQ(problem, "");
  EXPECT_EQ(asked.key.terminal_id, "a");
  EXPECT_TRUE(asked.is_input && asked.no_enter && asked.literal);
  EXPECT_EQ(asked.timeout.time, 1500ms);
  EXPECT_EQ(asked.max_output_chars, 1000u);
  EXPECT_EQ(asked.cwd, "/usr");
  EXPECT_EQ(asked.shell, "/bin/bash");
  EXPECT_EQ(asked.cols, 20);
  EXPECT_EQ(asked.rows, 5);
  EXPECT_EQ(asked.env, (Environment{{"A", "1"}}));
}

TEST(ExecuteOnTheWire, WaitsAtMostSixtySeconds) {
  const auto waits = [](const std::string& timeout) {
    return read(R"({"threadId":"t","command":"c","timeout":)" + timeout + "}").asked.timeout;
  };
  EXPECT_EQ(waits("0").time, 0ms);
  EXPECT_EQ(waits("0.0004").time, 0ms);
  EXPECT_EQ(waits("60").time, 60s);
  EXPECT_FALSE(waits("60").clamped);
  for (const auto* more : {"60.001", "61", "1e300", "18446744073709551615"}) {
    EXPECT_EQ(waits(more).time, 60s) << more;
    EXPECT_TRUE(waits(more).clamped) << more;
  }
  EXPECT_FALSE(waits("null").time);
  EXPECT_FALSE(read(R"({"threadId":"t","command":"c","timeout":null})", Nulls::absent).asked.timeout.time);
}

TEST(ExecuteOnTheWire, NamesWhatIsWrong) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"("timeout":-1)", "timeout: -1 is below 0"},
      {R"("timeout":"5")", R"(timeout: "5" is not a number)"},
      {R"("timeout":true)", "timeout: true is not a number"},
      {R"("isInput":1)", "isInput: 1 is not true or false"},
      {R"("isInput":null)", "isInput: null is not true or false"},
      {R"("noEnter":"")", R"(noEnter: "" is not true or false)"},
      {R"("literal":0)", "literal: 0 is not true or false"},
      {R"("maxOutputChars":999)", "maxOutputChars: 999 is below 1000"},
      {R"("maxOutputChars":200001)", "maxOutputChars: 200001 is above 200000"},
      {R"("cols":19)", "cols: 19 is below 20"},
      {R"("cols":2001)", "cols: 2001 is above 2000"},
      {R"("rows":4)", "rows: 4 is below 5"},
      {R"("cwd":"")", "cwd: length 0 is below 1"},
      {R"("cwd":"a\u0000")", "cwd: holds a NUL character"},
      {R"("terminalId":"")", "terminalId: length 0 is below 1"},
      {R"("is_input":true)", "is_input: is no field of this call"},
  };
  for (const auto& [field, words] : cases) {
    EXPECT_EQ(problem_with(field), words);
  }
  EXPECT_NE(problem_with(R"("env":{"A=":"1"})"), "");
  EXPECT_NE(problem_with(R"("":1)"), "");
  EXPECT_EQ(read(R"({"threadId":"t"})").problem, "command: is missing");
  EXPECT_EQ(read(R"({"command":"c"})").problem, "threadId: is missing");
  EXPECT_EQ(read(R"({"threadId":"t","command":5})").problem, "command: 5 is not a string");
  EXPECT_EQ(read(R"({"threadId":"t","command":null})").problem, "command: null is not a string");
  EXPECT_EQ(read(R"({"threadId":"t","command":"a\u0000b"})").problem, "command: holds a NUL character");
}

TEST(ExecuteOnTheWire, KnowsShellsByNameAndPath) {
  for (const auto* shell : {"bash", "zsh", "fish", "sh", "dash", "ash", "/bin/bash", "/opt/x/fish"})
    EXPECT_EQ(problem_with(R"("shell":")" + std::string(shell) + "\""), "") << shell;
  for (const auto* shell : {"", "tcsh", "/bin/tcsh", "./bash", "bin/bash", "/bin/bash/", "bash -l", "BASH"})
    EXPECT_TRUE(problem_with(R"("shell":")" + std::string(shell) + "\"").starts_with("shell: ")) << shell;
  EXPECT_TRUE(problem_with(R"("shell":5)").starts_with("shell: 5 is not a string"));
}

TEST(ExecuteOnTheWire, OtherMethodsTakeFieldsThatTheyDoNotKnow) {
  Command command;
  const auto value = boost::json::parse(R"({"threadId":"t","surplus":1})");
  EXPECT_FALSE(find_method("terminal.clear")->decode(value.as_object(), Nulls::refused, command));
}

TEST(ExecuteOnTheWire, AnswersWithAllItsFields) {
  Executed executed;
  executed.content = "a\tb\n";
  executed.command = "ls";
  executed.terminal_id = "a";
  executed.exit_code = 3;
  executed.working_dir = "/usr";
  executed.duration_ms = 12;
  executed.terminal_created = true;
  executed.truncated = true;
  executed.omitted_lines = 4;
  executed.omitted_bytes = 50;
  executed.total_bytes = 600;
  std::string text;
  write_reply(text, executed);
  EXPECT_EQ(
      text,
      R"({"content":"a\tb\n","command":"ls","terminalId":"a","status":"completed","exitCode":3,)"
      R"("workingDir":"/usr","durationMs":12,"truncated":true,"omittedLines":4,"omittedBytes":50,"totalBytes":600,)"
      R"("terminalCreated":true,"terminalClosed":false,)"
      R"("timeoutClamped":false,"inputMode":null,"foreground":null,"altScreen":false,"maybeIdle":false})");
  text.clear();
  Executed running;
  running.status = CommandStatus::running;
  running.input_mode = InputMode::password;
  running.foreground.emplace("vim");
  running.alt_screen = running.maybe_idle = true;
  running.screen = ProgramScreen{{"~", "\"x\""}, {1, 2, false}};
  write_reply(text, running);
  EXPECT_NE(text.find(R"("inputMode":"password","foreground":"vim","altScreen":true,"screen":{"rows":["~","\"x\""],)"
                      R"("caret":{"row":1,"column":2,"visible":false}},"maybeIdle":true})"),
            text.npos)
      << text;
  EXPECT_NE(text.find(R"("status":"running","exitCode":null,"workingDir":null)"), text.npos) << text;
}

}  // namespace
}  // namespace ptyd
