// Cursors: coming back, falling behind, and what a viewer is sent.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "server/session/delivery/flow.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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

TEST_F(SessionTest, ASpinnerInTheTitleCostsNoTextThatCanBeResumed) {
  constexpr int kTitles = 2000;
  auto someone = viewer();
  open(someone);
  child().say("begin");
  read(someone, "begin");
  const auto cursor = someone->last_cursor;
  for (int i = 0; i < kTitles; i++) {
    child().say("\x1b]0;working " + std::to_string(i) + "\a");
    settle();
  }
  auto back = viewer("back");
  EXPECT_TRUE(reopen(back, cursor).resumed);
  read(back, "working " + std::to_string(kTitles - 1));
  EXPECT_THAT(back->output, testing::StartsWith("\x1b]0;working 0\a"));
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

// --- flow

TEST_F(SessionTest, NoFrameIsLongerThanTheLimit) {
  auto someone = viewer();
  open(someone);
  someone->takes = false;
  child().say("x");
  until([&] { return someone->output == "x"; }, "the first output");
  child().say(std::string(flow::kMaxFrame * 7, 'y'));
  settle();
  someone->takes = true;
  someone->take();
  until([&] { return someone->output.size() == 1 + flow::kMaxFrame * 7; }, "everything");
  EXPECT_LE(someone->largest_frame, flow::kMaxFrame);
  EXPECT_GT(someone->largest_frame, flow::kMaxFrame / 2);
}

std::string lines_of(std::size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += std::string(70, 'x') + "\r\n";
  return text;
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
  child().say(lines_of(3 << 20) + "the present");
  read(fast, "the present");
  slow->takes = true;
  slow->take();
  read(slow, "the present");
  EXPECT_LT(slow->output.size(), 200'000u);
  EXPECT_THAT(slow->output, HasSubstr("skipped"));
  child().say("\nand on");
  read(slow, "and on");
}

TEST_F(SessionTest, AViewerThatFellTooFarBehindHearsOfTheExit) {
  auto fast = viewer("fast"), slow = viewer("slow");
  open(fast);
  open(slow);
  slow->takes = false;
  child().say(std::string(3 << 20, 'x'));
  until([&] { return fast->output.size() == (3u << 20); }, "all output at the fast viewer");
  child().exit({0, {}});
  until([&] { return fast->events.back() == "exited"; }, "the exit");
  slow->takes = true;
  slow->take();
  until([&] { return slow->events.back() == "exited"; }, "the exit at the slow viewer");
  EXPECT_EQ(std::count(slow->events.begin(), slow->events.end(), "exited"), 1);
  EXPECT_THAT(slow->output, HasSubstr("skipped")) << "what it was shown in place of the output comes before the exit";
}

TEST_F(SessionTest, WhoeverClearsKeepsNobodyFromHearingOfTheExit) {
  auto other = viewer("other"), slow = viewer("slow");
  open(other);
  open(slow);
  slow->takes = false;
  child().say("a");
  read(slow, "a");
  child().exit({0, {}});
  until([&] { return other->events.back() == "exited"; }, "the exit");
  ask(other, Clear{kKey});
  slow->takes = true;
  slow->take();
  until([&] { return slow->events.back() == "cleared"; }, "the clear");
  EXPECT_EQ(std::count(slow->events.begin(), slow->events.end(), "exited"), 1);
}

TEST_F(SessionTest, AViewerThatAcksNothingIsSentNoMoreThanItsWindow) {
  auto someone = viewer();
  open(someone);
  someone->acks = false;
  child().say(std::string(400'000, 'x'));
  settle();
  EXPECT_GT(child().unread(), 0u);
  pass(flow::kStalled);
  until([&] { return child().unread() == 0; }, "the child not to be held for ever");
  settle();
  EXPECT_LE(someone->output.size(), flow::kMinWindow);
}

TEST_F(SessionTest, AnOpenIsAnsweredWithoutAnyAckAndBeginsCreditAfresh) {
  auto someone = viewer();
  open(someone);
  someone->acks = false;
  child().say(std::string(3 * flow::kMinWindow, 'x'));
  settle();
  EXPECT_LE(someone->output.size(), flow::kMinWindow);
  const auto again = open(someone);
  EXPECT_EQ(again.pid, child().pid);
  child().say("and on");
  read(someone, "and on");
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

TEST_F(SessionTest, ALosslessViewerLosesNothingAtTheExit) {
  auto recorder = viewer("recorder");
  Open asked;
  asked.key = kKey;
  asked.policy = DeliveryPolicy::lossless;
  open_as(recorder, asked);
  recorder->takes = false;
  std::string text;
  while (text.size() < (2u << 20)) text += "line " + std::to_string(text.size()) + "\n";
  child().say(text);
  settle();
  child().exit({0, {}});
  settle();
  EXPECT_GT(child().unread(), 0u) << "what would be lost is not read";
  recorder->takes = true;
  recorder->take();
  until([&] { return recorder->events.back() == "exited"; }, "the exit");
  EXPECT_TRUE(recorder->output == text);
}

}  // namespace
}  // namespace ptyd
