// Events of the sessions of one loop for the rest of the server.
#include "server/session/routing/session_host.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <stdexcept>
#include <utility>

#include "server/loop/blocking_pool.hpp"
#include "server/session/session.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/context/fake_session_delegate.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const SessionKey kTerminal{"thread", "terminal"};

class SessionHostTest : public testing::Test {
 protected:
  ~SessionHostTest() override {
    host_.forget(kTerminal);
    settle();
  }

  void open() {
    Open asked;
    asked.key = kTerminal;
    asked.cwd = "/";
    host_.find_or_make(kTerminal, [this, asked](const Result<std::shared_ptr<Session>>& made) {
      (*made)->carry_out(Caller(loop_, nullptr, [](const Result<Reply>&) {}), Request(asked), [] {});
    });
    settle();
  }
  void settle() {
    loop_.context().restart();
    while (loop_.context().poll_one() > 0) {
    }
  }
  static std::unique_ptr<FakeLauncher> made(FakeLauncher*& seen, Loop& loop) {
    auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
    seen = launcher.get();
    return launcher;
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
  FakeSessionDelegate delegate_;
  BlockingPool files_{BlockingPool::Options{.threads = 0}};
  HostSettings settings_{{}, {}, Store({}), {}, files_, std::chrono::seconds(1), delegate_};
  FakeLauncher* launcher_ = nullptr;
  SessionHost host_{loop_, made(launcher_, loop_), settings_};
};

TEST_F(SessionHostTest, EverybodyIsToldOfAStartAndOfAnExit) {
  open();
  EXPECT_THAT(delegate_.broadcasts, ElementsAre(HasSubstr(R"("type":"started")")));
  EXPECT_THAT(delegate_.ended, IsEmpty());
  launcher_->last().exit({0, {}});
  settle();
  EXPECT_THAT(delegate_.broadcasts, ElementsAre(HasSubstr(R"("type":"started")"), HasSubstr(R"("type":"exited")")));
  EXPECT_THAT(delegate_.ended, ElementsAre(std::pair(kTerminal, LaunchNumber{1})));
}

TEST_F(SessionHostTest, AChildThatCouldNotStartHasEnded) {
  launcher_->refuse(Error(Errc::spawn_failed, "no such shell"));
  open();
  EXPECT_THAT(delegate_.broadcasts, ElementsAre(HasSubstr("no such shell")));
  EXPECT_THAT(delegate_.ended, ElementsAre(std::pair(kTerminal, LaunchNumber{1})));
}

TEST_F(SessionHostTest, WhatASessionThrowsIsToldAndEndsNothingElse) {
  open();
  EXPECT_FALSE(host_.find(kTerminal)->safely([] { throw std::runtime_error("a fault of ours"); }));
  ASSERT_EQ(delegate_.failed.size(), 1u);
  EXPECT_EQ(delegate_.failed[0].first, kTerminal);
  EXPECT_EQ(delegate_.failed[0].second, "a fault of ours");
  EXPECT_THAT(delegate_.ended, IsEmpty());
}

}  // namespace
}  // namespace ptyd
