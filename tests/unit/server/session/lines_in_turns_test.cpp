// A long scrollback of another width is laid out in turns before it is shown.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <string>

#include "server/session/recording/recorder.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

/// A terminal of 80 columns with a scrollback of which so much is laid out at a time that it takes three turns.
class LinesInTurnsTest : public SessionTest {
 protected:
  static constexpr std::size_t kLines = 4000, kLength = 300;
  static_assert(kLines * kLength > 2 * Recorder::kLaidOutAtOnce && kLines * kLength < 3 * Recorder::kLaidOutAtOnce);

  LinesInTurnsTest() {
    open(owner_);
    std::string text;
    for (std::size_t i = 0; i < kLines; ++i) text += std::to_string(i) + std::string(kLength, 'x') + "\r\n";
    child().say(text + "the end");
    until([&] { return owner_->output.ends_with("the end"); }, "all lines");
  }

  /// Opens it at another width; what is answered comes into `answer_`.
  void open_at(std::uint16_t columns) {
    Open asked;
    asked.key = kKey;
    asked.cwd = "/";
    asked.cols = columns;
    asked.rows = 24;
    sessions_->submit(viewer("back"), asked, [&](const Result<Reply>& reply) { answer_ = reply; });
  }
  const Snapshot& shown() {
    until([&] { return answer_.has_value(); }, "the answer");
    return std::get<Snapshot>(**answer_);
  }

  std::shared_ptr<FakeViewer> owner_ = viewer("owner");
  std::optional<Result<Reply>> answer_;
};

TEST_F(LinesInTurnsTest, OthersHaveTheirTurnsMeanwhile) {
  auto other = viewer("other");
  open(other, {"another", "default"});
  open_at(100);
  child().say("hello");
  until([&] { return other->output == "hello"; }, "the other's output");
  EXPECT_FALSE(answer_.has_value());
  EXPECT_EQ(shown().size.cols, 100);
  EXPECT_THAT(shown().history, testing::HasSubstr(std::to_string(kLines - 1000) + "xxx"));
  EXPECT_EQ(shown().history, reopen(viewer("next"), "").history);
}

TEST_F(LinesInTurnsTest, WhatIsTypedMeanwhileDoesNotWait) {
  open_at(100);
  EXPECT_TRUE(write(owner_, "typed"));
  EXPECT_FALSE(answer_.has_value());
  EXPECT_EQ(child().written, "typed");
  shown();
}

TEST_F(LinesInTurnsTest, AnotherSizeMeanwhileComesBehindIt) {
  open_at(100);
  EXPECT_TRUE(ask(owner_, Resize{kKey, {90, 30}}));
  EXPECT_EQ(shown().size.cols, 100);
  EXPECT_EQ(reopen(viewer("next"), "").size, (Size{90, 30}));
}

TEST_F(LinesInTurnsTest, ASnapshotAtAnotherWidthWaitsAsWell) {
  EXPECT_TRUE(ask(owner_, Resize{kKey, {100, 24}}));
  std::optional<Result<Reply>> taken;
  sessions_->submit(owner_, TakeSnapshot{kKey, SnapshotFormat::vt, {}},
                    [&](const Result<Reply>& reply) { taken = reply; });
  EXPECT_TRUE(write(owner_, "typed"));
  EXPECT_FALSE(taken.has_value());
  until([&] { return taken.has_value(); }, "the snapshot");
  EXPECT_THAT(std::get<ScreenSnapshot>(**taken).text.value_or(""), testing::HasSubstr("the end"));
}

TEST_F(LinesInTurnsTest, AScreenAloneWaitsForNothing) {
  EXPECT_TRUE(ask(owner_, Resize{kKey, {100, 24}}));
  const TakeSnapshot asked{kKey, SnapshotFormat::vt, 0};
  std::optional<Result<Reply>> taken;
  sessions_->submit(owner_, asked, [&](const Result<Reply>& reply) { taken = reply; });
  EXPECT_TRUE(write(owner_, "typed"));
  EXPECT_TRUE(taken.has_value());
}

TEST_F(LinesInTurnsTest, TheEndOfTheTerminalIsToldToThoseThatWait) {
  open_at(100);
  EXPECT_TRUE(ask(owner_, Close{kKey.thread_id, kKey.terminal_id}));
  until([&] { return answer_.has_value(); }, "the answer");
  EXPECT_FALSE(*answer_);
}

}  // namespace
}  // namespace ptyd
