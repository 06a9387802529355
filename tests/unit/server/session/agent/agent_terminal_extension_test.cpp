// An agent and its own program beyond running it: type, resize, signal, look and hear; and its output raw.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include "tests/support/server/session/agent/agent_terminal_test.hpp"

namespace ptyd {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

class AgentTerminalExtensionTest : public AgentTerminalTest {
 protected:
  static Open hearing(const SessionKey& key = kProgramKey) {
    Open asked;
    asked.key = key;
    asked.attach = true;
    asked.history_format = HistoryFormat::raw;
    return asked;
  }
  static TakeSnapshot looking(const SessionKey& key = kProgramKey) { return {key, SnapshotFormat::plain, 0}; }
  std::string type(std::string text) { return told(ask_as_agent(agent_, Write{kProgramKey, std::move(text)})); }
  std::string resize(Size size) { return told(ask_as_agent(agent_, Resize{kProgramKey, size})); }
  std::string signal(int number) { return told(ask_as_agent(agent_, Signal{kProgramKey, number})); }
  /// Of everything that an agent may ask of its own program here.
  std::vector<std::string> all_of_ours(const SessionKey& key) {
    std::vector<std::string> all;
    for (const Command& command : {Command(Write{key, "x"}), Command(Resize{key, {100, 30}}),
                                   Command(Signal{key, SIGINT}), Command(looking(key)), Command(hearing(key))})
      all.push_back(told(ask_as_agent(agent_, command)));
    return all;
  }
};

TEST_F(AgentTerminalExtensionTest, WhoAskedForInputTypes) {
  ASSERT_EQ(run(with_input()), "done");
  EXPECT_EQ(type("y\r"), "done");
  EXPECT_EQ(child().written, "y\r");
}

TEST_F(AgentTerminalExtensionTest, WhoDidNotIsDenied) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(type("y\r"), "denied");
  EXPECT_EQ(child().total_written, 0u);
}

TEST_F(AgentTerminalExtensionTest, ItsOwnAgentSetsTheSizeWhateverItsInputIs) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(resize({100, 30}), "done");
  EXPECT_EQ(child().sizes.back(), (Size{100, 30}));
}

TEST_F(AgentTerminalExtensionTest, SignalsAreSentInTheirOrder) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(signal(SIGSTOP), "done");
  EXPECT_EQ(signal(SIGCONT), "done");
  EXPECT_THAT(child().signals, ElementsAre(SIGSTOP, SIGCONT));
  EXPECT_EQ(child().hang_ups, 0);
}

TEST_F(AgentTerminalExtensionTest, WhatHasEndedTakesNothing) {
  ASSERT_EQ(run(with_input()), "done");
  end();
  for (const Command& command : {Command(Write{kProgramKey, "x"}), Command(Resize{kProgramKey, {90, 30}}),
                                 Command(Signal{kProgramKey, SIGTERM})}) {
    const auto answer = ask_as_agent(agent_, command);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code(), Errc::exited);
  }
  EXPECT_THAT(child().signals, IsEmpty());
}

TEST_F(AgentTerminalExtensionTest, WhatIsReleasedOrOfAnotherSessionOrAShellIsNotFound) {
  ASSERT_EQ(run(with_input()), "done");
  EXPECT_THAT(all_of_ours({"acp/s2", kProgramKey.terminal_id}), Each("not found"));
  ask(agent_, Pin{kProgramKey});
  ask(agent_, Release{kProgramKey});
  ASSERT_EQ(list().size(), 1u) << "people still see it";
  EXPECT_THAT(all_of_ours(kProgramKey), Each("not found"));
  open(people_);
  EXPECT_THAT(all_of_ours(kKey), Each("not found"));
  EXPECT_EQ(child().total_written, 0u);
}

TEST_F(AgentTerminalExtensionTest, TheScreenIsGivenAsItStands) {
  ASSERT_EQ(run(), "done");
  say("one\r\n\x1b]0;title\x07\x1b[?1049h\x1b[Hfull");
  const auto answer = ask_as_agent(agent_, looking());
  ASSERT_TRUE(answer);
  const auto& screen = std::get<ScreenSnapshot>(*answer);
  EXPECT_EQ(screen.text, "full");
  EXPECT_TRUE(screen.alternate);
  EXPECT_EQ(screen.title, "title");
  EXPECT_EQ(screen.caret.column, 4);
  EXPECT_EQ(screen.size, (Size{80, 24}));
}

TEST_F(AgentTerminalExtensionTest, WhoSubscribesIsToldAllThereIsAndThenBytesAsTheyWereWritten) {
  ASSERT_EQ(run(), "done");
  say("before\r\n");
  const auto answer = ask_as_agent(agent_, hearing());
  ASSERT_TRUE(answer);
  EXPECT_EQ(std::get<Snapshot>(*answer).history, "before\r\n");
  say("af\xffter");
  EXPECT_EQ(agent_->output, "af\uFFFDter");
  end({3, {}});
  EXPECT_EQ(agent_->events.back(), "exited");
}

TEST_F(AgentTerminalExtensionTest, AnAgentThatHearsItsProgramIsNobodyToKeepItFor) {
  ASSERT_EQ(run(), "done");
  ask_as_agent(agent_, hearing());
  ask(agent_, Release{kProgramKey});
  settle();
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalExtensionTest, WhoComesBackKeepsItByAnyOfThese) {
  for (const auto& asked : {Command(Write{kProgramKey, "x"}), Command(looking())}) {
    SCOPED_TRACE(asked.index());
    ASSERT_EQ(run(with_input()), "done");
    leave(agent_);
    const auto back = viewer("agent again");
    ask_as_agent(back, asked);
    pass(2 * kAgentLinger);
    EXPECT_EQ(child().hang_ups, 0);
    ask(back, Release{kProgramKey});
    settle();
    sessions_->add_viewer(agent_);
  }
}

TEST_F(AgentTerminalExtensionTest, RawOutputIsGivenWhereItIsAskedForThenOrAtTheStart) {
  ASSERT_EQ(run(), "done");
  say("\x1b[32mgreen\x1b[m\r\n");
  const auto read = [this](std::optional<bool> raw) {
    const auto answer = ask(agent_, ReadOutput{kProgramKey, raw});
    return answer ? std::get<ProgramOutput>(*answer).text : answer.error().detail();
  };
  EXPECT_EQ(read({}), "green\n");
  EXPECT_EQ(read(true), "\x1b[32mgreen\x1b[m\r\n");
  ask(agent_, Release{kProgramKey});
  settle();
  auto asked = plain();
  asked.raw_output = true;
  asked.output_limit = 7;
  ASSERT_EQ(run(asked), "done");
  say("\x1b[32mgreen\r\n");
  EXPECT_EQ(read({}), "green\r\n");
  EXPECT_EQ(read(false), "green\n");
}

}  // namespace
}  // namespace ptyd
