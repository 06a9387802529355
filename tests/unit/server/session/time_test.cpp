// Actions of sessions because time has passed, at the edges of their limits.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "pty/process/activity.hpp"
#include "server/session/delivery/flow.hpp"
#include "server/session/session.hpp"
#include "tests/support/server/loop/ticking_clock.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// More than a journal holds, so that the child has to wait for a lossless viewer.
std::string long_text() {
  std::string text;
  while (text.size() < (3u << 20)) text += "line " + std::to_string(text.size()) + "\n";
  return text;
}

class LingerTest : public SessionTest {
 protected:
  Snapshot open_lossless(const std::shared_ptr<FakeViewer>& viewer, std::string after = {}) {
    Open asked;
    asked.key = kKey;
    asked.policy = DeliveryPolicy::lossless;
    asked.after = std::move(after);
    return open_as(viewer, asked);
  }
  /// A lossless viewer came and went, and the child has since printed until it had to wait. Gives the viewer's cursor.
  std::string leave_a_cursor(const std::string& text) {
    auto recorder = viewer("recorder");
    const auto opened = open_lossless(recorder);
    close(recorder);
    settle();
    child().say(text);
    settle();
    EXPECT_GT(child().unread(), 0u) << "the child should wait";
    return format_cursor(opened.cursor);
  }
};

TEST_F(LingerTest, AChildWaitsForALosslessViewerThatWentUntilTheVeryEnd) {
  leave_a_cursor(long_text());
  const auto unread = child().unread();
  pass(flow::kLinger - 1ms);
  EXPECT_EQ(child().unread(), unread);
}

TEST_F(LingerTest, AChildWaitsForALosslessViewerThatWentNoLongerThanPromised) {
  leave_a_cursor(long_text());
  pass(flow::kLinger);
  EXPECT_EQ(child().unread(), 0u);
}

TEST_F(LingerTest, ALosslessViewerThatComesBackInTheLastMomentHasLostNothing) {
  const auto text = long_text();
  const auto cursor = leave_a_cursor(text);
  pass(flow::kLinger - 1ms);
  auto back = viewer("back");
  EXPECT_TRUE(open_lossless(back, cursor).resumed);
  until([&] { return back->output.size() >= text.size(); }, "everything it missed");
  EXPECT_TRUE(back->output == text);
}

TEST_F(LingerTest, ALosslessViewerThatIsAwayWhileAWindowIsDraggedHasLostNothing) {
  const auto recorder = viewer("recorder"), page = viewer("page");
  const auto cursor = format_cursor(open_lossless(recorder).cursor);
  open(page);
  close(recorder);
  settle();
  std::string text;
  for (int i = 0; i < 2200; ++i) {
    ask(page, Resize{kKey, {static_cast<std::uint16_t>(80 + i % 100), 24}});
    text += "frame " + std::to_string(i) + "\n";
    child().say("frame " + std::to_string(i) + "\n");
    settle();
  }
  auto back = viewer("back");
  EXPECT_TRUE(open_lossless(back, cursor).resumed);
  until([&] { return back->output.size() >= text.size(); }, "everything it missed");
  EXPECT_TRUE(back->output == text);
}

TEST_F(LingerTest, ALosslessViewerThatComesBackTooLateIsShownThePresent) {
  const auto cursor = leave_a_cursor(long_text());
  pass(flow::kLinger);
  EXPECT_FALSE(open_lossless(viewer("back"), cursor).resumed);
}

TEST_F(LingerTest, APageThatComesBackFirstCostsARecorderNothing) {
  const auto text = long_text();
  const auto cursor = leave_a_cursor(text);
  EXPECT_TRUE(reopen(viewer("page"), cursor).resumed);
  settle();
  auto back = viewer("back");
  EXPECT_TRUE(open_lossless(back, cursor).resumed);
  until([&] { return back->output.size() >= text.size(); }, "everything it missed");
  EXPECT_TRUE(back->output == text);
}

/// A viewer that took everything, and nothing since, while the child prints on. Its line is known to be fast.
class PatienceTest : public SessionTest {
 protected:
  void SetUp() override {
    auto stuck = viewer("stuck");
    open(stuck);
    const auto text = long_text();
    child().say(text);
    until([&] { return stuck->output.size() == text.size(); }, "everything");
    stuck->takes = false;
    child().say(text);
    settle();
    ASSERT_GT(child().unread(), 0u) << "the child should wait";
  }
};

TEST_F(PatienceTest, AChildIsHeldForAsLongAsPatienceLasts) {
  const auto unread = child().unread();
  pass(flow::kPatience - 1ms);
  EXPECT_EQ(child().unread(), unread);
}

TEST_F(PatienceTest, AfterThatItMayGoOnByOneLeadAndWaitsAgain) {
  const auto unread = child().unread();
  pass(flow::kPatience);
  EXPECT_LT(child().unread(), unread);
  EXPECT_LE(unread - child().unread(), flow::kLead + Session::kTurn);
}

TEST_F(PatienceTest, AViewerThatTakesNothingIsNotWaitedForOnceItCountsAsStalled) {
  pass(flow::kStalled - 1ms);
  EXPECT_GT(child().unread(), 0u);
  pass(flow::kPatience);
  EXPECT_EQ(child().unread(), 0u);
}

class ShutdownTest : public SessionTest {
 protected:
  void shut_down() {
    sessions_->shutdown("the test ends", [this] { ended_ = true; });
    settle();
  }
  bool ended_ = false;
};

TEST_F(ShutdownTest, WaitsForAChildThatIgnoresHangUpsAndNoLongerThanPromised) {
  open(viewer());
  child().at_hang_up.reset();
  shut_down();
  pass(Child::kShutdownWait - 1ms);
  EXPECT_FALSE(ended_);
  pass(1ms);
  EXPECT_TRUE(ended_);
}

TEST_F(ShutdownTest, EndsWithTheLastChildWithoutAnyTimePassing) {
  open(viewer());
  shut_down();
  EXPECT_TRUE(ended_);
}

/// An agent's name was typed, and no such program is ever seen.
class AgentTest : public SessionTest {
 protected:
  void SetUp() override {
    open(someone_);
    settle();
    ASSERT_TRUE(write(someone_, "claude\r"));
    settle();
    ASSERT_EQ(agent(), "claude");
  }
  /// As it was told last.
  std::string agent() const {
    const auto* told = std::get_if<Activity>(&someone_->all.back().body);
    return told ? told->cli_kind : "nothing was told of it";
  }

  const std::shared_ptr<FakeViewer> someone_ = viewer();
};

TEST_F(AgentTest, IsBelievedInUntilItsGraceHasPassed) {
  pass(ActivityTracker::kInputGrace);
  EXPECT_EQ(agent(), "claude");
}

TEST_F(AgentTest, IsBelievedInNoLongerThanThat) {
  pass(ActivityTracker::kInputGrace + 1ms);
  EXPECT_EQ(agent(), "");
}

TEST_F(AgentTest, IsBelievedInForThatLongWhateverTheCalendarDoes) {
  for (const auto jump : {-1h, +2h}) {
    clock_.jump(jump);
    pass(ActivityTracker::kInputGrace / 2);
    EXPECT_EQ(agent(), "claude");
  }
  clock_.jump(-1h);
  pass(ActivityTracker::kIdlePoll);
  EXPECT_EQ(agent(), "");
}

TEST_F(SessionTest, AShellThatGoesElsewhereIsLookedAtWithoutANewProcess) {
  auto someone = viewer();
  open(someone);
  someone->lifecycle.clear();
  child().foreground = Foreground{"bash", "/etc"};
  child().say("$ ");
  settle();
  ASSERT_EQ(someone->lifecycle.size(), 1u);
  EXPECT_NE(someone->lifecycle[0].find(R"("process":"bash","cwd":"/etc")"), std::string::npos);
  pass(ActivityTracker::kBusyPoll);
  EXPECT_EQ(someone->lifecycle.size(), 1u) << "nothing has changed";
}

TEST_F(SessionTest, WhatIsToldOfAChangeCarriesTheTimeOfThatChange) {
  auto someone = viewer();
  const auto opened = open(someone);
  EXPECT_EQ(opened.updated_at, clock_.unix_now());
  pass(5s);
  child().exit({0, {}});
  until([&] { return !someone->events.empty() && someone->events.back() == "exited"; }, "the exit");
  EXPECT_EQ(someone->all.back().created_at, opened.updated_at + 5000);
  pass(7s);
  EXPECT_EQ(reopen(viewer("later"), "").updated_at, opened.updated_at + 5000);
}

/// Each look at the clock takes longer than a turn may.
struct WithTickingClock {
  TickingClock ticking_{2 * Session::kTurnTime};
};

class SlowDrawingTest : protected WithTickingClock, public SessionTest {
 protected:
  SlowDrawingTest() : SessionTest(ticking_) {}
};

TEST_F(SlowDrawingTest, AllThatAChildPrintedIsHeardBeforeItsExitHoweverManyTurnsItTakes) {
  auto someone = viewer();
  open(someone);
  std::string text;
  while (text.size() < 3 * Session::kTurn) text += "line " + std::to_string(text.size()) + "\r\n";
  child().say(text);
  child().exit({0, {}});
  until([&] { return !someone->events.empty() && someone->events.back() == "exited"; }, "the exit");
  EXPECT_TRUE(someone->output == text);
}

TEST_F(SlowDrawingTest, OthersHaveTheirTurnsBetweenThoseOfAChildThatPrintsMuch) {
  auto someone = viewer(), other = viewer("other");
  open(someone);
  auto& busy = child();
  open(other, {"t", "other"});
  busy.say(std::string(Session::kTurn, 'x'));
  child().say("hello");
  until([&] { return other->output == "hello"; }, "the other's output");
  EXPECT_LT(someone->output.size(), Session::kTurn);
  until([&] { return someone->output.size() == Session::kTurn; }, "all of it");
}

}  // namespace
}  // namespace ptyd
