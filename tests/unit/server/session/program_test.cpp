// Programs that agents run, from their Run to their Release and after it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/session/parking.hpp"
#include "server/session/program_run.hpp"
#include "tests/support/server/session/timed_session_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

const SessionKey kProgram{"acp/s1", "term_1"}, kOther{"acp/s1", "term_2"};
constexpr std::chrono::milliseconds kLinger{30000};

/// An answer in a word or two.
std::string told(const Result<Reply>& answer) {
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

/// There before what keeps its files in it, or goes by the clock.
struct WithFolderAndClock {
  test::TemporaryDirectory folder;
  ManualClock clock;
};

class ProgramTest : private WithFolderAndClock, public SessionTest {
 protected:
  ProgramTest() : SessionTest(kept_in(folder), 0, clock) {}

  static SessionOptions kept_in(const test::TemporaryDirectory& folder) {
    SessionOptions options;
    options.state_dir = folder.path();
    options.max_sessions_per_thread = 2;
    options.agent_linger = kLinger;
    return options;
  }
  static ptyd::Run plain(const SessionKey& key = kProgram) {
    ptyd::Run asked;
    asked.key = key;
    asked.command = "make";
    asked.args = {"all"};
    asked.cwd = "/";
    asked.size = {80, 24};
    return asked;
  }
  std::string run(const ptyd::Run& asked = plain()) { return told(ask(agent_, asked)); }
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
  ProgramOutput output(const SessionKey& key = kProgram) {
    auto answer = ask(agent_, ReadOutput{key});
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
    clock.advance(time);
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
    std::vector<std::string> all;
    for (const Command& command : {Command(ReadOutput{key}), Command(AwaitExit{key}), Command(Kill{key}),
                                   Command(Release{key}), Command(Pin{key})})
      all.push_back(told(ask(agent_, command)));
    return all;
  }
  Snapshot attach(const std::shared_ptr<FakeViewer>& viewer) {
    Open asked;
    asked.key = kProgram;
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

// --- starting

TEST_F(ProgramTest, ARunIsAnsweredWhenItsProgramRuns) {
  launcher_->hold();
  later("run", plain());
  EXPECT_THAT(answers_, IsEmpty());
  launcher_->release();
  settle();
  EXPECT_THAT(answers_, ElementsAre("run: done"));
}

TEST_F(ProgramTest, AProgramIsLaunchedAsAgentsWantIt) {
  ASSERT_EQ(run(), "done");
  const auto& spec = child().launched_with;
  EXPECT_EQ(spec.candidates.at(0), (Program{"make", {"all"}}));
  EXPECT_EQ(spec.cwd, "/");
  EXPECT_EQ(spec.size, (Size{80, 24}));
  EXPECT_TRUE(spec.null_input);
}

TEST_F(ProgramTest, AProgramThatTakesInputHasTheTerminalAsItsInput) {
  ASSERT_EQ(run(with_input()), "done");
  EXPECT_FALSE(child().launched_with.null_input);
}

TEST_F(ProgramTest, PeopleSeeItInTheList) {
  ASSERT_EQ(run(), "done");
  const auto all = list();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].key, kProgram);
  EXPECT_EQ(all[0].status, Status::running);
  EXPECT_EQ(all[0].command_line, "make all");
  EXPECT_FALSE(all[0].takes_input);
}

TEST_F(ProgramTest, WhatCannotBeStartedHasEndedAsAShellWouldSay) {
  ask(people_, Subscribe{});
  launcher_->refuse(Error(Errc::spawn_failed, "No such file or directory", ENOENT));
  EXPECT_EQ(run(), "done");
  settle();
  const auto read = output();
  EXPECT_THAT(read.text, HasSubstr("make"));
  EXPECT_EQ(std::count(read.text.begin(), read.text.end(), '\n'), 0);
  ASSERT_TRUE(read.exit);
  EXPECT_EQ(read.exit->code, 127);
  later("wait", AwaitExit{kProgram});
  later("kill", Kill{kProgram});
  EXPECT_THAT(answers_, ElementsAre("wait: exit 127", "kill: done"));
  EXPECT_THAT(people_->events, ElementsAre("output", "exited"));
  EXPECT_EQ(list().at(0).status, Status::exited);
}

TEST_F(ProgramTest, ADirectoryThatIsNoneIsAnErrorAndLeavesNothing) {
  auto asked = plain();
  asked.cwd = "/no/such/directory";
  EXPECT_EQ(run(asked), "bad cwd");
  EXPECT_THAT(launcher_->launches, IsEmpty());
  launcher_->refuse(Error(Errc::bad_cwd, "it went meanwhile"));
  EXPECT_EQ(run(), "bad cwd");
  settle();
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
  EXPECT_THAT(all_answers(kProgram), Each("not found"));
}

TEST_F(ProgramTest, ATerminalIsMadeForOneProgram) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(run(), "busy");
  end();
  EXPECT_EQ(run(), "busy");
  EXPECT_EQ(launcher_->launches.size(), 1u);
}

TEST_F(ProgramTest, ProgramsThatRunCountAsTerminals) {
  ASSERT_EQ(run(), "done");
  ASSERT_EQ(run(plain(kOther)), "done");
  const SessionKey third{kProgram.thread_id, "term_3"};
  EXPECT_EQ(run(plain(third)), "limit");
  end();
  EXPECT_EQ(run(plain(third)), "done");
}

TEST_F(ProgramTest, AProgramThatNeedsMoreCellsThanThereAreLeavesNothing) {
  auto asked = plain();
  asked.size = {65535, 65535};
  EXPECT_EQ(run(asked), "limit");
  settle();
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
}

TEST_F(ProgramTest, ATerminalOfAnotherSessionIsNotFound) {
  ASSERT_EQ(run(), "done");
  EXPECT_THAT(all_answers({"acp/s2", kProgram.terminal_id}), Each("not found"));
  EXPECT_THAT(all_answers(kOther), Each("not found"));
}

TEST_F(ProgramTest, OfAShellNothingIsToldAsOfAProgram) {
  open(people_);
  EXPECT_THAT(all_answers(kKey), Each("not found"));
  EXPECT_EQ(child().hang_ups, 0);
}

// --- what it has printed

TEST_F(ProgramTest, ItsTextIsReadAtAnyTimeAndItsExitWithItOnceItHasEnded) {
  ASSERT_EQ(run(), "done");
  EXPECT_EQ(output().text, "");
  say("10%\r20%\r\n\x1b[32mgreen\x1b[m\r\n\r\n");
  EXPECT_EQ(output().text, "20%\ngreen");
  EXPECT_FALSE(output().truncated);
  EXPECT_FALSE(output().exit);
  end({3, {}});
  ASSERT_TRUE(output().exit);
  EXPECT_EQ(output().exit->code, 3);
}

TEST_F(ProgramTest, ALineThatGoesOverSeveralRowsIsOne) {
  ASSERT_EQ(run(), "done");
  const std::string line(200, 'x');
  say(line + "\r\nnext");
  EXPECT_EQ(output().text, line + "\nnext");
}

TEST_F(ProgramTest, TheEndOfItsTextIsGivenAndThatItWasCutIsNotForgotten) {
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

TEST_F(ProgramTest, OfManyLinesAsManyAreKeptAsTheLimitHasBytes) {
  run_with_limit(1000);
  std::string all;
  for (int i = 0; i < 5000; ++i) all += std::to_string(i % 10) + "\r\n";
  say(all + "end");
  std::string expected;
  for (int i = 5000 - 499; i < 5000; ++i) expected += std::to_string(i % 10) + "\n";
  EXPECT_EQ(output().text, "\n" + expected.substr(2) + "end");
  EXPECT_TRUE(output().truncated);
}

TEST_F(ProgramTest, WhatHadToMakeRoomWasCutAlsoWhereItWasBlank) {
  run_with_limit(10);
  say(std::string(10, '\n'));
  EXPECT_FALSE(output().truncated);
  say(std::string(100, '\n'));
  EXPECT_EQ(output().text, "");
  EXPECT_TRUE(output().truncated);
}

TEST_F(ProgramTest, WhatHadToMakeRoomIsNotForgottenWhileItsScreenIsParked) {
  run_with_limit(10);
  say(std::string(100, '\n'));
  pass(1min);
  EXPECT_EQ(output().text, "");
  EXPECT_TRUE(output().truncated);
}

TEST_F(ProgramTest, OfNoBytesEverythingIsCut) {
  run_with_limit(0);
  EXPECT_FALSE(output().truncated);
  say("x");
  EXPECT_EQ(output().text, "");
  EXPECT_TRUE(output().truncated);
}

TEST_F(ProgramTest, AFullScreenProgramIsToldByWhatItLeaves) {
  ASSERT_EQ(run(), "done");
  say("before\r\n\x1b[?1049hfull screen");
  EXPECT_EQ(output().text, "before");
  say("\x1b[?1049lafter");
  EXPECT_EQ(output().text, "before\nafter");
}

// --- its end

TEST_F(ProgramTest, EverybodyWhoWaitsIsToldTheExitWhenAllIsRead) {
  ASSERT_EQ(run(), "done");
  later("first", AwaitExit{kProgram});
  later("second", AwaitExit{kProgram}, people_);
  child().hold_output();
  child().exit({7, {}});
  child().say("last words");
  settle();
  child().end_output();
  settle();
  EXPECT_THAT(answers_, ElementsAre("first: exit 7", "second: exit 7"));
  EXPECT_EQ(output().text, "last words");
  later("late", AwaitExit{kProgram});
  EXPECT_EQ(answers_.back(), "late: exit 7");
}

TEST_F(ProgramTest, AJobThatItLeavesDoesNotHoldBackItsEndAndRunsOn) {
  ASSERT_EQ(run(), "done");
  later("wait", AwaitExit{kProgram});
  child().leaves_jobs = true;
  end();
  EXPECT_THAT(answers_, ElementsAre("wait: exit 0"));
  EXPECT_EQ(child().hang_ups, 0);
  later("kill", Kill{kProgram});
  EXPECT_EQ(child().hang_ups, 1) << "until it is killed";
  EXPECT_EQ(answers_.back(), "kill: done");
}

TEST_F(ProgramTest, SoManyMayWaitAndNobodyMore) {
  ASSERT_EQ(run(), "done");
  for (std::size_t i = 0; i < ProgramRun::kMaxWaiting; ++i) later("wait", AwaitExit{kProgram});
  EXPECT_THAT(answers_, IsEmpty());
  later("more", AwaitExit{kProgram});
  EXPECT_THAT(answers_, ElementsAre("more: limit"));
  end();
  EXPECT_EQ(answers_.size(), ProgramRun::kMaxWaiting + 1);
}

TEST_F(ProgramTest, WhoHasGivenUpWaitingTakesNobodysPlace) {
  ASSERT_EQ(run(), "done");
  const Caller gives_up(loops_.main(), agent_, [](const Result<Reply>&) {});
  sessions_->submit(gives_up, AwaitExit{kProgram});
  for (std::size_t i = 1; i < ProgramRun::kMaxWaiting; ++i) later("wait", AwaitExit{kProgram});
  gives_up.reply(Error(Errc::internal, "given up"));
  later("more", AwaitExit{kProgram});
  EXPECT_THAT(answers_, IsEmpty());
  end();
  EXPECT_EQ(answers_.size(), ProgramRun::kMaxWaiting);
}

TEST_F(ProgramTest, AKillIsAnsweredWhenItHasEnded) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgram});
  later("kill", Kill{kProgram});
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(answers_, IsEmpty());
  end({{}, 9});
  EXPECT_THAT(answers_, ElementsAre("wait: signal 9", "kill: done"));
  EXPECT_EQ(output().exit->signal, 9) << "it is not released";
}

TEST_F(ProgramTest, AKillOfWhatDoesNotEndIsAnsweredAllTheSame) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgram});
  later("kill", Kill{kProgram});
  pass(Child::kShutdownWait - 1ms);
  EXPECT_THAT(answers_, IsEmpty());
  pass(1ms);
  EXPECT_THAT(answers_, ElementsAre("kill: done"));
  EXPECT_FALSE(output().exit);
  end({{}, 9});
  EXPECT_EQ(answers_.back(), "wait: signal 9");
}

TEST_F(ProgramTest, AKillThatComesBeforeItRunsIsCarriedOutThen) {
  launcher_->hold();
  later("run", plain());
  later("kill", Kill{kProgram});
  launcher_->release();
  settle();
  EXPECT_THAT(answers_, ElementsAre("run: done", "kill: done"));
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(ProgramTest, NeitherItsEndNorWhoWaitsForThatNeedsTheScreen) {
  EXPECT_TRUE(needs_screen(ReadOutput{kProgram}));
  for (const Command& command :
       {Command(AwaitExit{kProgram}), Command(Kill{kProgram}), Command(Release{kProgram}), Command(Pin{kProgram})})
    EXPECT_FALSE(needs_screen(command)) << command.index();
}

// --- its release

TEST_F(ProgramTest, AReleaseEndsItAnswersWhoWaitsFirstAndLeavesNothing) {
  ASSERT_EQ(run(), "done");
  EXPECT_GT(files(), 0u);
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgram});
  later("kill", Kill{kProgram});
  later("release", Release{kProgram});
  EXPECT_THAT(all_answers(kProgram), Each("not found")) << "from now on";
  EXPECT_THAT(answers_, IsEmpty());
  end({{}, 15});
  EXPECT_THAT(answers_, ElementsAre("wait: signal 15", "kill: done", "release: done"));
  EXPECT_THAT(all_answers(kProgram), Each("not found"));
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
  EXPECT_TRUE(child().destroyed);
}

TEST_F(ProgramTest, AReleaseOfOneThatHasEndedEndsItsJobs) {
  ASSERT_EQ(run(), "done");
  child().leaves_jobs = true;
  end();
  later("release", Release{kProgram});
  EXPECT_THAT(answers_, ElementsAre("release: done"));
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_TRUE(child().destroyed);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(ProgramTest, AReleaseOfWhatDoesNotEndIsAnsweredAllTheSame) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgram});
  later("release", Release{kProgram});
  pass(Child::kShutdownWait - 1ms);
  EXPECT_THAT(answers_, IsEmpty());
  pass(1ms);
  EXPECT_THAT(answers_, ElementsAre(StartsWith("wait: failed"), "release: done"));
  EXPECT_TRUE(child().destroyed);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(ProgramTest, PeopleWhoWatchReadOnForAWhileAfterItsRelease) {
  ASSERT_EQ(run(), "done");
  attach(people_);
  say("text");
  later("release", Release{kProgram});
  EXPECT_THAT(answers_, ElementsAre("release: done"));
  EXPECT_THAT(all_answers(kProgram), Each("not found"));
  pass(ProgramRun::kKeptForPeople - 1ms);
  ASSERT_EQ(list().size(), 1u);
  EXPECT_EQ(list()[0].status, Status::exited);
  EXPECT_THAT(attach(viewer("late")).history, HasSubstr("text"));
  pass(1ms);
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
  EXPECT_THAT(people_->feeds, IsEmpty());
}

TEST_F(ProgramTest, OneThatIsPinnedStaysForPeopleWhoeverWatches) {
  ASSERT_EQ(run(), "done");
  later("pin", Pin{kProgram});
  later("release", Release{kProgram});
  EXPECT_THAT(answers_, ElementsAre("pin: done", "release: done"));
  pass(ProgramRun::kKeptForPeople - 1ms);
  EXPECT_EQ(list().size(), 1u);
  pass(1ms);
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
}

TEST_F(ProgramTest, OneThatIsNeverReleasedIsForgottenLongAfterItsEnd) {
  ASSERT_EQ(run(), "done");
  pass(ProgramRun::kUnreleased);
  EXPECT_FALSE(output().exit) << "it may run for as long as it likes";
  end();
  pass(ProgramRun::kUnreleased - 1ms);
  EXPECT_TRUE(output().exit);
  pass(1ms);
  EXPECT_THAT(all_answers(kProgram), Each("not found"));
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
}

// --- whose it is

TEST_F(ProgramTest, WhenItsAgentHasGoneItIsEndedAfterAWhile) {
  ASSERT_EQ(run(), "done");
  leave(agent_);
  pass(kLinger - 1ms);
  EXPECT_EQ(child().hang_ups, 0);
  pass(1ms);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_TRUE(child().destroyed);
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_EQ(files(), 0u);
}

TEST_F(ProgramTest, WhoAsksForItInTimeKeepsIt) {
  ASSERT_EQ(run(), "done");
  leave(agent_);
  pass(kLinger - 1ms);
  auto back = viewer("back");
  later("pin", Pin{kProgram}, back);
  pass(kLinger);
  EXPECT_EQ(child().hang_ups, 0);
  leave(back);
  pass(kLinger - 1ms);
  EXPECT_EQ(child().hang_ups, 0);
  pass(1ms);
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(ProgramTest, ItRunsOnWhileOneIsLeftOfThoseWhoAskedForIt) {
  ASSERT_EQ(run(), "done");
  auto other = viewer("other");
  later("wait", AwaitExit{kProgram}, other);
  leave(agent_);
  pass(kLinger);
  EXPECT_EQ(child().hang_ups, 0);
  leave(other);
  pass(kLinger);
  EXPECT_EQ(child().hang_ups, 1);
}

TEST_F(ProgramTest, WhoOnlyWatchesDoesNotKeepIt) {
  ASSERT_EQ(run(), "done");
  attach(people_);
  leave(agent_);
  pass(kLinger);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_EQ(list().size(), 1u) << "but may read its end";
}

TEST_F(ProgramTest, AnAgentThatHasGoneBeforeItsProgramRanLeavesNothing) {
  launcher_->hold();
  later("run", plain());
  leave(agent_);
  launcher_->release();
  settle();
  pass(kLinger);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(ProgramTest, AProgramThatRunsAfterItsTimeIsEndedAtOnce) {
  launcher_->hold();
  later("run", plain());
  leave(agent_);
  pass(kLinger);
  launcher_->release();
  settle();
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(ProgramTest, AnAgentThatHasGoneBeforeItsTurnCameLeavesNothing) {
  sessions_->submit(agent_, plain(), [](const Result<Reply>&) {});
  leave(agent_);
  pass(kLinger);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(ProgramTest, AnEndedOneGoesWithItsAgentToo) {
  ASSERT_EQ(run(), "done");
  end();
  leave(agent_);
  pass(kLinger - 1ms);
  EXPECT_EQ(list().size(), 1u);
  pass(1ms);
  EXPECT_THAT(list(), IsEmpty());
}

// --- people

TEST_F(ProgramTest, PeopleHearIt) {
  ASSERT_EQ(run(), "done");
  attach(people_);
  say("text");
  end();
  EXPECT_EQ(people_->output, "text");
  EXPECT_EQ(people_->events.back(), "exited");
}

TEST_F(ProgramTest, PeopleDoNotDisturbIt) {
  ASSERT_EQ(run(), "done");
  attach(people_);
  EXPECT_EQ(told(ask(people_, Write{kProgram, "x"})), "denied");
  EXPECT_EQ(told(ask(people_, Resize{kProgram, {100, 30}})), "denied");
  EXPECT_EQ(told(ask(people_, Clear{kProgram})), "denied");
  EXPECT_EQ(told(ask(people_, Restart{kProgram, "/", {80, 24}, {}})), "denied");
  EXPECT_EQ(child().total_written, 0u);
  EXPECT_EQ(child().sizes.size(), 1u);
  EXPECT_EQ(launcher_->launches.size(), 1u);
}

TEST_F(ProgramTest, OneThatTakesInputTakesItFromPeopleToo) {
  ASSERT_EQ(run(with_input()), "done");
  attach(people_);
  EXPECT_EQ(told(ask(people_, Write{kProgram, "yes\r"})), "done");
  EXPECT_EQ(child().written, "yes\r");
  EXPECT_EQ(told(ask(people_, Resize{kProgram, {100, 30}})), "done");
  EXPECT_EQ(told(ask(people_, Clear{kProgram})), "denied");
}

TEST_F(ProgramTest, NoShellIsStartedAmongAgentsTerminals) {
  Open asked;
  asked.key = kProgram;
  asked.cwd = "/";
  EXPECT_EQ(told(ask(people_, asked)), "bad request");
  EXPECT_EQ(told(ask(people_, Restart{kProgram, "/", {80, 24}, {}})), "denied");
  auto elsewhere = plain();
  elsewhere.key = kKey;
  EXPECT_EQ(run(elsewhere), "bad request");
  EXPECT_THAT(launcher_->launches, IsEmpty());
  EXPECT_THAT(list(), IsEmpty());
}

TEST_F(ProgramTest, WhoClosesItsTerminalEndsItAndWhoWaitsIsToldTheExit) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgram});
  later("close", Close{kProgram.thread_id, {}, false}, people_);
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(answers_, IsEmpty());
  end({{}, 1});
  EXPECT_THAT(answers_, ElementsAre("wait: signal 1", "close: done"));
  EXPECT_THAT(all_answers(kProgram), Each("not found"));
  EXPECT_EQ(files(), 0u) << "nobody could come back to it";
}

// --- the server

TEST_F(ProgramTest, TheEndOfTheServerEndsItAndAnswersWhoWaits) {
  ASSERT_EQ(run(), "done");
  child().at_hang_up.reset();
  later("wait", AwaitExit{kProgram});
  bool ended = false;
  sessions_->shutdown("the end", [&] { ended = true; });
  settle();
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_THAT(answers_, ElementsAre(AllOf(StartsWith("wait: failed"), HasSubstr("ending"))));
  end({{}, 1});
  EXPECT_TRUE(ended);
}

TEST_F(ProgramTest, WhatIsPushedOutOfMemoryLeavesNoTranscript) {
  options_.retained_sessions = 0;
  start_again();
  sessions_->add_viewer(agent_);
  ASSERT_EQ(run(), "done");
  end();
  EXPECT_THAT(all_answers(kProgram), Each("not found"));
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace ptyd
