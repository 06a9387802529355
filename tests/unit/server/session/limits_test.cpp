// How many sessions there may be.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(SessionLimits, ARestartedTerminalStillCountsAndOneThatCouldNotStartDoesNot) {
  auto someone = viewer();
  open(someone, {"t", "1"});
  ask(someone, Restart{{"t", "1"}, "/", {80, 24}, {}});
  launcher_->refuse(Error(Errc::spawn_failed, "no shell"));
  open(someone, {"t", "2"});
  launcher_->accept();
  open(someone, {"t", "3"});
  EXPECT_THAT(refused(someone, {"t", "4"}).detail(), HasSubstr("in this thread, at most 2"));
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
