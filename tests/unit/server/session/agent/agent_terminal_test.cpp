// Programs that agents run: how they are started, what is read of them, what people may do with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "tests/support/server/session/agent/agent_terminal_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// --- starting

TEST_F(AgentTerminalTest, ARunIsAnsweredWhenItsProgramRuns) {
  launcher_->hold();
  later("run", plain());
  EXPECT_THAT(answers_, IsEmpty());
  launcher_->release();
  settle();
  EXPECT_THAT(answers_, ElementsAre("run: done"));
}

TEST_F(AgentTerminalTest, ARunWaitsForNoOtherProgramOfItsSession) {
  launcher_->hold();
  later("hangs", plain());
  later("next", plain(kOtherProgram));
  EXPECT_EQ(launcher_->launches.size(), 2u);
  launcher_->release();
  settle();
  EXPECT_THAT(answers_, ElementsAre("hangs: done", "next: done"));
}

TEST_F(AgentTerminalTest, ARunThatIsCancelledWhileItWaitsStartsNothingAndLeavesNothing) {
  launcher_->hold();
  later("first", plain());
  later("all", Close{kProgramKey.thread_id, {}, true});
  std::string answer;
  const Caller waits(loops_.main(), agent_, [&](const Result<Reply>& reply) { answer = told(reply); });
  sessions_->submit(waits, Request(plain(kOtherProgram)));
  settle();
  waits.cancel();
  launcher_->release();
  settle();
  EXPECT_EQ(answer, "failed: The request was cancelled");
  EXPECT_EQ(launcher_->launches.size(), 1u);
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(told(ask(agent_, AwaitExit{kOtherProgram})), "not found");
}

TEST_F(AgentTerminalTest, ARunForWhichNobodyWaitsAnyMoreStartsNothing) {
  launcher_->hold();
  later("first", plain());
  later("all", Close{kProgramKey.thread_id, {}, true});
  const Caller waits(loops_.main(), agent_, [](const Result<Reply>&) {});
  sessions_->submit(waits, Request(plain(kOtherProgram)));
  settle();
  waits.give_up();
  launcher_->release();
  settle();
  EXPECT_EQ(launcher_->launches.size(), 1u);
}

TEST_F(AgentTerminalTest, AProgramIsLaunchedAsAgentsWantIt) {
  ASSERT_EQ(run(), "done");
  const auto& spec = child().launched_with;
  EXPECT_EQ(spec.candidates.at(0), (Program{"make", {"all"}}));
  EXPECT_EQ(spec.cwd, "/");
  EXPECT_EQ(spec.size, (Size{80, 24}));
  EXPECT_TRUE(spec.null_input);
}

TEST_F(AgentTerminalTest, AProgramThatTakesInputHasTheTerminalAsItsInput) {
  ASSERT_EQ(run(with_input()), "done");
  EXPECT_FALSE(child().launched_with.null_input);
}

TEST_F(AgentTerminalTest, PeopleSeeItInTheList) {
  ASSERT_EQ(run(), "done");
  const auto all = list();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, kProgramKey);
  EXPECT_EQ(all[0].status, Status::running);
  EXPECT_EQ(all[0].command_line, "make all");
  EXPECT_FALSE(all[0].takes_input);
}

TEST_F(AgentTerminalTest, WhatCannotBeStartedHasEndedAsAShellWouldSay) {
  ask(people_, Subscribe{});
  launcher_->refuse(Error(Errc::spawn_failed, "No such file or directory", ENOENT));
  EXPECT_EQ(run(), "done");
  settle();
  const auto read = output();
  EXPECT_THAT(read.text, HasSubstr("make"));
  EXPECT_EQ(read.text.find('\n'), read.text.size() - 1);
  ASSERT_TRUE(read.exit);
  EXPECT_EQ(read.exit->code, 127);
  later("wait", AwaitExit{kProgramKey});
  later("kill", Kill{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("wait: exit 127", "kill: done"));
  EXPECT_THAT(people_->events, ElementsAre("output", "exited"));
  EXPECT_EQ(list().at(0).status, Status::exited);
}

TEST_F(AgentTerminalTest, ADirectoryThatIsNoneIsAnErrorAndLeavesNothing) {
  auto asked = plain();
  asked.cwd = "/no/such/directory";
  EXPECT_EQ(run(asked), "bad cwd");
  EXPECT_THAT(launcher_->launches, IsEmpty());
  launcher_->refuse(Error(Errc::bad_cwd, "it went meanwhile"));
  EXPECT_EQ(run(), "bad cwd");
  settle();
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
  EXPECT_THAT(all_answers(kProgramKey), Each("not found"));
}

TEST_F(AgentTerminalTest, ATerminalIsMadeForOneProgram) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(run(), "busy");
  end();
  EXPECT_EQ(run(), "busy");
  EXPECT_EQ(launcher_->launches.size(), 1u);
}

TEST_F(AgentTerminalTest, ProgramsThatRunCountAsTerminals) {
  ASSERT_EQ(run(), "done");
  ASSERT_EQ(run(plain(kOtherProgram)), "done");
  const SessionKey third{kProgramKey.thread_id, "term_3"};
  EXPECT_EQ(run(plain(third)), "limit");
  end();
  EXPECT_EQ(run(plain(third)), "done");
}

TEST_F(AgentTerminalTest, AProgramThatNeedsMoreCellsThanThereAreLeavesNothing) {
  auto asked = plain();
  asked.size = {65535, 65535};
  EXPECT_EQ(run(asked), "limit");
  settle();
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
}

TEST_F(AgentTerminalTest, ATerminalOfAnotherSessionIsNotFound) {
  ASSERT_EQ(run(), "done");
  EXPECT_THAT(all_answers({"acp/s2", kProgramKey.terminal_id}), Each("not found"));
  EXPECT_THAT(all_answers(kOtherProgram), Each("not found"));
}

TEST_F(AgentTerminalTest, OfAShellNothingIsToldAsOfAProgram) {
  open(people_);
  EXPECT_THAT(all_answers(kKey), Each("not found"));
  EXPECT_EQ(child().hang_ups, 0);
}

// --- what it has printed

TEST_F(AgentTerminalTest, ItsTextIsReadAtAnyTimeAndItsExitWithItOnceItHasEnded) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(output().text, "");
  say("10%\r20%\r\n\x1b[32mgreen\x1b[m\r\n\r\n");
  EXPECT_EQ(output().text, "20%\ngreen\n\n");
  EXPECT_FALSE(output().truncated);
  EXPECT_FALSE(output().exit);
  end({3, {}});
  ASSERT_TRUE(output().exit);
  EXPECT_EQ(output().exit->code, 3);
}

TEST_F(AgentTerminalTest, TabsAndBlanksAtTheEndsOfLinesAreKept) {
  ASSERT_EQ(run(), "done");
  say("all: x \r\n\tcc\t-o x\r\n");
  EXPECT_EQ(output().text, "all: x \n\tcc\t-o x\n");
}

TEST_F(AgentTerminalTest, ItsTextIsReadAtTheSizeItHas) {
  ASSERT_EQ(run(with_input()), "done");
  ASSERT_EQ(told(ask_as_agent(agent_, Resize{kProgramKey, {40, 10}})), "done");
  say(std::string(60, 'x') + "\x1b[1G|\r\n");
  EXPECT_EQ(output().text, std::string(40, 'x') + "|" + std::string(19, 'x') + "\n");
}

TEST_F(AgentTerminalTest, ALineThatGoesOverSeveralRowsIsOne) {
  ASSERT_EQ(run(), "done");
  const std::string line(200, 'x');
  say(line + "\r\nnext");
  EXPECT_EQ(output().text, line + "\nnext");
}

TEST_F(AgentTerminalTest, TheEndOfItsTextIsGivenAndThatItWasCutIsNotForgotten) {
  run_with_limit(4);
  say("1234");
  EXPECT_EQ(output().text, "1234");
  EXPECT_FALSE(output().truncated);
  say("5");
  EXPECT_EQ(output().text, "2345");
  EXPECT_TRUE(output().truncated);
  say("\x1b[2J\x1b[H");
  EXPECT_EQ(output().text, "");
  EXPECT_TRUE(output().truncated);
}

TEST_F(AgentTerminalTest, OfManyLinesAsManyAreKeptAsTheLimitHasBytes) {
  run_with_limit(1000);
  std::string all;
  for (int i = 0; i < 5000; ++i) all += std::to_string(i % 10) + "\r\n";
  say(all + "end");
  std::string expected;
  for (int i = 5000 - 499; i < 5000; ++i) expected += std::to_string(i % 10) + "\n";
  EXPECT_EQ(output().text, "\n" + expected.substr(2) + "end");
  EXPECT_TRUE(output().truncated);
}

TEST_F(AgentTerminalTest, WhatHadToMakeRoomWasCutAlsoWhereItWasBlank) {
  run_with_limit(10);
  say(std::string(10, '\n'));
  EXPECT_FALSE(output().truncated);
  say(std::string(100, '\n'));
  EXPECT_EQ(output().text, std::string(10, '\n'));
  EXPECT_TRUE(output().truncated);
}

TEST_F(AgentTerminalTest, WhatHadToMakeRoomIsNotForgottenWhileItsScreenIsParked) {
  run_with_limit(10);
  say(std::string(100, '\n'));
  pass(1min);
  EXPECT_EQ(output().text, std::string(10, '\n'));
  EXPECT_TRUE(output().truncated);
}

TEST_F(AgentTerminalTest, OfNoBytesEverythingIsCut) {
  run_with_limit(0);
  EXPECT_FALSE(output().truncated);
  say("x");
  EXPECT_EQ(output().text, "");
  EXPECT_TRUE(output().truncated);
}

TEST_F(AgentTerminalTest, AFullScreenProgramIsToldByWhatItLeaves) {
  ASSERT_EQ(run(), "done");
  say("before\r\n\x1b[?1049hfull screen");
  EXPECT_EQ(output().text, "before");
  say("\x1b[?1049lafter");
  EXPECT_EQ(output().text, "before\nafter");
}

// --- people

TEST_F(AgentTerminalTest, PeopleHearIt) {
  ASSERT_EQ(run(), "done");
  attach(people_);
  say("text");
  end();
  EXPECT_EQ(people_->output, "text");
  EXPECT_EQ(people_->events.back(), "exited");
}

TEST_F(AgentTerminalTest, PeopleDoNotDisturbIt) {
  ASSERT_EQ(run(), "done");
  attach(people_);
  EXPECT_EQ(told(ask(people_, Write{kProgramKey, "x"})), "denied");
  EXPECT_EQ(told(ask(people_, Resize{kProgramKey, {100, 30}})), "denied");
  EXPECT_EQ(told(ask(people_, Clear{kProgramKey})), "denied");
  EXPECT_EQ(told(ask(people_, Restart{kProgramKey, "/", {80, 24}, {}})), "denied");
  EXPECT_EQ(child().total_written, 0u);
  EXPECT_EQ(child().sizes.size(), 1u);
  EXPECT_EQ(launcher_->launches.size(), 1u);
}

TEST_F(AgentTerminalTest, OneThatTakesInputTakesItFromPeopleToo) {
  ASSERT_EQ(run(with_input()), "done");
  attach(people_);
  EXPECT_EQ(told(ask(people_, Write{kProgramKey, "yes\r"})), "done");
  EXPECT_EQ(child().written, "yes\r");
  EXPECT_EQ(told(ask(people_, Resize{kProgramKey, {100, 30}})), "done");
  EXPECT_EQ(told(ask(people_, Clear{kProgramKey})), "denied");
}

TEST_F(AgentTerminalTest, NoShellIsStartedAmongAgentsTerminals) {
  Open asked;
  asked.key = kProgramKey;
  asked.cwd = "/";
  EXPECT_EQ(told(ask(people_, asked)), "bad request");
  EXPECT_EQ(told(ask(people_, Restart{kProgramKey, "/", {80, 24}, {}})), "denied");
  auto elsewhere = plain();
  elsewhere.key = kKey;
  EXPECT_EQ(run(elsewhere), "bad request");
  EXPECT_THAT(launcher_->launches, IsEmpty());
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(AgentTerminalTest, WhoClosesItsTerminalEndsItAndWhoWaitsIsToldTheExit) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgramKey});
  later("close", Close{kProgramKey.thread_id, {}, false}, people_);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(answers_, IsEmpty());
  end({{}, 1});
  EXPECT_THAT(answers_, ElementsAre("wait: signal 1", "close: done"));
  EXPECT_THAT(all_answers(kProgramKey), Each("not found"));
  EXPECT_EQ(files(), 0u) << "nobody could come back to it";
}

// --- the server

TEST_F(AgentTerminalTest, TheEndOfTheServerEndsItAndAnswersWhoWaits) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgramKey});
  bool ended = false;
  sessions_->shutdown("the end", [&] { ended = true; });
  settle();
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(answers_, ElementsAre(AllOf(StartsWith("wait: failed"), HasSubstr("ending"))));
  end({{}, 1});
  EXPECT_TRUE(ended);
}

TEST_F(AgentTerminalTest, WhatIsPushedOutOfMemoryLeavesNoTranscript) {
  options_.retained_programs = 0;
  start_again();
  sessions_->add_viewer(agent_);
  ASSERT_EQ(run(), "done");
  end();
  EXPECT_THAT(all_answers(kProgramKey), Each("not found"));
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace ptyd
