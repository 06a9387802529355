// How many sessions there may be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "server/session/session.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

using testing::HasSubstr;

class SessionLimits : public SessionBench {
 protected:
  static SessionManager::Options tight() {
    SessionManager::Options options;
    options.max_sessions = 3;
    options.max_sessions_per_thread = 2;
    options.retained_sessions = 2;
    options.max_cells = 11'999;
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
  EXPECT_THAT(refused(someone, {"t", "3"}).detail(), HasSubstr("in this thread, the limit is 2"));
  open(someone, {"u", "1"});
  EXPECT_THAT(refused(someone, {"v", "1"}).detail(), HasSubstr("on this server, the limit is 3"));
  EXPECT_EQ(refused(someone, {"v", "1"}).code(), Errc::limit);
  ask(someone, Close{"t", "1", false});
  open(someone, {"v", "1"});
}

TEST_F(SessionLimits, ARestartedTerminalStillCountsAndOneThatCouldNotStartDoesNot) {
  auto someone = viewer();
  open(someone, {"t", "1"});
  ask(someone, Restart{{"t", "1"}, "/", {80, 24}, {}});
  launcher_->refuse(Error(Errc::spawn_failed, "no shell"));
  open(someone, {"t", "2"});
  launcher_->accept();
  open(someone, {"t", "3"});
  EXPECT_THAT(refused(someone, {"t", "4"}).detail(), HasSubstr("in this thread, the limit is 2"));
}

TEST_F(SessionLimits, ATerminalThatCouldNotStartIsCounted) {
  auto someone = viewer();
  launcher_->refuse(Error(Errc::spawn_failed, "no shell"));
  open(someone, {"t", "1"});
  launcher_->accept();
  open(someone, {"t", "2"});
  std::optional<SessionMetrics> metrics;
  sessions_->collect(loops_.main(), [&metrics](const SessionMetrics& sum) { metrics = sum; });
  until([&metrics] { return metrics.has_value(); }, "the numbers");
  EXPECT_EQ(metrics->failed_starts, 1u);
  EXPECT_EQ(metrics->sessions_started, 1u);
  EXPECT_EQ(metrics->journals_in_memory, 0u) << "nothing is kept on disk here";
}

/// The notice of an exit is behind the open that starts the next one.
TEST_F(SessionLimits, ATerminalThatIsOpenedWhileItsShellEndsCountsAsRunning) {
  auto someone = viewer();
  open(someone, {"t", "1"});
  launcher_->last().exit({0, {}});
  open(someone, {"t", "1"});
  settle();
  ASSERT_THAT(someone->events, testing::ElementsAre("started", "exited", "started"));
  open(someone, {"t", "2"});
  EXPECT_THAT(refused(someone, {"t", "3"}).detail(), HasSubstr("in this thread, the limit is 2"));
  launcher_->children.at(1)->exit({0, {}});
  settle();
  open(someone, {"t", "3"});
}

TEST_F(SessionLimits, AServerThatDrainsStartsNothingAndTellsHowManyTerminalsStillRun) {
  auto someone = viewer();
  open(someone, {"t", "1"});
  open(someone, {"t", "2"});
  open(someone, {"u", "1"});
  std::vector<std::size_t> told;
  sessions_->drain([&told](std::size_t running) {
    if (told.empty() || told.back() != running) told.push_back(running);
  });
  ask(someone, Close{"u", "1", false});
  EXPECT_EQ(refused(someone, {"u", "1"}).detail(), "The server is draining: it starts no terminals");
  EXPECT_EQ(refused(someone, {"u", "1"}).code(), Errc::limit);
  EXPECT_TRUE(ask(someone, Restart{{"t", "1"}, "/", {80, 24}, {}})) << "it runs already";
  EXPECT_TRUE(ask(someone, Write{{"t", "1"}, "go on"}));
  open(someone, {"t", "2"});  // to look at it
  launcher_->children.at(1)->exit({0, {}});
  settle();
  ask(someone, Close{"t", "1", false});
  EXPECT_THAT(told, testing::ElementsAre(3, 2, 1, 0));
  sessions_->drain(nullptr);
  open(someone, {"u", "1"});
  EXPECT_EQ(told.size(), 4u) << "nobody is told any more";
}

TEST_F(SessionLimits, AnOpenThatIsRefusedByItsTerminalLeavesItsPlace) {
  auto someone = viewer();
  open(someone, {"t", "1"});
  Open huge;
  huge.key = {"t", "2"};
  huge.cwd = "/";
  std::tie(huge.cols, huge.rows) = std::pair(2000, 1000);
  EXPECT_EQ(ask(someone, huge).error().code(), Errc::limit);
  open(someone, {"t", "2"});
}

TEST_F(SessionLimits, AllScreensTogetherHaveSoManyCellsAndNotOneMore) {
  auto someone = viewer();
  open(someone, {"t", "1"});  // 120 x 30
  EXPECT_TRUE(ask(someone, Resize{{"t", "1"}, {923, 13}}));
  const auto one_more = ask(someone, Resize{{"t", "1"}, {100, 120}});
  ASSERT_FALSE(one_more);
  EXPECT_EQ(one_more.error().code(), Errc::limit);
  EXPECT_THAT(one_more.error().detail(), HasSubstr("100 x 120 are 12000 cells"));
  EXPECT_THAT(one_more.error().detail(), HasSubstr("the limit is 11999"));
  EXPECT_EQ(launcher_->last().sizes.back(), (Size{923, 13})) << "it keeps its size";
  EXPECT_EQ(ask(someone, Restart{{"t", "1"}, "/", {100, 120}, {}}).error().code(), Errc::limit);
  EXPECT_EQ(launcher_->launches.size(), 1u) << "it keeps its shell";
  EXPECT_EQ(refused(someone, {"u", "1"}).code(), Errc::limit);
  EXPECT_TRUE(ask(someone, Close{"t", "1", false}));
  open(someone, {"u", "1"});
}

TEST_F(SessionLimits, AnOpenThatWouldMakeTooLargeARunningTerminalIsRefused) {
  auto someone = viewer();
  open(someone, {"t", "1"});
  Open larger;
  larger.key = {"t", "1"};
  larger.cwd = "/";
  std::tie(larger.cols, larger.rows) = std::pair(100, 120);
  EXPECT_EQ(ask(someone, larger).error().code(), Errc::limit);
  larger.attach = true;
  EXPECT_EQ(open_as(someone, larger).size, (Size{120, 30})) << "who attaches takes what there is";
}

TEST_F(SessionLimits, ATerminalHasSoManyViewersAndNotOneMore) {
  open(viewer("first"), {"t", "1"});
  for (std::size_t i = 1; i < Session::kMaxViewers; i++) open(viewer("viewer"), {"t", "1"});
  const auto error = refused(viewer("one more"), {"t", "1"});
  EXPECT_EQ(error.code(), Errc::limit);
  EXPECT_THAT(error.detail(), HasSubstr("256 connections hear this terminal, the limit is 256"));
  EXPECT_EQ(ask(viewers_.back(), Restart{{"t", "1"}, "/", {80, 24}, {}}).error().code(), Errc::limit);
  EXPECT_EQ(launcher_->launches.size(), 1u);
  open(viewers_.front(), {"t", "1"});
  for (const auto& handle : viewers_.front()->handles) handle.cancel();
  settle();
  open(viewers_.back(), {"t", "1"});
}

TEST_F(SessionLimits, ThoseThatMayOnlyViewHavePlacesOfTheirOwnAndTakeNoOthers) {
  open(viewer("first"), {"t", "1"});
  Open looks;
  looks.key = {"t", "1"};
  looks.attach = true;
  for (std::size_t i = 0; i < places(Access::view, Session::kMaxViewers); i++)
    open_as(viewer("onlooker", Access::view), looks);
  looks.cwd = "/";
  const auto refusal = ask(viewer("one more", Access::view), looks);
  ASSERT_FALSE(refusal);
  EXPECT_EQ(refusal.error().code(), Errc::limit);
  EXPECT_THAT(refusal.error().detail(),
              HasSubstr("128 connections that may only view hear this terminal, the limit is 128"));
  for (std::size_t i = 1; i < Session::kMaxViewers; i++) open(viewer("viewer"), {"t", "1"});
  EXPECT_EQ(refused(viewer("one more"), {"t", "1"}).code(), Errc::limit);
}

TEST_F(SessionLimits, ThoseThatMayOnlyViewAndHearEverythingTakeNoPlaceOfOthers) {
  for (std::size_t i = 0; i < Session::kMaxViewers; i++) {
    ask(viewer("onlooker", Access::view), Subscribe{});
    ask(viewer("listener"), Subscribe{});
  }
  settle();
  open(viewer("opener"), {"t", "1"});
  const auto hearing = [this](Access access) {
    return static_cast<std::size_t>(std::count_if(viewers_.begin(), viewers_.end(), [access](const auto& each) {
      return each->access() == access && !each->handles.empty();
    }));
  };
  EXPECT_EQ(hearing(Access::full), Session::kMaxViewers);
  EXPECT_EQ(hearing(Access::view), places(Access::view, Session::kMaxViewers));
}

TEST_F(SessionLimits, WhoHearsEverythingLeavesAPlaceForWhoOpensATerminal) {
  for (std::size_t i = 0; i < Session::kMaxViewers; i++) ask(viewer("listener"), Subscribe{});
  settle();
  auto opener = viewer("opener");
  open(opener, {"t", "1"});
  EXPECT_THAT(opener->events, testing::ElementsAre("started"));
  const auto hear =
      std::count_if(viewers_.begin(), viewers_.end(), [](const auto& each) { return !each->handles.empty(); });
  EXPECT_EQ(static_cast<std::size_t>(hear), Session::kMaxViewers);
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
