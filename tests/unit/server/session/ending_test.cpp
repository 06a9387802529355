// The end of the server is not the end of what runs in its terminals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "tests/support/server/session/session_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A folder that is there before what keeps its files in it.
struct WithStateDir {
  test::TemporaryDirectory folder;
};

class EndingTest : private WithStateDir, public SessionTest {
 protected:
  EndingTest() : SessionTest(kept_in(folder)) {}

  static SessionOptions kept_in(const test::TemporaryDirectory& folder) {
    SessionOptions options;
    options.state_dir = folder.path();
    return options;
  }
  void end() {
    sessions_->shutdown("the end", [this] { ended_ = true; });
    until([this] { return ended_; }, "the server's end");
    settle();
  }
  Snapshot come_back(const std::shared_ptr<FakeViewer>& viewer, const std::string& after,
                     HistoryFormat format = HistoryFormat::screen) {
    Open asked;
    asked.key = kKey;
    asked.after = after;
    asked.history_format = format;
    return open_as(viewer, asked);
  }

  bool ended_ = false;
};

TEST_F(EndingTest, NobodyHearsThatProgramsEndSinceTheServerDoes) {
  auto someone = viewer(), other = viewer("other");
  open(someone);
  child().say("text");
  read(someone, "text");
  launcher_->last().at_hang_up.reset();
  sessions_->shutdown("the end", [this] { ended_ = true; });
  settle();
  EXPECT_EQ(child().hang_ups, 1);
  EXPECT_FALSE(ended_) << "it is waited for";
  child().say("exit\r\n");
  child().exit({{}, 1});
  until([this] { return ended_; }, "the server's end");
  settle();
  EXPECT_THAT(someone->events, ElementsAre("started", "output"));
  EXPECT_EQ(someone->output, "text");
  for (const auto& each : {someone, other}) {
    EXPECT_THAT(each->lifecycle, Contains(HasSubstr(R"("shutdown")")));
    EXPECT_THAT(each->lifecycle, Each(Not(HasSubstr(R"("exited")"))));
  }
}

TEST_F(EndingTest, AnExitBeforeTheEndIsHeard) {
  auto someone = viewer();
  open(someone);
  child().exit({3, {}});
  settle();
  end();
  EXPECT_EQ(someone->events.back(), "exited");
}

TEST_F(EndingTest, NothingIsStartedOrChangedAnyMore) {
  auto someone = viewer();
  open(someone);
  child().at_hang_up.reset();
  sessions_->shutdown("the end", [] {});
  settle();
  EXPECT_THAT(write(someone, "x").error().detail(), HasSubstr("ending"));
  EXPECT_THAT(ask(someone, Restart{kKey, "/", {80, 24}, {}}).error().detail(), HasSubstr("ending"));
  EXPECT_EQ(launcher_->launches.size(), 1u);
}

TEST_F(EndingTest, AnOpenThatWaitsForItsShellIsAnswered) {
  auto someone = viewer();
  launcher_->hold();
  Open asked;
  asked.key = kKey;
  asked.cwd = "/";
  std::string answer;
  sessions_->submit(someone, asked,
                    [&](const Result<Reply>& reply) { answer = reply ? "opened" : reply.error().detail(); });
  settle();
  end();
  EXPECT_THAT(answer, HasSubstr("ending")) << "though the launch hangs";
  launcher_->release();
  settle();
  EXPECT_TRUE(someone->events.empty()) << testing::PrintToString(someone->events);
}

TEST_F(EndingTest, WhoComesBackToTheNextServerGoesOnBelowTheOldTextAndHearsOfNoExit) {
  auto someone = viewer();
  open(someone);
  child().say("\x1b[?2004h\x1b]11;#aa0000\x1b\\old text");
  read(someone, "old text");
  start_again();
  auto back = viewer("back");
  const auto snapshot = come_back(back, someone->last_cursor);
  EXPECT_TRUE(snapshot.resumed);
  EXPECT_EQ(snapshot.status, Status::starting);
  until([&] { return !back->events.empty() && back->events.back() == "started"; }, "the new shell");
  EXPECT_THAT(back->events, ElementsAre("output", "started"));
  EXPECT_THAT(back->output, HasSubstr("\x1b[?2004l"));
  EXPECT_THAT(back->output, HasSubstr("\x1b]111\x1b\\"));
}

TEST_F(EndingTest, TheNextServersTerminalShowsTheOldTextAndNothingElseOfTheOldProgram) {
  open(viewer());
  child().say("\x1b[?2004h\x1b[>1u\x1b]11;#aa0000\x1b\\\x1b]0;title\aold text");
  read(viewers_.back(), "old text");
  start_again();
  const auto snapshot = come_back(viewer("new"), "");
  EXPECT_FALSE(snapshot.resumed);
  EXPECT_EQ(snapshot.status, Status::running);
  EXPECT_EQ(snapshot.history, "old text\r\n");
  EXPECT_EQ(snapshot.replay_preamble, "");
}

TEST_F(EndingTest, WhoDoesNotHearATerminalIsToldOfItsStartWithoutItsText) {
  open(viewer());
  child().say("old text");
  read(viewers_.back(), "old text");
  start_again();
  auto other = viewer("other"), opener = viewer("opener");
  come_back(opener, "");
  EXPECT_THAT(std::get<Started>(opener->all.front().body).snapshot.history, HasSubstr("old text"));
  EXPECT_THAT(other->lifecycle, ElementsAre(AllOf(HasSubstr(R"("started")"), HasSubstr(R"("history":"")"))));
}

TEST_F(EndingTest, AnEmptiedTerminalThatIsOpenedAgainHasNoHistory) {
  for (const auto format : {HistoryFormat::screen, HistoryFormat::raw}) {
    auto someone = viewer();
    open(someone);
    child().say("\x1b[?2004hsecret");
    read(someone, "secret");
    ASSERT_TRUE(ask(someone, Clear{kKey}));
    ASSERT_TRUE(ask(someone, Close{"t", "default", false}));
    EXPECT_EQ(come_back(viewer("new"), "", format).history, "");
    ASSERT_TRUE(ask(someone, Close{"t", "default", true}));
  }
}

TEST_F(EndingTest, WhoClearedAndComesBackToTheNextServerIsFreedOfTheOldModes) {
  auto someone = viewer();
  open(someone);
  child().say("\x1b[?2004htext");
  read(someone, "text");
  ASSERT_TRUE(ask(someone, Clear{kKey}));
  read(someone, "text\x1b[?2004h");
  start_again();
  auto back = viewer("back");
  EXPECT_TRUE(come_back(back, someone->last_cursor).resumed);
  read(back, "\x1b[?2004l");
}

}  // namespace
}  // namespace ptyd
