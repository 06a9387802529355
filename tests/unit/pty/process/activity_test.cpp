// The reference's rules of `activity`, rule by rule.
#include "pty/process/activity.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

constexpr ActivityTracker::Time kStart{1000s};

ProcessInfo process(std::string command) {
  ProcessInfo info;
  info.pid = 100;
  info.command_line = std::move(command);
  return info;
}

class Activity : public testing::Test {
 protected:
  ActivityTracker tracker;
  ActivityTracker::Time now = kStart;

  bool type(std::string_view text) { return tracker.on_input(text, now); }
  bool look(std::vector<std::string> commands) {
    std::vector<ProcessInfo> processes;
    for (std::string& command : commands) processes.push_back(process(std::move(command)));
    return tracker.on_processes(processes, now);
  }
  std::string shown() const {
    const ActivityState state = tracker.state();
    return std::string(state.has_running_subprocess ? "busy" : "idle") + "," + std::string(wire_name(state.cli_kind)) +
           "," + std::string(wire_name(state.agent_state));
  }
};

TEST_F(Activity, StartsIdleAndTakesTheKindFromTheEnvironment) {
  EXPECT_FALSE(tracker.reset(""));
  EXPECT_EQ(shown(), "idle,,");
  EXPECT_FALSE(tracker.reset("gemini"));
  EXPECT_TRUE(tracker.reset(" Claude "));
  EXPECT_EQ(shown(), "idle,claude,");
}

TEST_F(Activity, ATypedAgentIsNamedAndBusyAtItsReturn) {
  EXPECT_FALSE(type("cod"));
  EXPECT_FALSE(type("ex"));
  EXPECT_TRUE(type("\r"));
  EXPECT_EQ(shown(), "busy,codex,running");
}

TEST_F(Activity, AnotherCommandTakesTheKindAway) {
  tracker.reset("codex");
  EXPECT_TRUE(type("make\r"));
  EXPECT_EQ(shown(), "idle,,");
}

TEST_F(Activity, ALineThatSaysNothingChangesNoKind) {
  tracker.reset("codex");
  EXPECT_TRUE(type("ls\n")) << "a line to an agent makes it busy";
  EXPECT_EQ(shown(), "busy,codex,running");
  EXPECT_FALSE(type("cd /\r"));
}

TEST_F(Activity, EditingKeysEditTheTypedLine) {
  EXPECT_TRUE(
      type("xcodex\x7f\x7f\x7f\x7f\x7f\x7f"
           "claude\r"));
  EXPECT_EQ(shown(), "busy,claude,running");
  tracker.reset("");
  EXPECT_TRUE(
      type("caf\xc3\xa9\b\b\b\blaude\b\b\b\b\b"
           "codex\r"))
      << "one backspace takes one character";
  EXPECT_EQ(shown(), "busy,codex,running");
  tracker.reset("");
  for (const char* cancel : {"\x03", "\x04", "\x15"}) {
    EXPECT_FALSE(type(std::string("codex") + cancel + "\r")) << cancel;
  }
  EXPECT_TRUE(type("npx\tcodex\r"));
}

TEST_F(Activity, WhatContainsEscapeIsNotTyping) {
  EXPECT_FALSE(type("\x1b[200~codex\x1b[201~\r"));
  EXPECT_FALSE(type("\r"));
  type("cod");
  type("\x1b[A");
  EXPECT_TRUE(type("ex\r")) << "an arrow key does not end the line";
}

TEST_F(Activity, KeepsTheLast512CharactersOfALine) {
  EXPECT_TRUE(type("codex" + std::string(ActivityTracker::kMaxTypedLine - 6, ' ') + "x\r"));
  tracker.reset("");
  EXPECT_FALSE(type("codex" + std::string(ActivityTracker::kMaxTypedLine - 5, ' ') + "x\r"));
  std::string wide;
  for (std::size_t i = 0; i < ActivityTracker::kMaxTypedLine - 6; ++i) wide += "\xc3\xa9";
  tracker.reset("");
  EXPECT_TRUE(type("codex " + wide + "\r")) << "characters, not bytes";
}

TEST_F(Activity, HooksRule) {
  tracker.reset("claude");
  EXPECT_TRUE(tracker.on_agent_event("Start"));
  EXPECT_EQ(shown(), "busy,claude,running");
  EXPECT_FALSE(tracker.on_agent_event("Start"));
  EXPECT_FALSE(tracker.on_agent_event("Nonsense"));
  EXPECT_TRUE(tracker.on_agent_event("PermissionRequest"));
  EXPECT_EQ(shown(), "busy,claude,attention");
  EXPECT_FALSE(look({"claude"})) << "busy as the hook says, however quiet";
  EXPECT_TRUE(tracker.on_agent_event("Stop"));
  EXPECT_EQ(shown(), "idle,,review");
  EXPECT_FALSE(look({"claude"}));
  EXPECT_TRUE(look({"claude", "npm test"}));
  EXPECT_EQ(shown(), "busy,,review");
}

TEST_F(Activity, AnyProgramIsBusyAndShellsAloneAreNot) {
  EXPECT_FALSE(look({}));
  EXPECT_FALSE(look({"-bash", "/bin/zsh -l", "tmux"}));
  EXPECT_TRUE(look({"bash", "sleep 100"}));
  EXPECT_EQ(shown(), "busy,,");
  EXPECT_FALSE(look({"vim"}));
  EXPECT_TRUE(look({}));
  EXPECT_EQ(shown(), "idle,,");
}

TEST_F(Activity, AProcessWithoutACommandLineGoesByItsName) {
  ProcessInfo info;
  info.name = "kworker";
  EXPECT_TRUE(tracker.on_processes({&info, 1}, now));
}

TEST_F(Activity, ProcessesNeverSetAKind) {
  look({"claude"});
  EXPECT_EQ(tracker.state().cli_kind, CliKind::none);
}

TEST_F(Activity, AnAgentIsBusyForAWhileAfterItsLastChangedOutput) {
  type("claude\r");
  now += 1ms;
  tracker.on_output("thinking", now);
  EXPECT_FALSE(look({"claude"}));
  now += ActivityTracker::kOutputGrace;
  tracker.on_output("\x1b[2Kthinking\x1b[0m", now);
  EXPECT_FALSE(look({"claude"})) << "still within the grace";
  now += 1ms;
  EXPECT_TRUE(look({"claude"})) << "a redraw of the same text is no sign of life";
  EXPECT_EQ(shown(), "idle,claude,");
  tracker.on_output("thinking more", now);
  EXPECT_TRUE(look({"claude"}));
  EXPECT_EQ(shown(), "busy,claude,running");
}

TEST_F(Activity, AnAgentIsBusyLongerAfterInput) {
  type("claude\r");
  look({"claude"});
  now += ActivityTracker::kInputGrace;
  EXPECT_FALSE(look({"claude"}));
  now += 1ms;
  EXPECT_TRUE(look({"claude"}));
  EXPECT_EQ(shown(), "idle,claude,");
  EXPECT_TRUE(look({"claude", "node mcp.js"})) << "what an agent runs makes it busy";
}

TEST_F(Activity, TheKindGoesWithItsAgent) {
  type("claude\r");
  EXPECT_TRUE(look({})) << "idle, but it may not have been started yet";
  EXPECT_EQ(shown(), "idle,claude,");
  look({"claude"});
  EXPECT_TRUE(look({}));
  EXPECT_EQ(shown(), "idle,,");
}

TEST_F(Activity, TheKindOfAnAgentThatNeverCameGoesWithTime) {
  type("claude\r");
  look({});
  now += ActivityTracker::kInputGrace + 1ms;
  EXPECT_TRUE(look({}));
  EXPECT_EQ(shown(), "idle,,");
}

TEST_F(Activity, WhatIsTypedToARunningAgentNamesNoCommand) {
  type("claude\r");
  look({"claude"});
  EXPECT_FALSE(type("make it blue\r"));
  EXPECT_EQ(shown(), "busy,claude,running");
  look({});
  EXPECT_FALSE(type("make\r"));
  EXPECT_EQ(shown(), "idle,,");
}

TEST_F(Activity, ClearingForgetsTheHalfTypedLineAndTheHooks) {
  type("cod");
  tracker.on_agent_event("PermissionRequest");
  tracker.on_clear();
  EXPECT_EQ(tracker.state().agent_state, AgentState::none);
  EXPECT_FALSE(type("ex\r"));
}

TEST_F(Activity, LooksOftenOnlyWhileSomethingHappens) {
  EXPECT_EQ(tracker.poll_delay(now), ActivityTracker::kIdlePoll);
  tracker.on_output("x", now);
  EXPECT_EQ(tracker.poll_delay(now), ActivityTracker::kBusyPoll);
  now += 60s;
  EXPECT_EQ(tracker.poll_delay(now), ActivityTracker::kIdlePoll);
  look({"sleep 100"});
  EXPECT_EQ(tracker.poll_delay(now), ActivityTracker::kBusyPoll);
}

}  // namespace
}  // namespace ptyd
