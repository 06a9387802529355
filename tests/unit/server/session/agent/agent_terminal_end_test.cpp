// Programs that agents run: their end, their Release, and what becomes of them when nobody is left who asked for them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <optional>

#include "server/policy/command_traits.hpp"
#include "tests/support/server/session/agent/agent_terminal_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// --- its end

TEST_F(AgentTerminalTest, EverybodyWhoWaitsIsToldTheExitWhenAllIsRead) {
  ASSERT_EQ(run(), "done");
  later("first", AwaitExit{kProgramKey});
  later("second", AwaitExit{kProgramKey}, people_);
  child().hold_output();
  child().exit({7, {}});
  child().say("last words");
  settle();
  child().end_output();
  settle();
  EXPECT_THAT(answers_, ElementsAre("first: exit 7", "second: exit 7"));
  EXPECT_EQ(output().text, "last words");
  later("late", AwaitExit{kProgramKey});
  EXPECT_EQ(answers_.back(), "late: exit 7");
}

TEST_F(AgentTerminalTest, AJobThatItLeavesDoesNotHoldBackItsEndAndRunsOn) {
  ASSERT_EQ(run(), "done");
  later("wait", AwaitExit{kProgramKey});
  child().leaves_jobs = true;
  end();
  EXPECT_THAT(answers_, ElementsAre("wait: exit 0"));
  EXPECT_EQ(child().hang_ups, 0);
  child().jobs_stay = true;
  later("kill", Kill{kProgramKey});
  EXPECT_EQ(child().hang_ups, 1) << "until it is killed";
  EXPECT_THAT(answers_, ElementsAre("wait: exit 0"));
  child().end_jobs();
  settle();
  EXPECT_EQ(answers_.back(), "kill: done");
}

TEST_F(AgentTerminalTest, WhatAJobPrintsLaterIsItsOutputToo) {
  ASSERT_EQ(run(), "done");
  child().leaves_jobs = true;
  say("first\r\n");
  end();
  say("later\r\n");
  EXPECT_EQ(output().text, "first\nlater\n");
  EXPECT_TRUE(output().exit);
  EXPECT_THAT(attach(people_).history, HasSubstr("later"));
}

TEST_F(AgentTerminalTest, AJobThatDoesNotEndKeepsNobodyWaiting) {
  ASSERT_EQ(run(), "done");
  child().leaves_jobs = child().jobs_stay = true;
  end();
  later("kill", Kill{kProgramKey});
  pass(Child::kShutdownWait - 1ms);
  EXPECT_THAT(answers_, IsEmpty());
  pass(1ms);
  EXPECT_THAT(answers_, ElementsAre("kill: done"));
  later("release", Release{kProgramKey});
  pass(Child::kShutdownWait);
  EXPECT_EQ(answers_.back(), "release: done");
}

TEST_F(AgentTerminalTest, OneWhoseJobsRunOnIsNotForgotten) {
  ASSERT_EQ(run(), "done");
  child().leaves_jobs = true;
  end();
  pass(AgentTerminal::kUnreleased);
  EXPECT_TRUE(output().exit);
  child().end_jobs();
  settle();
  pass(AgentTerminal::kUnreleased);
  EXPECT_THAT(all_answers(kProgramKey), Each("not found"));
}

TEST_F(AgentTerminalTest, SoManyMayWaitAndNobodyMore) {
  ASSERT_EQ(run(), "done");
  for (std::size_t i = 0; i < AgentTerminal::kMaxWaiting; ++i) later("wait", AwaitExit{kProgramKey});
  EXPECT_THAT(answers_, IsEmpty());
  later("more", AwaitExit{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("more: limit"));
  end();
  EXPECT_EQ(answers_.size(), AgentTerminal::kMaxWaiting + 1);
}

TEST_F(AgentTerminalTest, WhoHasGivenUpWaitingTakesNobodysPlace) {
  ASSERT_EQ(run(), "done");
  const Caller gives_up(loops_.main(), agent_, [](const Result<Reply>&) {});
  sessions_->submit(gives_up, Request(AwaitExit{kProgramKey}));
  for (std::size_t i = 1; i < AgentTerminal::kMaxWaiting; ++i) later("wait", AwaitExit{kProgramKey});
  gives_up.reply(Error(Errc::internal, "given up"));
  later("more", AwaitExit{kProgramKey});
  EXPECT_THAT(answers_, IsEmpty());
  end();
  EXPECT_EQ(answers_.size(), AgentTerminal::kMaxWaiting);
}

TEST_F(AgentTerminalTest, AKillIsAnsweredWhenItHasEnded) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgramKey});
  later("kill", Kill{kProgramKey});
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(answers_, IsEmpty());
  end({{}, 9});
  EXPECT_THAT(answers_, ElementsAre("wait: signal 9", "kill: done"));
  EXPECT_EQ(output().exit->signal, 9) << "it is not released";
}

TEST_F(AgentTerminalTest, AKillOfWhatDoesNotEndIsAnsweredAllTheSame) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgramKey});
  later("kill", Kill{kProgramKey});
  pass(Child::kShutdownWait - 1ms);
  EXPECT_THAT(answers_, IsEmpty());
  pass(1ms);
  EXPECT_THAT(answers_, ElementsAre("kill: done"));
  EXPECT_FALSE(output().exit);
  end({{}, 9});
  EXPECT_EQ(answers_.back(), "wait: signal 9");
}

TEST_F(AgentTerminalTest, AKillThatComesBeforeItRunsIsCarriedOutThen) {
  launcher_->hold();
  later("run", plain());
  later("kill", Kill{kProgramKey});
  launcher_->release();
  settle();
  EXPECT_THAT(answers_, ElementsAre("run: done", "kill: done"));
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(AgentTerminalTest, NeitherItsEndNorWhoWaitsForThatNeedsTheScreen) {
  EXPECT_EQ(row_of(ReadOutput{kProgramKey}).screen, ScreenUse::needed);
  for (const Command& command : {Command(AwaitExit{kProgramKey}), Command(Kill{kProgramKey}),
                                 Command(Release{kProgramKey}), Command(Pin{kProgramKey})})
    EXPECT_EQ(row_of(command).screen, ScreenUse::none) << command.index();
}

// --- its release

TEST_F(AgentTerminalTest, AReleaseEndsItAnswersWhoWaitsFirstAndLeavesNothing) {
  ASSERT_EQ(run(), "done");
  EXPECT_GT(files(), 0u);
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgramKey});
  later("kill", Kill{kProgramKey});
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_before_release(kProgramKey), Each("not found")) << "from now on";
  EXPECT_THAT(answers_, IsEmpty());
  end({{}, 15});
  EXPECT_THAT(answers_, ElementsAre("wait: signal 15", "kill: done", "release: done"));
  EXPECT_THAT(all_answers(kProgramKey), Each("not found"));
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
  EXPECT_TRUE(child().destroyed);
}

TEST_F(AgentTerminalTest, AReleaseThatIsAskedAgainMeanwhileIsAnsweredWithTheFirst) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("first", Release{kProgramKey});
  later("second", Release{kProgramKey});
  later("of another", Release{kProgramKey}, viewer("other"));
  EXPECT_THAT(answers_, IsEmpty());
  EXPECT_EQ(child().hang_ups, 1);
  end({{}, 15});
  EXPECT_THAT(answers_, ElementsAre("first: done", "second: done", "of another: done"));
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalTest, AReleaseIsAnsweredWhilePeopleCloseTheTerminal) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("close", Close{kProgramKey.thread_id, kProgramKey.terminal_id, true}, people_);
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_, IsEmpty());
  end({{}, 15});
  EXPECT_THAT(answers_, ElementsAre("close: done", "release: not found")) << "the language knows that it was given";
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalTest, AReleaseWhoseTimeIsOverMeanwhileIsAnswered) {
  ASSERT_EQ(run(), "done");
  leave(agent_);
  child().at_hang_up.reset();
  pass(kAgentLinger);
  ASSERT_EQ(child().hang_ups, 1) << "it is released, and does not end yet";
  later("release", Release{kProgramKey}, viewer("back"));
  EXPECT_THAT(answers_, IsEmpty());
  end({{}, 15});
  EXPECT_THAT(answers_, ElementsAre("release: done"));
}

TEST_F(AgentTerminalTest, AReleasedTerminalIsInNoListFromItsAnswerOn) {
  ASSERT_EQ(run(), "done");
  end();
  std::optional<std::size_t> listed;
  sessions_->submit(agent_, Release{kProgramKey}, [&](const Result<Reply>&) {
    sessions_->submit(people_, List{},
                      [&](const Result<Reply>& answer) { listed = std::get<TerminalList>(*answer).terminals.size(); });
  });
  settle();
  EXPECT_EQ(listed, 0u);
}

TEST_F(AgentTerminalTest, AReleaseOfOneThatHasEndedEndsItsJobs) {
  ASSERT_EQ(run(), "done");
  child().leaves_jobs = true;
  end();
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("release: done"));
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_TRUE(child().destroyed);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalTest, AReleaseOfWhatDoesNotEndIsAnsweredAllTheSame) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgramKey});
  later("release", Release{kProgramKey});
  pass(Child::kShutdownWait - 1ms);
  EXPECT_THAT(answers_, IsEmpty());
  pass(1ms);
  EXPECT_THAT(answers_, ElementsAre(StartsWith("wait: failed"), "release: done"));
  EXPECT_TRUE(child().destroyed);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalTest, PeopleWhoWatchReadOnForAWhileAfterItsRelease) {
  ASSERT_EQ(run(), "done");
  attach(people_);
  say("text");
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("release: done"));
  EXPECT_THAT(answers_before_release(kProgramKey), Each("not found"));
  EXPECT_EQ(told(ask(agent_, Release{kProgramKey})), "done") << "once more";
  pass(AgentTerminal::kKeptForPeople - 1ms);
  ASSERT_EQ(list().size(), 1u);
  EXPECT_EQ(list()[0].status, Status::exited);
  EXPECT_THAT(attach(viewer("late")).history, HasSubstr("text"));
  pass(1ms);
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
  EXPECT_THAT(people_->handles, IsEmpty());
}

TEST_F(AgentTerminalTest, OneThatIsPinnedStaysForPeopleWhoeverWatches) {
  ASSERT_EQ(run(), "done");
  later("pin", Pin{kProgramKey});
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("pin: done", "release: done"));
  pass(AgentTerminal::kKeptForPeople - 1ms);
  EXPECT_EQ(list().size(), 1u);
  pass(1ms);
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
}

TEST_F(AgentTerminalTest, OneThatIsNeverReleasedIsForgottenLongAfterItsEnd) {
  ASSERT_EQ(run(), "done");
  pass(AgentTerminal::kUnreleased);
  EXPECT_FALSE(output().exit) << "it may run for as long as it likes";
  end();
  pass(AgentTerminal::kUnreleased - 1ms);
  EXPECT_TRUE(output().exit);
  pass(1ms);
  EXPECT_THAT(all_answers(kProgramKey), Each("not found"));
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
}

// --- whose it is

TEST_F(AgentTerminalTest, WhenItsAgentHasGoneItIsEndedAfterAWhile) {
  ASSERT_EQ(run(), "done");
  leave(agent_);
  pass(kAgentLinger - 1ms);
  EXPECT_EQ(child().hang_ups, 0);
  pass(1ms);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_TRUE(child().destroyed);
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
}

TEST_F(AgentTerminalTest, WhoAsksForItInTimeKeepsIt) {
  ASSERT_EQ(run(), "done");
  leave(agent_);
  pass(kAgentLinger - 1ms);
  auto back = viewer("back");
  later("pin", Pin{kProgramKey}, back);
  pass(kAgentLinger);
  EXPECT_EQ(child().hang_ups, 0);
  leave(back);
  pass(kAgentLinger - 1ms);
  EXPECT_EQ(child().hang_ups, 0);
  pass(1ms);
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(AgentTerminalTest, ItRunsOnWhileOneIsLeftOfThoseWhoAskedForIt) {
  ASSERT_EQ(run(), "done");
  auto other = viewer("other");
  later("wait", AwaitExit{kProgramKey}, other);
  leave(agent_);
  pass(kAgentLinger);
  EXPECT_EQ(child().hang_ups, 0);
  leave(other);
  pass(kAgentLinger);
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(AgentTerminalTest, WhoOnlyWatchesDoesNotKeepIt) {
  ASSERT_EQ(run(), "done");
  attach(people_);
  leave(agent_);
  pass(kAgentLinger);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_EQ(list().size(), 1u) << "but may read its end";
}

TEST_F(AgentTerminalTest, AnAgentThatHasGoneBeforeItsProgramRanLeavesNothing) {
  launcher_->hold();
  later("run", plain());
  leave(agent_);
  launcher_->release();
  settle();
  pass(kAgentLinger);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalTest, AProgramThatRunsAfterItsTimeIsEndedAtOnce) {
  launcher_->hold();
  later("run", plain());
  leave(agent_);
  pass(kAgentLinger);
  launcher_->release();
  settle();
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalTest, AnAgentThatHasGoneBeforeItsTurnCameLeavesNothing) {
  sessions_->submit(agent_, plain(), [](const Result<Reply>&) {});
  leave(agent_);
  pass(kAgentLinger);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalTest, AnEndedOneGoesWithItsAgentToo) {
  ASSERT_EQ(run(), "done");
  end();
  leave(agent_);
  pass(kAgentLinger - 1ms);
  EXPECT_EQ(list().size(), 1u);
  pass(1ms);
  EXPECT_THAT(list(), IsEmpty());
}

}  // namespace
}  // namespace ptyd
