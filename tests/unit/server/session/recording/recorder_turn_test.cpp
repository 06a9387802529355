// A turn is bounded in time.
#include "tests/support/server/session/recording/recorder_test.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "server/session/recording/inbox_reads.hpp"
#include "tests/support/server/loop/ticking_clock.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// Turns whose time is up at their second look at the clock.
class ShortTurnTest : public RecorderTest {
 protected:
  Recorder::Turn turn(Recorder& of) { return of.take(pty_, 16 << 10, {}, {clock_, 2ms}); }
  /// Turns until nothing waits; the last one.
  Recorder::Turn all(Recorder& of) {
    auto last = turn(of);
    while (last.waits) last = turn(of);
    return last;
  }
  static constexpr std::size_t kShort = 2 * TurnLimit::kBytesPerLook;

  TickingClock clock_{1ms};
};

TEST_F(ShortTurnTest, WhatATurnHasNoTimeForWaitsInTheInboxAndIsDrawnInTheNext) {
  const auto made = recorder(), at_once = recorder();
  const std::string text = slow_to_draw(10'000);
  print(*at_once, text);
  child_->say(text);
  const auto first = turn(*made);
  EXPECT_TRUE(first.waits);
  EXPECT_FALSE(first.drained);
  EXPECT_EQ(first.bytes, text.size());
  EXPECT_GT(first.kept, 0u);
  EXPECT_LE(first.kept, kShort + 64) << "the sequences before it";
  EXPECT_EQ(made->journal().inbox(), text.substr(first.kept)) << "received, and not consumed";
  all(*made);
  EXPECT_EQ(text_of(*made), text_of(*at_once));
  EXPECT_EQ(made->journal().read(first.begin, text.size()).bytes, text);
}

TEST_F(ShortTurnTest, NothingIsReadBeforeWhatWaitsIsDrawn) {
  const auto made = recorder();
  child_->say(slow_to_draw(10'000));
  turn(*made);
  child_->say("later");
  const auto reads = child_->reads;
  const auto last = all(*made);
  EXPECT_EQ(child_->reads, reads);
  EXPECT_FALSE(last.drained) << "nobody has looked";
  EXPECT_TRUE(turn(*made).bytes > 0);
}

TEST_F(ShortTurnTest, TheEndOfOutputIsToldAfterAllOfIt) {
  const auto made = recorder();
  child_->say(slow_to_draw(10'000) + "the end");
  child_->exit({0, {}});
  std::size_t turns = 0;
  for (auto one = turn(*made); !one.ended; one = turn(*made)) ASSERT_LT(++turns, 100u);
  EXPECT_GT(turns, 1u);
  EXPECT_NE(plain_snapshot(made->screen(), {}).find("the end"), std::string::npos);
  EXPECT_TRUE(made->journal().inbox().empty());
}

TEST_F(ShortTurnTest, WhatWaitsIsAnsweredAndNamedInItsTurn) {
  const auto made = recorder();
  child_->say("\x1b]2;old\a" + slow_to_draw(10'000) + "\x1b[6n\x1b]2;new\a");
  auto one = turn(*made);
  EXPECT_EQ(one.answers, "");
  EXPECT_EQ(made->title(), "old");
  std::string answers;
  while (one.waits) {
    one = turn(*made);
    answers += one.answers;
    EXPECT_EQ(one.bytes, 0u);
  }
  EXPECT_EQ(answers.substr(0, 2), "\x1b[");
  EXPECT_TRUE(one.title_changed);
  EXPECT_EQ(made->title(), "new");
}

TEST_F(ShortTurnTest, AnUnfinishedSequenceIsNoWorkThatWaits) {
  const auto made = recorder();
  child_->say(std::string(kShort, 'x') + "\x1b[3");
  const auto one = turn(*made);
  EXPECT_FALSE(one.waits);
  EXPECT_EQ(one.kept, kShort);
  child_->say("1mred");
  turn(*made);
  EXPECT_EQ(made->journal().read(made->journal().head() - 8, 8).bytes, "\x1b[31mred");
}

TEST_F(ShortTurnTest, NoCharacterIsCutWhereATurnEnds) {
  const auto made = recorder();
  std::string text = "x";
  while (text.size() < 10'000) text += "\xE4\xB8\x80";
  child_->say(text);
  EXPECT_EQ((turn(*made).kept - 1) % 3, 0u);
  all(*made);
  EXPECT_EQ(plain_snapshot(made->screen(), {}).find("\xEF\xBF\xBD"), std::string::npos);
}

TEST_F(ShortTurnTest, WhatWaitsComesAfterAClearAndNeverBelowAnotherChild) {
  const auto made = recorder();
  child_->say(slow_to_draw(10'000) + "\x1b[?2004hafter");
  turn(*made);
  made->clear();
  EXPECT_EQ(plain_snapshot(made->screen(), {}), "");
  all(*made);
  EXPECT_EQ(made->screen().mode(2004, false), true);
  child_->say(slow_to_draw(10'000));
  turn(*made);
  made->start_over();
  EXPECT_TRUE(made->journal().inbox().empty());
  child_->say("next");
  turn(*made);
  EXPECT_EQ(plain_snapshot(made->screen(), {}), "next");
}

TEST_F(ShortTurnTest, ASequenceWithoutEndIsPassedOnWhateverTheTime) {
  const auto made = recorder();
  child_->say(std::string(kShort, 'x') + "\x1b]2;" + std::string(Scanner::kMaxString + 5000, 't'));
  for (int i = 0; i < 10; ++i) turn(*made);
  child_->say("\aafter");
  for (int i = 0; i < 3; ++i) turn(*made);
  EXPECT_EQ(made->title(), "");
  const auto shown = plain_snapshot(made->screen(), {});
  EXPECT_EQ(shown.substr(shown.size() - 6), "xafter") << "nothing of the sequence is text";
}

TEST_F(ShortTurnTest, OrdinaryOutputIsNotWorthManyLooksAtTheClock) {
  const auto made = recorder();
  child_->say(std::string(16 << 10, 'x'));
  made->take(pty_, 16 << 10, {}, {clock_, 1h});
  EXPECT_LE(clock_.looks, 1 + 2 + (16 << 10) / static_cast<int>(TurnLimit::kBytesPerLook));
}

TEST_F(RecorderTest, ATurnEndsWithoutAReadOfWhatIsLeftOfItsBudget) {
  const auto made = recorder();
  child_->read_limit = kPtyRead;
  child_->say(std::string(20'000, 'x'));
  EXPECT_EQ(made->take(pty_, 16 << 10, {}).bytes, 4 * kPtyRead);
  EXPECT_EQ(child_->reads, 4u);
  EXPECT_EQ(made->take(pty_, 10, {}).bytes, 10u) << "a small budget is worth a read";
}

}  // namespace
}  // namespace ptyd
