// The Directory: opens that wait while a child ends, and terminals that are forgotten in their turn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "server/session/routing/directory.hpp"
#include "tests/support/server/session/context/fake_session_delegate.hpp"
#include "tests/support/server/session/kept_session_test.hpp"

namespace ptyd {
namespace {

using testing::HasSubstr;

const SessionKey kSecond{"u", "default"};

/// One terminal may run, and its Screen is parked; one that ended is remembered.
class DirectoryOpensTest : public KeptSessionTest {
 protected:
  DirectoryOpensTest() : KeptSessionTest(one_terminal()) {}
  static SessionOptions one_terminal() {
    SessionOptions options;
    options.max_sessions = 1;
    options.retained_sessions = 1;
    return options;
  }
  void SetUp() override {
    open(someone_);
    child().say("printed");
    for (int rounds = 0; rounds < 40 && count(".screen") == 0; rounds++) pass(std::chrono::milliseconds(500));
    ASSERT_EQ(count(".screen"), 1u);
  }
  /// An open of `key`; its answer, once there is one.
  std::shared_ptr<std::optional<Result<Reply>>> begin_open(const std::shared_ptr<FakeViewer>& viewer,
                                                           const SessionKey& key) {
    Open asked;
    asked.key = key;
    asked.cwd = "/";
    auto answer = std::make_shared<std::optional<Result<Reply>>>();
    sessions_->submit(viewer, asked, [answer](Result<Reply> reply) {
      EXPECT_FALSE(*answer) << "answered twice";
      answer->emplace(std::move(reply));
    });
    return answer;
  }
  std::size_t living() const {
    const auto& all = launcher_->children;
    const auto lives = [](const auto& each) { return !each->has_exited() && !each->destroyed; };
    return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), lives));
  }

  const std::shared_ptr<FakeViewer> someone_ = viewer("someone"), other_ = viewer("other");
};

/// The exit is read once the Screen is back, and the open that waits for that finds nothing that runs.
TEST_F(DirectoryOpensTest, AnOpenThatWaitsWhileItsChildEndsIsCountedAsAnyOther) {
  const auto opened = begin_open(someone_, kKey);
  child().exit({0, {}});
  settle();
  ASSERT_TRUE(*opened && **opened);
  EXPECT_THAT(someone_->events, testing::ElementsAre("started", "output", "exited", "started"));
  const auto second = begin_open(someone_, kSecond);
  settle();
  ASSERT_TRUE(*second);
  ASSERT_FALSE(**second) << living() << " run";
  EXPECT_THAT((*second)->error().detail(), HasSubstr("on this server, the limit is 1"));
  EXPECT_EQ(living(), 1u);
}

TEST_F(DirectoryOpensTest, AShellThatAWaitingOpenHasStartedIsNotEndedAsOneThatHadEnded) {
  begin_open(someone_, kKey);
  child().exit({0, {}});
  settle();
  const auto shell = launcher_->children.back();
  for (const auto* name : {"a", "b", "c"}) {
    begin_open(other_, {name, "default"});
    settle();
    if (launcher_->children.back() != shell) child().exit({0, {}});
    settle();
  }
  EXPECT_FALSE(shell->destroyed);
  EXPECT_FALSE(someone_->handles.empty());
}

TEST_F(DirectoryOpensTest, OfTwoOpensThatWaitWhileTheChildEndsTheSecondFindsTheShellOfTheFirst) {
  const auto first = begin_open(other_, kKey), second = begin_open(someone_, kKey);
  child().exit({0, {}});
  settle();
  ASSERT_TRUE(*first && **first && *second && **second);
  EXPECT_EQ(launcher_->launches.size(), 2u);
  EXPECT_EQ(std::get<Snapshot>(***first).pid, std::get<Snapshot>(***second).pid);
}

TEST_F(DirectoryOpensTest, AnOpenThatWaitsWhileItsTerminalIsClosedIsAnsweredOnce) {
  const auto opened = begin_open(someone_, kKey);
  child().exit({0, {}});
  ASSERT_TRUE(ask(other_, Close{kKey.thread_id, {}, false}));
  settle();
  EXPECT_TRUE(*opened);
  EXPECT_EQ(living(), 0u);
}

// --- forgetting

/// Hosts and a Directory without a SessionManager around them.
class DirectoryTest : public testing::Test {
 protected:
  DirectoryTest() {
    options_.retained_sessions = 0;
    auto launcher = std::make_unique<FakeLauncher>(loop_.context().get_executor());
    launcher_ = launcher.get();
    hosts_.push_back(std::make_unique<SessionHost>(loop_, std::move(launcher), settings_));
  }
  ~DirectoryTest() override {
    directory_.submit(nobody(), host(), Request(Close{kKey.thread_id, {}, false}), [] {});
    settle();
  }

  SessionHost& host() { return *hosts_.front(); }
  Caller nobody() {
    return Caller(loop_, nullptr, [](const Result<Reply>&) {});
  }
  void open(const SessionKey& key) {
    Open asked;
    asked.key = key;
    asked.cwd = "/";
    directory_.submit(nobody(), host(), Request(asked), [] {});
    settle();
  }
  void settle() {
    loop_.context().restart();
    while (loop_.context().poll_one() > 0) {
    }
  }

  test::TemporaryDirectory folder_;
  ManualClock clock_;
  Loop loop_{0, clock_};
  FakeSessionDelegate delegate_;
  BlockingPool files_{BlockingPool::Options{.threads = 0}};
  SessionOptions options_;
  HostSettings settings_{{}, {}, Store(folder_.path()), {}, files_, std::chrono::seconds(1), delegate_};
  FakeLauncher* launcher_ = nullptr;
  Directory::Hosts hosts_;
  Directory directory_{loop_, hosts_, options_, files_};
};

TEST_F(DirectoryTest, ALiveTerminalIsNotForgottenThoughANoticeCallsItEnded) {
  open(kKey);
  directory_.on_ended(kKey, 1);
  settle();
  EXPECT_FALSE(launcher_->last().destroyed);
  EXPECT_NE(host().find(kKey), nullptr);
  launcher_->last().exit({0, {}});
  settle();
  directory_.on_ended(kKey, 1);
  settle();
  EXPECT_EQ(host().find(kKey), nullptr);
}

TEST_F(DirectoryTest, ATerminalThatFailsIsForgottenInItsThreadsTurn) {
  const SessionKey fails{kKey.thread_id, "fails"};
  open(fails);
  launcher_->hold();
  open(kKey);
  ASSERT_FALSE(host().find(fails)->safely([] { throw std::runtime_error("a fault of ours"); }));
  directory_.on_failed(fails, "a fault of ours");
  settle();
  EXPECT_TRUE(launcher_->children.at(0)->destroyed) << "it is of no use to anybody";
  EXPECT_NE(host().find(fails), nullptr) << "an open of its thread is under way";
  launcher_->release();
  settle();
  EXPECT_EQ(host().find(fails), nullptr);
  EXPECT_THAT(delegate_.broadcasts, testing::Contains(HasSubstr("a fault of ours")));
}

/// The next owner of its file may be on another loop.
TEST_F(DirectoryTest, AForgottenTerminalHasLeftItsFileWhoeverStillHoldsIt) {
  open(kKey);
  const auto held = host().sessions().at(kKey);
  const auto incarnation = held->session_info().recorder.journal().incarnation();
  host().forget(kKey);
  {
    auto next = settings_.store.open(kKey);
    ASSERT_TRUE(next);
    EXPECT_EQ(next->incarnation(), incarnation) << "it was not closed in good order";
  }
  EXPECT_EQ(held.use_count(), 1) << "this test holds it, and nothing else does";
}

TEST_F(DirectoryTest, WhatIsWrittenToAFileIsTouchedByNoEarlierOwner) {
  open(kKey);
  auto held = host().sessions().at(kKey);
  host().forget(kKey);
  auto next = settings_.store.open(kKey);
  ASSERT_TRUE(next);
  next->append("of the next owner");
  next->commit();
  const auto incarnation = next->incarnation();
  held.reset();
  auto copy = std::filesystem::path(folder_.path() / "copy");
  std::filesystem::copy_file(settings_.store.file_of(kKey), copy);
  EXPECT_NE(Journal::open(copy)->incarnation(), incarnation) << "it is marked as closed, but is in use";
}

}  // namespace
}  // namespace ptyd
