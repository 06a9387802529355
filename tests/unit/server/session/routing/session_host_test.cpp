// Events of the sessions of one loop for the rest of the server.
#include "server/session/routing/session_host.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/loop/blocking_pool.hpp"
#include "server/session/session.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/loop/ticking_clock.hpp"
#include "tests/support/server/session/context/fake_session_delegate.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const SessionKey kTerminal{"thread", "terminal"};

class SessionHostTest : public testing::Test {
 protected:
  SessionHostTest() : SessionHostTest(manual_clock_) {}
  explicit SessionHostTest(Clock& clock) : loop_{0, clock} {}
  ~SessionHostTest() override {
    for (const auto& key : opened_) host_.forget(key);
    settle();
  }

  void open(const SessionKey& key = kTerminal) {
    Open asked;
    asked.key = key;
    asked.cwd = "/";
    opened_.push_back(key);
    host_.find_or_make(key, [this, asked](const Result<std::shared_ptr<Session>>& made) {
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

  ManualClock manual_clock_;
  Loop loop_;
  FakeSessionDelegate delegate_;
  BlockingPool files_{BlockingPool::Options{.threads = 0}};
  HostSettings settings_{{}, {}, Store({}), {}, files_, std::chrono::seconds(1), delegate_};
  FakeLauncher* launcher_ = nullptr;
  SessionHost host_{loop_, made(launcher_, loop_), settings_};
  std::vector<SessionKey> opened_;
};

struct Ticking {
  TickingClock ticking_clock{std::chrono::milliseconds(1)};
};

/// Work of a millisecond and more is seen to have taken its time.
class SlowSessionHostTest : private Ticking, public SessionHostTest {
 protected:
  SlowSessionHostTest() : SessionHostTest(ticking_clock) {}

  /// Programs in the foreground that one turn of the loop tells of, at most, when the processes of all are looked at.
  std::size_t most_told_in_a_turn() {
    std::size_t most = 0;
    loop_.context().restart();
    ticking_clock.timers.advance(ActivityTracker::kBusyPoll);
    for (auto told = processes_told(); loop_.context().poll_one() > 0; told = processes_told())
      most = std::max(most, processes_told() - told);
    return most;
  }
  std::size_t processes_told() const {
    return static_cast<std::size_t>(
        std::count_if(delegate_.broadcasts.begin(), delegate_.broadcasts.end(),
                      [](const auto& each) { return each.find("\"process\"") != each.npos; }));
  }
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

TEST_F(SlowSessionHostTest, ProcessesOfManySessionsAreLookedAtInSeveralTurns) {
  constexpr std::size_t kSessions = 8;
  for (std::size_t n = 0; n < kSessions; ++n) {
    open({"thread", std::to_string(n)});
    launcher_->last().foreground = Foreground{"vi", "/"};
    launcher_->last().say("$ ");
  }
  EXPECT_LE(most_told_in_a_turn(), 2u);
  EXPECT_EQ(processes_told(), kSessions);
}

}  // namespace
}  // namespace ptyd
