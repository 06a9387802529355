#include "server/session/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(SessionTest, OpeningStartsAShellAndSaysSo) {
  auto someone = viewer();
  const auto snapshot = open(someone);
  EXPECT_EQ(snapshot.status, Status::running);
  EXPECT_EQ(snapshot.pid, child().pid);
  EXPECT_EQ(snapshot.size, (Size{120, 30}));
  EXPECT_EQ(snapshot.history, "");
  EXPECT_THAT(someone->events, ElementsAre("started"));
}

TEST_F(SessionTest, OpeningAgainIsTheSameShellAndNoEvent) {
  auto someone = viewer();
  open(someone);
  child().say("hello");
  read(someone, "hello");
  const auto again = open(someone);
  EXPECT_EQ(again.pid, child().pid);
  EXPECT_EQ(again.history, "hello");
  EXPECT_EQ(launcher_->launches.size(), 1u);
  EXPECT_THAT(someone->events, ElementsAre("started", "output"));
}

TEST_F(SessionTest, OpeningTwiceAtOnceStartsOneShell) {
  auto one = viewer("one"), two = viewer("two");
  launcher_->hold();
  Open asked;
  asked.key = kKey;
  asked.cwd = "/";
  int replies = 0;
  for (const auto& each : {one, two})
    sessions_->submit(each, asked, [&](const Result<Reply>& reply) { replies += reply ? 1 : 0; });
  settle();
  launcher_->release();
  until([&] { return replies == 2; }, "both replies");
  EXPECT_EQ(launcher_->launches.size(), 1u);
}

TEST_F(SessionTest, WhatIsTypedDoesNotWaitForTheOpenOfAnotherTerminalOfItsThread) {
  auto someone = viewer();
  open(someone);
  launcher_->hold();
  Open slow;
  slow.key = {kKey.thread_id, "slow"};
  slow.cwd = "/";
  bool opened = false;
  sessions_->submit(someone, slow, [&](const Result<Reply>&) { opened = true; });
  settle();
  EXPECT_TRUE(write(someone, "typed"));
  EXPECT_EQ(child().written, "typed");
  EXPECT_FALSE(opened);
  launcher_->release();
  until([&] { return opened; }, "the other");
}

TEST_F(SessionTest, WhatIsTypedComesAfterACloseThatWasAskedForBefore) {
  for (const auto& terminal : {std::optional<std::string>(), std::optional<std::string>(kKey.terminal_id)}) {
    auto someone = viewer();
    open(someone);
    sessions_->submit(someone, Close{kKey.thread_id, terminal, false}, [](const Result<Reply>&) {});
    const auto late = write(someone, "too late");
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code(), Errc::not_found);
    EXPECT_EQ(child().written, "");
  }
}

TEST_F(SessionTest, ADirectoryThatIsNoneIsRefusedBeforeAnythingStarts) {
  auto someone = viewer();
  Open asked;
  asked.key = kKey;
  asked.cwd = "/no/such/folder";
  const auto refused = ask(someone, asked);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Errc::bad_cwd);
  EXPECT_THAT(refused.error().detail(), HasSubstr("Terminal cwd does not exist: /no/such/folder"));
  EXPECT_THAT(launcher_->launches, IsEmpty());
}

TEST_F(SessionTest, AShellThatCannotStartIsAStatusAndAnEventNotAFailedRequest) {
  auto someone = viewer();
  launcher_->refuse(Error(Errc::spawn_failed, "no such shell. Tried shells: a, b."));
  const auto snapshot = open(someone);
  EXPECT_EQ(snapshot.status, Status::error);
  EXPECT_FALSE(snapshot.pid);
  ASSERT_THAT(someone->events, ElementsAre("error"));
  EXPECT_EQ(std::get<Failed>(someone->all[0].body).message, "no such shell. Tried shells: a, b.");
  EXPECT_EQ(write(someone, "x").error().code(), Errc::not_running);
}

TEST_F(SessionTest, EverythingAChildPrintedComesBeforeItsExit) {
  auto someone = viewer();
  open(someone);
  child().say(std::string(50'000, 'x') + "end");
  child().exit({3, {}});
  until([&] { return !someone->events.empty() && someone->events.back() == "exited"; }, "the exit");
  EXPECT_THAT(someone->events, ElementsAre("started", "output", "exited"));
  EXPECT_EQ(someone->output.size(), 50'003u);
  EXPECT_EQ(std::get<Exited>(someone->all.back().body).exit, (ExitStatus{3, {}}));
}

TEST_F(SessionTest, AnExitWaitsForOutputThatTheKernelStillHolds) {
  auto someone = viewer();
  open(someone);
  child().hold_output();
  child().exit({0, {}});
  settle();
  EXPECT_THAT(someone->events, ElementsAre("started"));
  child().say("late");
  child().end_output();
  until([&] { return someone->events.back() == "exited"; }, "the exit");
  EXPECT_EQ(someone->output, "late");
}

TEST_F(SessionTest, AfterTheExitWritesAreTakenSilentlyAndResizesRefused) {
  auto someone = viewer();
  open(someone);
  child().exit({0, {}});
  until([&] { return someone->events.back() == "exited"; }, "the exit");
  EXPECT_TRUE(write(someone, "x"));
  EXPECT_EQ(ask(someone, Resize{kKey, {80, 24}}).error().detail(),
            "Terminal is not running for thread: t, terminal: default");
}

TEST_F(SessionTest, OpeningAnExitedTerminalBeginsWithAnEmptyHistory) {
  auto someone = viewer();
  open(someone);
  child().say("old text");
  child().exit({0, {}});
  until([&] { return someone->events.back() == "exited"; }, "the exit");
  const auto snapshot = open(someone);
  EXPECT_EQ(snapshot.history, "");
  EXPECT_EQ(snapshot.status, Status::running);
  EXPECT_EQ(launcher_->launches.size(), 2u);
  EXPECT_THAT(someone->events, ElementsAre("started", "output", "exited", "started"));
}

TEST_F(SessionTest, AttachingToAnExitedTerminalShowsItAndStartsNothing) {
  auto someone = viewer(), other = viewer("other");
  open(someone);
  child().say("old text");
  child().exit({7, {}});
  until([&] { return someone->events.back() == "exited"; }, "the exit");
  const auto snapshot = reopen(other, "");
  EXPECT_EQ(snapshot.status, Status::exited);
  EXPECT_EQ(snapshot.exit, (ExitStatus{7, {}}));
  EXPECT_EQ(snapshot.history, "old text");
  EXPECT_EQ(launcher_->launches.size(), 1u);
}

TEST_F(SessionTest, AttachingWaitsForNoOtherOpenOfItsThread) {
  open(viewer());
  child().say("text");
  launcher_->hold();
  Open other;
  other.key = {kKey.thread_id, "other"};
  other.cwd = "/";
  sessions_->submit(viewer("opener"), other, [](const Result<Reply>&) {});
  settle();
  EXPECT_EQ(reopen(viewer("other"), "").history, "text");
  launcher_->release();
  settle();
}

TEST_F(SessionTest, AttachingToNothingIsRefused) {
  auto someone = viewer();
  Open asked;
  asked.key = kKey;
  asked.attach = true;
  EXPECT_EQ(ask(someone, asked).error().detail(), "Unknown terminal thread: t, terminal: default");
}

TEST_F(SessionTest, RestartSaysRestartedAndNeitherExitedNorStarted) {
  auto someone = viewer();
  open(someone);
  child().say("first");
  read(someone, "first");
  auto reply = ask(someone, Restart{kKey, "/", {90, 40}, {{"A", "b"}}});
  ASSERT_TRUE(reply);
  const auto snapshot = std::get<Snapshot>(*reply);
  EXPECT_EQ(snapshot.history, "");
  EXPECT_EQ(snapshot.size, (Size{90, 40}));
  EXPECT_THAT(someone->events, ElementsAre("started", "output", "restarted"));
  settle();
  EXPECT_TRUE(launcher_->children[0]->destroyed);
  EXPECT_FALSE(launcher_->children[1]->destroyed);
}

TEST_F(SessionTest, WhatAChildSaidLastBeforeARestartIsStillHeard) {
  auto someone = viewer();
  open(someone);
  child().say("last words");
  ask(someone, Restart{kKey, "/", {90, 40}, {}});
  EXPECT_EQ(someone->output, "last words");
}

TEST_F(SessionTest, ClosingIsSilentAndEndsTheChild) {
  auto someone = viewer();
  open(someone);
  const auto heard = someone->events;
  EXPECT_TRUE(ask(someone, Close{"t", "default", false}));
  settle();
  EXPECT_EQ(someone->events, heard);
  EXPECT_TRUE(child().destroyed);
  EXPECT_THAT(someone->handles, IsEmpty());
  EXPECT_EQ(write(someone, "x").error().detail(), "Unknown terminal thread: t, terminal: default");
}

TEST_F(SessionTest, HalfACharacterIsHeardWhenTheOutputEnds) {
  auto someone = viewer();
  open(someone);
  child().say("caf\xE9");
  settle();
  EXPECT_EQ(someone->output, "caf") << "more of it may come";
  child().exit({0, {}});
  settle();
  EXPECT_EQ(someone->output, "caf\xEF\xBF\xBD");
  EXPECT_EQ(someone->events.back(), "exited");
}

TEST_F(SessionTest, ClosingAThreadClosesAllItsTerminalsAndNoOther) {
  auto someone = viewer();
  open(someone, {"t", "a"});
  open(someone, {"t", "b"});
  open(someone, {"u", "a"});
  EXPECT_TRUE(ask(someone, Close{"t", std::nullopt, false}));
  const auto list = ask(someone, List{});
  ASSERT_EQ(std::get<TerminalList>(*list).terminals.size(), 1u);
  EXPECT_EQ(std::get<TerminalList>(*list).terminals[0].key, (SessionKey{"u", "a"}));
}

TEST_F(SessionTest, AChildThatSpeaksWhileItsTerminalIsClosedIsHeardUntilThen) {
  auto someone = viewer();
  open(someone);
  sessions_->submit(someone, Close{"t", "default", false}, [](const Result<Reply>&) {});
  child().say("just in time");
  child().exit({0, {}});
  settle();
  EXPECT_EQ(someone->output, "just in time");
  EXPECT_TRUE(child().destroyed);
}

TEST_F(SessionTest, TheEndOfTheOldChildDoesNotEndTheNewOne) {
  auto someone = viewer();
  open(someone);
  sessions_->submit(someone, Restart{kKey, "/", {80, 24}, {}}, [](const Result<Reply>&) {});
  launcher_->children[0]->exit({0, {}});
  settle();
  child().say("from the new one");
  read(someone, "from the new one");
  EXPECT_THAT(someone->events, ElementsAre("started", "restarted", "output"));
}

TEST_F(SessionTest, JobsOfAShellThatHasExitedRunOnUntilTheTerminalIsClosed) {
  auto someone = viewer();
  open(someone);
  exit_leaving_jobs(someone);
  EXPECT_FALSE(child().destroyed);
  EXPECT_EQ(child().hang_ups, 0);
  EXPECT_TRUE(ask(someone, Close{"t", "default", false}));
  settle();
  EXPECT_TRUE(child().destroyed);
}

TEST_F(SessionTest, JobsOfAShellThatHasExitedRunOnUntilTheTerminalIsRestarted) {
  auto someone = viewer();
  open(someone);
  exit_leaving_jobs(someone);
  EXPECT_TRUE(ask(someone, Restart{kKey, "/", {80, 24}, {}}));
  EXPECT_TRUE(launcher_->children.at(0)->destroyed);
  EXPECT_FALSE(launcher_->children.at(1)->destroyed);
}

TEST_F(SessionTest, ANewShellInAnExitedTerminalLeavesTheOldOnesJobsToTheClose) {
  auto someone = viewer();
  open(someone);
  exit_leaving_jobs(someone);
  open(someone);
  EXPECT_FALSE(launcher_->children.at(0)->destroyed);
  EXPECT_TRUE(ask(someone, Close{"t", "default", false}));
  settle();
  for (const auto& each : launcher_->children) EXPECT_TRUE(each->destroyed);
}

TEST_F(SessionTest, ExitedShellsThatLeftNobodyDoNotPileUp) {
  auto someone = viewer();
  for (int i = 0; i < 3; i++) {
    open(someone);
    child().exit({0, {}});
    until([&] { return someone->events.back() == "exited"; }, "the exit");
  }
  EXPECT_TRUE(launcher_->children.at(0)->destroyed);
  EXPECT_TRUE(launcher_->children.at(1)->destroyed);
}

TEST_F(SessionTest, TheServersEndEndsJobsOfExitedShellsToo) {
  auto someone = viewer();
  open(someone);
  exit_leaving_jobs(someone);
  bool done = false;
  sessions_->shutdown("ending", [&] { done = true; });
  until([&] { return done; }, "the end");
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(SessionTest, ClosingWhatIsNotThereIsFine) {
  EXPECT_TRUE(ask(viewer(), Close{"x", "y", true}));
}

TEST_F(SessionTest, ClearForgetsTheTextAndTellsEverybody) {
  auto someone = viewer(), other = viewer("other");
  open(someone);
  child().say("secret");
  read(someone, "secret");
  EXPECT_TRUE(ask(someone, Clear{kKey}));
  settle();
  EXPECT_EQ(someone->events.back(), "cleared");
  EXPECT_EQ(other->lifecycle.size(), 2u);  // started, cleared
  EXPECT_EQ(open(other).history, "");
  child().say("new");
  read(someone, "new");
  EXPECT_EQ(open(viewer("third")).history, "new");
}

TEST_F(SessionTest, ClearGivesTheProgramsModesBackToWhoClearedHisEmulator) {
  auto someone = viewer();
  open(someone);
  child().say("\x1b[?2004htext");
  read(someone, "text");
  someone->output.clear();
  ask(someone, Clear{kKey});
  read(someone, "\x1b[?2004h");
  EXPECT_THAT(someone->events, ElementsAre("started", "output", "cleared", "output"));
  const auto snapshot = open(viewer("other"));
  EXPECT_EQ(snapshot.history, "");
  EXPECT_THAT(snapshot.replay_preamble, HasSubstr("\x1b[?2004h"));
}

TEST_F(SessionTest, ANameIsToldToEverybodyAndInTheListUntilItIsTakenAway) {
  auto someone = viewer(), other = viewer("other");
  open(someone);
  other->lifecycle.clear();
  const auto name_in_list = [&] { return std::get<TerminalList>(*ask(someone, List{})).terminals.at(0).name; };
  for (const std::string name : {"build", ""}) {
    EXPECT_TRUE(ask(someone, Rename{kKey, name}));
    settle();
    ASSERT_EQ(other->lifecycle.size(), 1u);
    EXPECT_THAT(other->lifecycle[0], AllOf(HasSubstr(R"("type":"renamed")"), HasSubstr(R"("name":")" + name + '"')));
    EXPECT_EQ(name_in_list(), name);
    other->lifecycle.clear();
  }
}

TEST_F(SessionTest, OnlyATerminalThatWasOpenedHasAName) {
  EXPECT_EQ(ask(viewer(), Rename{kKey, "build"}).error().detail(), "Unknown terminal thread: t, terminal: default");
}

TEST_F(SessionTest, TheListTellsWhatRunsInTheForegroundAndWhere) {
  auto owner = viewer("owner");
  const auto started = open(owner);
  const auto listed = [&] { return std::get<TerminalList>(*ask(owner, List{})).terminals.at(0); };
  EXPECT_EQ(listed().process, "") << "nothing is known of it yet";
  EXPECT_EQ(listed().cwd, started.cwd);
  EXPECT_TRUE(listed().started_at);
  child().foreground = Foreground{"vim", "/srv/\xff"};
  EXPECT_EQ(listed().process, "vim");
  EXPECT_EQ(listed().cwd, "/srv/\uFFFD");
  child().exit({0, {}});
  until([&] { return owner->events.back() == "exited"; }, "the exit");
  EXPECT_EQ(listed().process, "");
  EXPECT_EQ(listed().cwd, started.cwd);
}

}  // namespace
}  // namespace ptyd
