// Output of a child that was not read yet when its terminal or the server ends in good order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "server/session/session.hpp"
#include "tests/support/server/session/kept_session_test.hpp"

namespace ptyd {
namespace {

using testing::Contains;

class LastWordsTest : public KeptSessionTest {
 protected:
  static constexpr std::size_t kRing = 1 << 20;
  /// More than a child may be ahead of a client that takes nothing.
  static inline const std::string kText = std::string(flow::kLead + Session::kTurn, 'x');

  LastWordsTest() : KeptSessionTest(with_a_short_scrollback()) {}

  Snapshot open_lossless(const std::shared_ptr<FakeViewer>& viewer, std::string after = {}) {
    Open asked;
    asked.key = kKey;
    asked.policy = DeliveryPolicy::lossless;
    asked.hold = "recorder";
    asked.after = std::move(after);
    return open_as(viewer, asked);
  }
  /// A recorder came and went, and the child has printed until it had to wait: its first bytes for themselves, so that
  /// later turns begin there. Gives the recorder's cursor.
  std::string leave_a_cursor(const std::string& text, std::size_t first = 0) {
    auto recorder = viewer("recorder");
    const auto opened = open_lossless(recorder);
    close(recorder);
    settle();
    child().say(text.substr(0, first));
    settle();
    child().say(text.substr(first));
    settle();
    EXPECT_GT(child().unread(), 0u) << "the child should wait";
    EXPECT_LE(child().unread(), Session::kHeldByKernel) << "no more than the kernel holds";
    return format_cursor(opened.cursor);
  }
  /// The child waits for `someone`, who has heard "held" of it, with so much text. Gives the cursor behind that.
  std::string leave_unheard(const std::shared_ptr<FakeViewer>& someone, const std::string& text) {
    open(someone);
    someone->takes = false;
    child().say("held");
    settle();
    child().say(text);
    settle();
    EXPECT_GT(child().unread(), 0u) << "the child should wait";
    return someone->last_cursor;
  }
  /// Output that a client which was there until `cursor` gets when it comes back.
  std::string said_after(const std::string& cursor) {
    auto back = viewer("back");
    Open asked;
    asked.key = kKey;
    asked.after = cursor;
    EXPECT_TRUE(open_as(back, asked).resumed);
    settle();
    return back->output;
  }
  static SessionOptions with_a_short_scrollback() {
    SessionOptions options;
    options.screen.scrollback = 10;
    return options;
  }
  static std::string nearly_too_much() {
    std::string text;
    while (text.size() < kRing - (20 << 10)) text += "line " + std::to_string(text.size()) + "\r\n";
    return text;
  }
};

TEST_F(LastWordsTest, AreKeptForARecorderThatIsAway) {
  const auto text = nearly_too_much();
  const auto cursor = leave_a_cursor(text);
  start_again();
  auto back = viewer("back");
  EXPECT_TRUE(open_lossless(back, cursor).resumed);
  until([&] { return back->events.size() > 1 && back->events.back() == "started"; }, "the new shell");
  EXPECT_TRUE(back->output.starts_with(text)) << back->output.size() << " of " << text.size();
}

TEST_F(LastWordsTest, AreSaidToBeMissingWhereTheyWouldOverrunARecorder) {
  auto page = viewer("page");
  open(page);
  // The last turn begins right before a child is held, and leaves little more room than its end needs.
  constexpr auto kAtMost = kRing - Session::kTurn - Session::kRoomForMarks - Session::kHeldByKernel;
  leave_a_cursor(nearly_too_much(), kAtMost % Session::kTurn - 100);
  // Each takes a position of the journal.
  for (std::size_t i = 0; i < 2 * Session::kRoomForMarks; ++i)
    sessions_->submit(page, Resize{kKey, {120, static_cast<std::uint16_t>(30 + i % 2)}}, [](const Result<Reply>&) {});
  settle();
  EXPECT_THAT(page->events, testing::Not(Contains("warning")));
  start_again();
  EXPECT_EQ(page->events.back(), "warning");
}

TEST_F(LastWordsTest, AreHeardByAViewerForWhichTheChildWaited) {
  const auto cursor = leave_unheard(viewer("someone"), kText);
  start_again();
  EXPECT_TRUE(said_after(cursor).starts_with(kText));
}

TEST_F(LastWordsTest, AreKeptWhereTheTerminalIsClosed) {
  const auto someone = viewer("someone");
  const auto cursor = leave_unheard(someone, kText);
  ASSERT_TRUE(ask(someone, Close{kKey.thread_id, kKey.terminal_id, false}));
  EXPECT_TRUE(said_after(cursor).starts_with(kText));
}

TEST_F(LastWordsTest, OfAQuestionAreNotAnswered) {
  auto someone = viewer("someone");
  open(someone);
  someone->takes = false;
  child().say("held");
  settle();
  child().say(std::string(flow::kLead, 'x'));
  settle();
  ASSERT_EQ(child().unread(), 0u);
  child().say("\x1b[6n");
  settle();
  ASSERT_GT(child().unread(), 0u) << "the child should wait";
  child().at_hang_up.reset();
  sessions_->shutdown("the end", [] {});
  settle();
  EXPECT_EQ(child().unread(), 0u);
  EXPECT_EQ(child().written, "");
  child().exit({{}, 1});
  settle();
}

}  // namespace
}  // namespace ptyd
