// AgentTerminalTest: what the tests of agents' programs have in common.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/session/agent/agent_terminal.hpp"
#include "tests/support/server/session/session_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {

inline const SessionKey kProgramKey{"acp/s1", "term_1"}, kOtherProgram{"acp/s1", "term_2"};
inline constexpr std::chrono::milliseconds kAgentLinger{30000};

/// There before what keeps its files in it.
struct AgentTerminalTestBase {
  test::TemporaryDirectory folder;
};

class AgentTerminalTest : private AgentTerminalTestBase, public SessionTest {
 protected:
  AgentTerminalTest() : SessionTest(kept_in(folder)) {}

  /// An answer in a word or two.
  static std::string told(const Result<Reply>& answer) {
    if (answer) {
      if (const auto* exit = std::get_if<ProgramExit>(&*answer))
        return exit->exit.code ? "exit " + std::to_string(*exit->exit.code)
                               : "signal " + std::to_string(exit->exit.signal.value_or(0));
      return std::holds_alternative<Done>(*answer) ? "done" : "something else";
    }
    switch (answer.error().code()) {
      case Errc::not_found:
        return "not found";
      case Errc::busy:
        return "busy";
      case Errc::denied:
        return "denied";
      case Errc::limit:
        return "limit";
      case Errc::bad_request:
        return "bad request";
      case Errc::bad_cwd:
        return "bad cwd";
      default:
        return "failed: " + answer.error().detail();
    }
  }
  static SessionOptions kept_in(const test::TemporaryDirectory& folder) {
    SessionOptions options;
    options.state_dir = folder.path();
    options.max_sessions_per_thread = 2;
    options.agent_linger = kAgentLinger;
    return options;
  }
  static ptyd::Run plain(const SessionKey& key = kProgramKey) {
    ptyd::Run asked;
    asked.key = key;
    asked.command = "make";
    asked.args = {"all"};
    asked.cwd = "/";
    asked.size = {80, 24};
    return asked;
  }
  std::string run(const ptyd::Run& asked = plain()) { return told(ask_as_agent(agent_, asked)); }
  ptyd::Run with_input() {
    auto asked = plain();
    asked.takes_input = true;
    return asked;
  }
  void run_with_limit(std::uint64_t limit) {
    auto asked = plain();
    asked.output_limit = limit;
    ASSERT_EQ(run(asked), "done");
  }
  void say(std::string_view text) {
    child().say(text);
    settle();
  }
  void end(ExitStatus status = {0, {}}) {
    child().exit(status);
    settle();
  }
  ProgramOutput output(const SessionKey& key = kProgramKey) {
    auto answer = ask_as_agent(agent_, ReadOutput{key});
    if (answer) return std::get<ProgramOutput>(*answer);
    ADD_FAILURE() << answer.error().detail();
    return {};
  }
  /// Its answer is noted when it comes.
  void later(const std::string& name, Command command, std::shared_ptr<FakeViewer> viewer = nullptr) {
    sessions_->submit(viewer ? viewer : agent_, std::move(command),
                      [this, name](const Result<Reply>& answer) { answers_.push_back(name + ": " + told(answer)); });
    settle();
  }
  /// Time passes, and everything happens that was due.
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    settle();
  }
  void leave(const std::shared_ptr<FakeViewer>& viewer) {
    close(viewer);
    settle();
  }
  std::vector<TerminalInfo> list() {
    auto answer = ask(people_, List{});
    return answer ? std::get<TerminalList>(*answer).terminals : std::vector<TerminalInfo>();
  }
  /// Of everything that may be asked of a program.
  std::vector<std::string> all_answers(const SessionKey& key) {
    auto all = answers_before_release(key);
    all.push_back(told(ask_as_agent(agent_, Pin{key})));
    all.push_back(told(ask_as_agent(agent_, Release{key})));
    return all;
  }
  /// Of those that are refused from its Release on.
  std::vector<std::string> answers_before_release(const SessionKey& key) {
    std::vector<std::string> all;
    for (const Command& command : {Command(ReadOutput{key}), Command(AwaitExit{key}), Command(Kill{key})})
      all.push_back(told(ask_as_agent(agent_, command)));
    return all;
  }
  Snapshot attach(const std::shared_ptr<FakeViewer>& viewer) {
    Open asked;
    asked.key = kProgramKey;
    asked.attach = true;
    return open_as(viewer, asked);
  }
  std::size_t files() const {
    const std::filesystem::directory_iterator all(folder.path() / "sessions");
    return static_cast<std::size_t>(std::distance(begin(all), std::filesystem::end(all)));
  }

  const std::shared_ptr<FakeViewer> agent_ = viewer("agent"), people_ = viewer("people");
  std::vector<std::string> answers_;
};

}  // namespace ptyd
