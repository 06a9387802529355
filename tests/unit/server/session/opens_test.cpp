// Opening a terminal that the connection hears already, and output that is switched off and on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class OpensTest : public SessionTest {
 protected:
  Snapshot open_again(const std::string& after, std::optional<bool> stream_output = std::nullopt) {
    return open_as(someone_, asked(after, stream_output));
  }
  Open asked(const std::string& after, std::optional<bool> stream_output = std::nullopt) const {
    Open asked;
    asked.key = kKey;
    asked.cwd = "/";
    asked.attach = true;
    asked.after = after;
    asked.stream_output = stream_output;
    return asked;
  }
  void say(const std::string& text) {
    child().say(text);
    settle();
  }
  /// Output for a client on another connection that goes on from there.
  std::string from(const std::string& cursor) {
    auto other = viewer("other");
    const auto snapshot = reopen(other, cursor);
    settle();
    return snapshot.resumed ? other->output : "all of it: " + snapshot.history;
  }

  const std::shared_ptr<FakeViewer> someone_ = viewer("someone");
};

TEST_F(OpensTest, OfATerminalThatIsHeardGoesOnInPlaceAndNeverGoesBack) {
  open(someone_);
  say("one ");
  const auto after = someone_->last_cursor;
  say("two ");
  const auto again = open_again(after);
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(format_cursor(again.cursor), someone_->last_cursor);
  say("three");
  EXPECT_EQ(someone_->output, "one two three");
}

TEST_F(OpensTest, WhileOutputIsOnItsWayIsAnsweredBehindThatAndBeforeTheRest) {
  open(someone_);
  const auto after = someone_->last_cursor;
  someone_->takes = false;
  say("held ");
  say("not sent");
  std::string output_then, cursor_then;
  sessions_->submit(someone_, asked(after), [&](const Result<Reply>& reply) {
    output_then = someone_->output;
    cursor_then = format_cursor(std::get<Snapshot>(*reply).cursor);
  });
  settle();
  EXPECT_EQ(output_then, "held ");
  EXPECT_EQ(cursor_then, someone_->last_cursor);
  someone_->takes = true;
  someone_->take();
  settle();
  EXPECT_EQ(someone_->output, "held not sent");
}

TEST_F(OpensTest, AFloodIsReadOnceHoweverOftenItIsOpenedMeanwhile) {
  open(someone_);
  std::string text;
  for (int i = 0; i < 2000; i++) text += "line " + std::to_string(i) + "\r\n";
  for (std::size_t at = 0; at < text.size(); at += 1000) {
    child().say(text.substr(at, 1000));
    loops_.main().context().restart();
    for (int steps = 0; steps < 5; steps++) loops_.main().context().poll_one();
    EXPECT_TRUE(open_again(someone_->last_cursor).resumed);
  }
  settle();
  EXPECT_TRUE(someone_->output == text);
}

TEST_F(OpensTest, OfATerminalThatIsHeardGoesOnInPlaceWhateverHasLeftTheRing) {
  open(someone_);
  say("one ");
  const auto after = someone_->last_cursor;
  say(std::string(2 << 20, 'x'));
  ASSERT_FALSE(reopen(viewer("other"), after).resumed);
  someone_->output.clear();
  EXPECT_TRUE(open_again(after).resumed);
  say("three");
  EXPECT_EQ(someone_->output, "three");
}

TEST_F(OpensTest, OfATerminalThatIsHeardGoesOnInPlaceAlsoBehindAClear) {
  open(someone_);
  say("one ");
  const auto after = someone_->last_cursor;
  ASSERT_TRUE(ask(someone_, Clear{kKey}));
  settle();
  EXPECT_TRUE(open_again(after).resumed);
  say("two");
  EXPECT_EQ(someone_->output, "one two");
}

TEST_F(OpensTest, TheFirstOneOfAConnectionThatHearsAllGoesBackToWhereItsClientWas) {
  auto before = viewer("before");
  open(before);
  say("one ");
  const auto after = before->last_cursor;
  say("two ");
  ASSERT_TRUE(ask(someone_, Subscribe{}));
  settle();
  say("three");
  ASSERT_EQ(someone_->output, "three");
  someone_->output.clear();
  EXPECT_TRUE(open_again(after).resumed);
  settle();
  EXPECT_EQ(someone_->output, "two three");
}

TEST_F(OpensTest, OfAnEndedTerminalGoesOnInPlaceBelowTheNewShell) {
  open(someone_);
  say("old");
  child().exit({0, {}});
  settle();
  auto again = asked(someone_->last_cursor);
  again.attach = false;
  open_as(someone_, again);
  settle();
  EXPECT_THAT(someone_->events, ElementsAre("started", "output", "exited", "started"));
  EXPECT_EQ(someone_->output, "old");
}

// --- output that is switched off

TEST_F(OpensTest, WhatIsNotSentIsBehindNoCursor) {
  open(someone_);
  say("one ");
  const auto shown = someone_->last_cursor;
  open_again(shown, false);
  say("two ");
  say("\x1b]0;a title\a");
  ask(someone_, Resize{kKey, {90, 30}});
  settle();
  EXPECT_EQ(someone_->events.back(), "resized");
  EXPECT_EQ(someone_->last_cursor, shown);
  EXPECT_EQ(from(someone_->last_cursor), "two \x1b]0;a title\a");
}

TEST_F(OpensTest, WhereNothingWasPassedOverCursorsGoOn) {
  open(someone_);
  say("one ");
  open_again(someone_->last_cursor, false);
  ask(someone_, Resize{kKey, {90, 30}});
  settle();
  EXPECT_EQ(from(someone_->last_cursor), "");
}

TEST_F(OpensTest, WhoSwitchesItOnAgainIsSentWhatItMissed) {
  open(someone_);
  say("one ");
  open_again(someone_->last_cursor, false);
  say("two ");
  ask(someone_, Resize{kKey, {90, 30}});
  settle();
  EXPECT_TRUE(open_again(someone_->last_cursor, true).resumed);
  say("three");
  EXPECT_EQ(someone_->output, "one two three");
}

TEST_F(OpensTest, WhoSwitchesItOffAndOnWithOneCursorIsSentNothingTwice) {
  open(someone_);
  const auto after = someone_->last_cursor;
  say("one ");
  for (const bool on : {false, true}) open_again(after, on);
  say("two ");
  EXPECT_EQ(someone_->output, "one two ");
}

TEST_F(OpensTest, WhoHearsEventsOnlyHearsNoneTwice) {
  open(someone_);
  const auto after = someone_->last_cursor;
  open_again(after, false);
  say("unheard");
  ask(someone_, Resize{kKey, {90, 30}});
  settle();
  const auto again = open_again(after, false);
  settle();
  EXPECT_TRUE(again.resumed);
  EXPECT_EQ(format_cursor(again.cursor), after) << "the output behind it was not sent";
  EXPECT_THAT(someone_->events, ElementsAre("started", "resized"));
}

TEST_F(OpensTest, WhoSwitchesItOnWithoutACursorIsShownThePresentAndNothingOfWhatItMissed) {
  open(someone_);
  say("one ");
  open_again("", false);
  say("two");
  const auto again = open_again("", true);
  EXPECT_FALSE(again.resumed);
  EXPECT_EQ(again.history, "one two");
  EXPECT_EQ(someone_->output, "one ");
  say("three");
  EXPECT_EQ(someone_->output, "one three");
}

TEST_F(OpensTest, WhoSwitchesItOnIsToldOfWhatHappenedBeforeTheReplyAndOfNoOutput) {
  open(someone_);
  open_again("", false);
  someone_->takes = false;
  ask(someone_, Resize{kKey, {90, 30}});
  settle();
  const auto shown = someone_->last_cursor;
  say("missed");
  ask(someone_, Resize{kKey, {91, 30}});
  sessions_->submit(someone_, asked("", true), [](const Result<Reply>&) {});
  settle();
  someone_->take();
  settle();
  EXPECT_EQ(someone_->output, "");
  EXPECT_EQ(someone_->last_cursor, shown) << "the output before that was not sent";
}

TEST_F(OpensTest, AClearEndsWhatWasMissed) {
  open(someone_);
  open_again(someone_->last_cursor, false);
  say("missed");
  ASSERT_TRUE(ask(someone_, Clear{kKey}));
  settle();
  EXPECT_EQ(someone_->events.back(), "cleared");
  EXPECT_THAT(from(someone_->last_cursor), IsEmpty());
}

}  // namespace
}  // namespace ptyd
