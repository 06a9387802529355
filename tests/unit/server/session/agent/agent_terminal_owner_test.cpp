// Programs of agents belong to what their clients showed to be let in, and can be taken over with it alone.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "tests/support/server/session/agent/agent_terminal_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;

class AgentTerminalOwnerTest : public AgentTerminalTest {
 protected:
  AgentTerminalOwnerTest() {
    agent_->show("one");
    stranger_->show("two");
  }
  std::shared_ptr<FakeViewer> back() {
    auto again = viewer("back");
    again->show("one");
    return again;
  }
  /// Of everything that an agent may ask of a program.
  std::vector<std::string> answers_to(const std::shared_ptr<FakeViewer>& asking) {
    Open hearing;
    hearing.key = kProgramKey;
    hearing.attach = true;
    std::vector<std::string> all;
    for (const Command& command :
         {Command(ReadOutput{kProgramKey}), Command(AwaitExit{kProgramKey}), Command(Kill{kProgramKey}),
          Command(Release{kProgramKey}), Command(Keep{kProgramKey}), Command(Pin{kProgramKey}),
          Command(Signal{kProgramKey, SIGINT}), Command(Write{kProgramKey, "x"}),
          Command(Resize{kProgramKey, {100, 30}}), Command(TakeSnapshot{kProgramKey, SnapshotFormat::plain, 0}),
          Command(hearing)})
      all.push_back(told(ask_as_agent(asking, command)));
    return all;
  }
  std::vector<std::string> lost_to(const std::shared_ptr<FakeViewer>& asking) {
    List asked;
    asked.lost = true;
    std::vector<std::string> names;
    const auto answer = ask(asking, asked);
    if (!answer) return {"refused"};
    for (const auto& each : std::get<TerminalList>(*answer).terminals) names.push_back(each.key.terminal_id);
    return names;
  }
  static ptyd::Run dialled_in(const SessionKey& key = kProgramKey) {
    auto asked = plain(key);
    asked.dialled_in = true;
    return asked;
  }

  const std::shared_ptr<FakeViewer> stranger_ = viewer("stranger");
};

TEST_F(AgentTerminalOwnerTest, ALiveConnectionsProgramIsNobodyElses) {
  ASSERT_EQ(run(with_input()), "done");
  EXPECT_THAT(answers_to(stranger_), Each("not found"));
  EXPECT_EQ(child().hang_ups, 0);
  EXPECT_EQ(child().total_written, 0u);
  EXPECT_THAT(child().signals, IsEmpty());
  EXPECT_EQ(told(ask(agent_, Kill{kProgramKey})), "done");
}

TEST_F(AgentTerminalOwnerTest, AStrangerNeitherTakesNorKeepsWhatIsLost) {
  ASSERT_EQ(run(with_input()), "done");
  leave(agent_);
  EXPECT_THAT(answers_to(stranger_), Each("not found"));
  pass(kAgentLinger - 1ms);
  EXPECT_EQ(child().hang_ups, 0);
  pass(1ms);
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(AgentTerminalOwnerTest, TheSameCredentialTakesOverWhatIsLost) {
  ASSERT_EQ(run(), "done");
  leave(agent_);
  const auto again = back();
  EXPECT_EQ(told(ask(again, Keep{kProgramKey})), "done");
  pass(2 * kAgentLinger);
  EXPECT_EQ(child().hang_ups, 0);
  EXPECT_EQ(told(ask(again, Release{kProgramKey})), "done");
}

TEST_F(AgentTerminalOwnerTest, AnAgentThatMayOnlyViewKeepsNothing) {
  ASSERT_EQ(run(dialled_in()), "done");
  leave(agent_);
  const auto onlooker = viewer("onlooker", Access::view);
  onlooker->show("one");
  EXPECT_NE(told(ask_as_agent(onlooker, TakeSnapshot{kProgramKey, SnapshotFormat::plain, 0})), "not found");
  EXPECT_THAT(lost_to(back()), ElementsAre(kProgramKey.terminal_id));
  pass(kAgentLinger);
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(AgentTerminalOwnerTest, PeopleSeeItWhateverTheyShow) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(list().size(), 1u);
  EXPECT_EQ(attach(stranger_).status, Status::running);
  EXPECT_EQ(told(ask(stranger_, Close{kProgramKey.thread_id, kProgramKey.terminal_id, true})), "done");
}

TEST_F(AgentTerminalOwnerTest, WhatIsLostIsListedForItsCredentialUntilAConnectionKeepsIt) {
  ASSERT_EQ(run(dialled_in()), "done");
  EXPECT_THAT(lost_to(agent_), IsEmpty()) << "it is kept";
  leave(agent_);
  const auto again = back();
  EXPECT_THAT(lost_to(again), ElementsAre(kProgramKey.terminal_id));
  EXPECT_THAT(lost_to(stranger_), IsEmpty());
  end();
  EXPECT_THAT(lost_to(again), ElementsAre(kProgramKey.terminal_id)) << "its output is still there";
  ask(again, Keep{kProgramKey});
  EXPECT_THAT(lost_to(again), IsEmpty());
}

TEST_F(AgentTerminalOwnerTest, OnlyProgramsOfAgentsThatDialledInAreListedAsLost) {
  ASSERT_EQ(run(), "done");
  ASSERT_EQ(run(dialled_in(kOtherProgram)), "done");
  leave(agent_);
  EXPECT_THAT(lost_to(back()), ElementsAre(kOtherProgram.terminal_id));
  pass(kAgentLinger);
  EXPECT_THAT(lost_to(back()), IsEmpty()) << "it is released";
}

}  // namespace
}  // namespace ptyd
