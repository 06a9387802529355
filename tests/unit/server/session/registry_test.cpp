// The server counts what runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tests/support/server/session/kept_session_test.hpp"

namespace ptyd {
namespace {

using testing::HasSubstr;

const SessionKey kSecond{"u", "default"};

/// One terminal may run, and its Screen is parked; one that ended is remembered.
class RegistryTest : public KeptSessionTest {
 protected:
  RegistryTest() : KeptSessionTest(one_terminal()) {}
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
TEST_F(RegistryTest, AnOpenThatWaitsWhileItsChildEndsIsCountedAsAnyOther) {
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

TEST_F(RegistryTest, AShellThatAWaitingOpenHasStartedIsNotEndedAsOneThatHadEnded) {
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
  EXPECT_FALSE(someone_->feeds.empty());
}

TEST_F(RegistryTest, OfTwoOpensThatWaitWhileTheChildEndsTheSecondFindsTheShellOfTheFirst) {
  const auto first = begin_open(other_, kKey), second = begin_open(someone_, kKey);
  child().exit({0, {}});
  settle();
  ASSERT_TRUE(*first && **first && *second && **second);
  EXPECT_EQ(launcher_->launches.size(), 2u);
  EXPECT_EQ(std::get<Snapshot>(***first).pid, std::get<Snapshot>(***second).pid);
}

TEST_F(RegistryTest, AnOpenThatWaitsWhileItsTerminalIsClosedIsAnsweredOnce) {
  const auto opened = begin_open(someone_, kKey);
  child().exit({0, {}});
  ASSERT_TRUE(ask(other_, Close{kKey.thread_id, {}, false}));
  settle();
  EXPECT_TRUE(*opened);
  EXPECT_EQ(living(), 0u);
}

}  // namespace
}  // namespace ptyd
