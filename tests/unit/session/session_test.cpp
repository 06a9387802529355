#include "server/session/session.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "server/session/input_queue.hpp"
#include "tests/support/session/session_bench.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const SessionKey kKey{"t", "default"};

class SessionTest : public SessionBench {
 protected:
  FakeChild& child() { return launcher_->last(); }
  Result<Reply> write(const std::shared_ptr<FakeViewer>& viewer, std::string data) { return ask(viewer, Write{kKey, std::move(data)}); }
  Snapshot reopen(const std::shared_ptr<FakeViewer>& viewer, std::string after) {
    Open asked;
    asked.key = kKey;
    asked.after = std::move(after);
    asked.attach = true;
    return open_as(viewer, asked);
  }
  void read(const std::shared_ptr<FakeViewer>& viewer, const std::string& text) {
    until([&] { return viewer->output.find(text) != std::string::npos; }, "output " + text.substr(0, 40));
  }
  void close(const std::shared_ptr<FakeViewer>& viewer) {
    for (const auto& feed : viewer->feeds) feed.cancel();
    sessions_->remove_viewer(viewer);
  }
};

// --- life ---------------------------------------------------------------------------------------------------------------

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
  for (const auto& each : {one, two}) sessions_->submit(each, asked, [&](const Result<Reply>& reply) { replies += reply ? 1 : 0; });
  settle();
  launcher_->release();
  until([&] { return replies == 2; }, "both replies");
  EXPECT_EQ(launcher_->launches.size(), 1u);
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
  EXPECT_EQ(ask(someone, Resize{kKey, {80, 24}}).error().detail(), "Terminal is not running for thread: t, terminal: default");
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
  EXPECT_THAT(someone->feeds, IsEmpty());
  EXPECT_EQ(write(someone, "x").error().detail(), "Unknown terminal thread: t, terminal: default");
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

TEST_F(SessionTest, ClosingWhatIsNotThereIsFine) { EXPECT_TRUE(ask(viewer(), Close{"x", "y", true})); }

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

// --- who hears what -------------------------------------------------------------------------------------------------------

TEST_F(SessionTest, OutputGoesToWhoOpenedItAndLifecycleToEverybody) {
  auto opener = viewer("opener"), other = viewer("other");
  open(opener);
  child().say("hello");
  read(opener, "hello");
  child().exit({0, {}});
  until([&] { return opener->events.back() == "exited"; }, "the exit");
  settle();
  EXPECT_EQ(other->output, "");
  EXPECT_EQ(other->lifecycle.size(), 2u);
}

TEST_F(SessionTest, WhoSubscribedToEverythingHearsOldAndNewSessions) {
  auto opener = viewer("opener"), listener = viewer("listener");
  open(opener, {"t", "old"});
  EXPECT_TRUE(ask(listener, Subscribe{}));
  settle();
  child().say("from the old");
  read(listener, "from the old");
  open(opener, {"t", "new"});
  child().say("from the new");
  read(listener, "from the new");
  EXPECT_THAT(listener->events, ElementsAre("output", "started", "output"));
}

TEST_F(SessionTest, StreamOutputFalseHearsEventsOnly) {
  auto someone = viewer();
  Open asked;
  asked.key = kKey;
  asked.stream_output = false;
  open_as(someone, asked);
  child().say("unheard");
  child().exit({0, {}});
  until([&] { return someone->events.back() == "exited"; }, "the exit");
  EXPECT_THAT(someone->events, ElementsAre("started", "exited"));
}

TEST_F(SessionTest, AQuestionForAViewerGoesToTheOneThatWroteLastAndIntoNoHistory) {
  auto one = viewer("one"), two = viewer("two");
  open(one);
  open(two);
  write(two, "x");
  child().say("before\x1b[6nafter");
  read(one, "after");
  read(two, "after");
  EXPECT_EQ(one->output, "beforeafter");
  EXPECT_EQ(two->output, "before\x1b[6nafter");
  EXPECT_EQ(open(viewer("three")).history, "beforeafter");
}

TEST_F(SessionTest, AQuestionTheServerKnowsIsAnsweredWithoutAnyViewer) {
  auto someone = viewer();
  open(someone);
  close(someone);
  settle();
  child().say("\x1b[5n");
  until([&] { return !child().written.empty(); }, "the answer");
  EXPECT_EQ(child().written, "\x1b[0n");
}

// --- input ----------------------------------------------------------------------------------------------------------------

TEST_F(SessionTest, WritesAndResizesArriveInOrder) {
  auto someone = viewer();
  open(someone);
  write(someone, "ab");
  ask(someone, Resize{kKey, {80, 24}});
  write(someone, "c");
  EXPECT_EQ(child().written, "abc");
  EXPECT_EQ(child().sizes.back(), (Size{80, 24}));
  EXPECT_EQ(child().resized_after.back(), 2u);
}

TEST_F(SessionTest, AChildThatDoesNotReadBlocksNobodyAndRefusesTheWriteThatIsTooMuch) {
  auto someone = viewer();
  open(someone);
  child().set_capacity(0);
  EXPECT_TRUE(write(someone, std::string(InputQueue::kLimit, 'x')));
  EXPECT_EQ(write(someone, "y").error().code(), Errc::busy);
  open(someone, {"t", "other"});
  EXPECT_TRUE(ask(someone, Write{{"t", "other"}, "z"}));
  launcher_->children[0]->set_capacity(FakeChild::kUnlimited);
  until([&] { return launcher_->children[0]->total_written == InputQueue::kLimit; }, "all input");
}

// --- cursors --------------------------------------------------------------------------------------------------------------

TEST_F(SessionTest, AViewerThatComesBackGetsExactlyWhatItMissed) {
  auto gone = viewer("gone"), keeper = viewer("keeper");
  open(keeper);
  open(gone);
  child().say("one ");
  read(gone, "one ");
  close(gone);
  child().say("two ");
  child().exit({5, {}});
  until([&] { return keeper->events.back() == "exited"; }, "the exit");
  auto back = viewer("back");
  const auto snapshot = reopen(back, gone->last_cursor);
  EXPECT_TRUE(snapshot.resumed);
  EXPECT_EQ(snapshot.history, "");
  until([&] { return !back->events.empty() && back->events.back() == "exited"; }, "the exit again");
  EXPECT_EQ(back->output, "two ");
  EXPECT_THAT(back->events, ElementsAre("output", "exited"));
}

TEST_F(SessionTest, ACursorOfAnotherLifeGetsAWholeSnapshot) {
  auto someone = viewer();
  open(someone);
  child().say("text");
  read(someone, "text");
  for (const auto* cursor : {"0000000000000000.0", "nonsense", "ffffffffffffffff.99999999"}) {
    const auto snapshot = reopen(viewer("back"), cursor);
    EXPECT_FALSE(snapshot.resumed) << cursor;
    EXPECT_EQ(snapshot.history, "text") << cursor;
  }
}

TEST_F(SessionTest, ACursorBeyondTheHeadGetsAWholeSnapshot) {
  auto someone = viewer();
  const auto first = open(someone);
  auto beyond = first.cursor;
  beyond.position += 1000;
  EXPECT_FALSE(reopen(viewer("back"), format_cursor(beyond)).resumed);
}

TEST_F(SessionTest, HoweverOftenAViewerIsCutItReadsEverythingOnce) {
  std::mt19937 random(20261120);
  auto keeper = viewer("keeper");
  open(keeper);
  // Single bytes of characters too, so that reads and cuts fall inside them.
  const std::vector<std::string> kPieces{"a", "é", "漢", "😀", "\r\n", "\x1b[1m", "\x1b", "\xf0", "\x9f", "\xc3"};
  std::string read_so_far, cursor;
  for (int round = 0; round < 60; round++) {
    auto someone = viewer("round" + std::to_string(round));
    someone->last_cursor = cursor;
    const auto snapshot = reopen(someone, cursor);
    if (!snapshot.resumed) read_so_far = snapshot.history;
    if (someone->last_cursor.empty()) someone->last_cursor = format_cursor(snapshot.cursor);
    std::string text;
    for (auto i = random() % 2000; i > 0; i--) text += kPieces[random() % kPieces.size()];
    child().say(text);
    // Cut anywhere: after some of the loop's work, not after all of it.
    loops_.main().context().restart();
    for (auto steps = random() % 30; steps > 0; steps--) loops_.main().context().poll_one();
    read_so_far += someone->output;
    cursor = someone->last_cursor;
    close(someone);
  }
  auto last = viewer("last");
  child().say("END\n");
  const auto snapshot = reopen(last, cursor);
  read(last, "END\n");
  EXPECT_TRUE(snapshot.resumed);
  EXPECT_EQ(read_so_far.size() + last->output.size(), keeper->output.size());
  EXPECT_TRUE(read_so_far + last->output == keeper->output);
}

TEST_F(SessionTest, ASnapshotTakesItsPlaceBehindWhatCameBeforeIt) {
  auto someone = viewer();
  open(someone);
  someone->takes = false;
  child().say("a");
  until([&] { return someone->output == "a"; }, "the first output");
  child().say("b");
  settle();
  bool replied = false;
  Open asked;
  asked.key = kKey;
  asked.cwd = "/";
  std::string history, output_then;
  sessions_->submit(someone, asked, [&](const Result<Reply>& reply) {
    replied = true;
    history = std::get<Snapshot>(*reply).history;
    output_then = someone->output;
  });
  settle();
  EXPECT_FALSE(replied);
  someone->takes = true;
  someone->take();
  until([&] { return replied; }, "the reply");
  EXPECT_EQ(history, "ab");
  EXPECT_EQ(output_then, "ab");
}

// --- flow -----------------------------------------------------------------------------------------------------------------

TEST_F(SessionTest, NoFrameIsLongerThanTheLimit) {
  auto someone = viewer();
  open(someone);
  someone->takes = false;
  child().say("x");
  until([&] { return someone->output == "x"; }, "the first output");
  child().say(std::string(flow::kMaxFrame * 2, 'y'));
  settle();
  someone->takes = true;
  someone->take();
  until([&] { return someone->output.size() == 1 + flow::kMaxFrame * 2; }, "everything");
  EXPECT_LE(someone->largest_frame, flow::kMaxFrame);
  EXPECT_GT(someone->largest_frame, flow::kMaxFrame / 2);
}

TEST_F(SessionTest, AViewerThatTakesNothingDoesNotKeepAnotherWaiting) {
  auto fast = viewer("fast"), stuck = viewer("stuck");
  open(fast);
  open(stuck);
  stuck->takes = false;
  const std::string text(3 << 20, 'x');
  child().say(text);
  until([&] { return fast->output.size() == text.size(); }, "all output at the fast viewer");
  EXPECT_LE(stuck->output.size(), flow::kMaxFrame);
}

TEST_F(SessionTest, AViewerThatFellTooFarBehindIsShownThePresentAndSaysSo) {
  auto fast = viewer("fast"), slow = viewer("slow");
  open(fast);
  open(slow);
  slow->takes = false;
  child().say(std::string(3 << 20, 'x') + "\nthe present");
  read(fast, "the present");
  slow->takes = true;
  slow->take();
  read(slow, "the present");
  EXPECT_LT(slow->output.size(), 200'000u);
  EXPECT_THAT(slow->output, HasSubstr("skipped"));
  child().say("\nand on");
  read(slow, "and on");
}

TEST_F(SessionTest, AViewerThatProvesNothingIsSentNoMoreThanItsWindow) {
  auto someone = viewer();
  open(someone);
  someone->proves = false;
  child().say(std::string(400'000, 'x'));
  until([&] { return child().unread() == 0; }, "the child not to be held for ever");
  settle();
  EXPECT_LE(someone->output.size(), flow::kInitialWindow);
}

TEST_F(SessionTest, ALosslessViewerLosesNothingHoweverSlowItIs) {
  auto recorder = viewer("recorder");
  Open asked;
  asked.key = kKey;
  asked.policy = DeliveryPolicy::lossless;
  open_as(recorder, asked);
  recorder->takes = false;
  std::string text;
  while (text.size() < (5u << 20)) text += "line " + std::to_string(text.size()) + "\n";
  child().say(text);
  settle();
  EXPECT_GT(child().unread(), 0u) << "the child should wait";
  recorder->takes = true;
  recorder->take();
  until([&] { return recorder->output.size() >= text.size(); }, "all output");
  EXPECT_TRUE(recorder->output == text);
}

// --- limits ---------------------------------------------------------------------------------------------------------------

class SessionLimits : public SessionBench {
 protected:
  static SessionManager::Options tight() {
    SessionManager::Options options;
    options.max_sessions = 3;
    options.max_sessions_per_thread = 2;
    options.retained_sessions = 2;
    return options;
  }
  SessionLimits() : SessionBench(tight()) {}
  Error refused(const std::shared_ptr<FakeViewer>& viewer, const SessionKey& key) {
    Open asked;
    asked.key = key;
    asked.cwd = "/";
    const auto reply = ask(viewer, asked);
    return reply ? Error(Errc::internal, "was opened") : reply.error();
  }
};

TEST_F(SessionLimits, TheServerAndEachThreadHaveSoManyTerminalsAndNotOneMore) {
  auto someone = viewer();
  open(someone, {"t", "1"});
  open(someone, {"t", "2"});
  EXPECT_THAT(refused(someone, {"t", "3"}).detail(), HasSubstr("in this thread, at most 2"));
  open(someone, {"u", "1"});
  EXPECT_THAT(refused(someone, {"v", "1"}).detail(), HasSubstr("on this server, at most 3"));
  EXPECT_EQ(refused(someone, {"v", "1"}).code(), Errc::limit);
  ask(someone, Close{"t", "1", false});
  open(someone, {"v", "1"});
}

TEST_F(SessionLimits, EndedTerminalsBeyondTheLimitLeaveMemoryTheOldestFirst) {
  auto someone = viewer();
  for (const auto* name : {"a", "b", "c"}) {
    open(someone, {"t", name});
    launcher_->last().exit({0, {}});
    until([&] { return someone->events.back() == "exited"; }, "the exit");
    someone->events.emplace_back("-");
  }
  settle();
  const auto list = std::get<TerminalList>(*ask(someone, List{"t"})).terminals;
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].key.terminal_id, "b");
  EXPECT_EQ(list[1].key.terminal_id, "c");
}

}  // namespace
}  // namespace ptyd
