// A child from launch to launch, without a session.
#include "server/session/child/child.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class ChildTest : public testing::Test, private PtyObserver {
 protected:
  void launch() {
    LaunchSpec spec;
    spec.null_input = null_input_;
    child_.launch(++number_, launcher_, std::move(spec), [this](const Child::Outcome& how) {
      outcomes_.emplace_back(!how ? "discarded" : *how ? "started" : how->error().detail());
    });
  }
  void start() {
    launch();
    settle();
    ASSERT_EQ(child_.state(), ChildState::running);
  }
  void settle() {
    loop_.context().restart();
    loop_.context().poll();
  }
  /// Its shell ends, jobs of it run on, and all it printed has been read.
  void end_leaving_jobs(std::size_t index) {
    made(index).leaves_jobs = true;
    made(index).exit({0, {}});
    settle();
    read();
    ASSERT_TRUE(child_.end());
    settle();
  }
  void end_two_leaving_jobs() {
    for (const std::size_t index : {0, 1}) {
      start();
      end_leaving_jobs(index);
    }
  }
  FakeChild& made(std::size_t index) { return *launcher_.children.at(index); }
  /// Reads all there is, as a session does.
  std::string read() {
    std::string all;
    std::array<char, 64> space{};
    while (auto* pty = child_.to_read()) {
      const auto count = pty->read(space);
      if (!count) child_.on_output_ended();
      if (!count || *count == 0) break;
      all.append(space.data(), *count);
    }
    return all;
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
  FakeLauncher launcher_{loop_.context().get_executor()};
  Child child_{loop_, *this};
  LaunchNumber number_ = 0;
  bool null_input_ = false;
  std::vector<std::string> outcomes_;
  std::vector<std::string> told_;
  /// Done when the exit is told, inside that call.
  std::function<void()> at_exit_ = [] {};

 private:
  void on_readable() override { told_.emplace_back("readable"); }
  void on_writable() override { told_.emplace_back("writable"); }
  void on_processes_gone() override { told_.emplace_back("nobody left"); }
  void on_exit(ExitStatus) override {
    told_.emplace_back("exit");
    at_exit_();
  }
};

TEST_F(ChildTest, StartsAndRuns) {
  EXPECT_EQ(child_.state(), ChildState::blank);
  EXPECT_FALSE(child_.is_live());
  launch();
  EXPECT_EQ(child_.state(), ChildState::starting);
  EXPECT_TRUE(child_.is_live());
  EXPECT_FALSE(child_.pid());
  settle();
  EXPECT_EQ(child_.state(), ChildState::running);
  EXPECT_EQ(child_.pid(), made(0).pid);
  EXPECT_THAT(outcomes_, ElementsAre("started"));
  EXPECT_EQ(child_.number(), 1u);
}

TEST_F(ChildTest, SaysWhyItCouldNotStartAndMayBeLaunchedAgain) {
  launcher_.refuse(Error(Errc::spawn_failed, "no such shell"));
  launch();
  settle();
  EXPECT_EQ(child_.state(), ChildState::failed);
  EXPECT_EQ(child_.status(), Status::error);
  EXPECT_THAT(outcomes_, ElementsAre("no such shell"));
  launcher_.accept();
  start();
}

// --- the end

TEST_F(ChildTest, HasEndedWhenItIsGoneAndAllItPrintedWasRead) {
  start();
  made(0).hold_output();
  made(0).exit({3, {}});
  settle();
  EXPECT_THAT(told_, ElementsAre("exit", "nobody left"));
  EXPECT_TRUE(child_.is_gone());
  EXPECT_FALSE(child_.end()) << "the kernel may still hold what it printed";
  EXPECT_EQ(child_.state(), ChildState::running);
  made(0).say("late");
  made(0).end_output();
  EXPECT_EQ(read(), "late");
  EXPECT_TRUE(child_.end());
  EXPECT_EQ(child_.state(), ChildState::ended);
  EXPECT_EQ(child_.exit(), (ExitStatus{3, {}}));
  EXPECT_EQ(child_.to_read(), nullptr);
  EXPECT_FALSE(child_.end()) << "it ends once";
}

TEST_F(ChildTest, ItsPtyOutlivesTheCallThatToldTheEnd) {
  start();
  child_.watch_readable();
  at_exit_ = [this] {
    read();
    EXPECT_TRUE(child_.end());
    EXPECT_FALSE(made(0).destroyed);
  };
  made(0).exit({0, {}});
  settle();
  EXPECT_TRUE(made(0).destroyed);
  EXPECT_THAT(told_, ElementsAre("exit", "nobody left")) << "the notice that there was something to read came too late";
}

TEST_F(ChildTest, TheLateEndOfOneNeverTouchesTheNext) {
  start();
  child_.watch_readable();
  made(0).say("unread");
  made(0).exit({1, {}});
  child_.discard();
  EXPECT_TRUE(made(0).destroyed);
  start();
  EXPECT_THAT(told_, IsEmpty());
  EXPECT_FALSE(child_.is_gone());
  EXPECT_EQ(child_.pid(), made(1).pid);
}

TEST_F(ChildTest, ALaunchThatWasDiscardedIsAnsweredAndItsChildEnds) {
  launcher_.hold();
  launch();
  child_.discard();
  launch();
  launcher_.release();
  settle();
  EXPECT_THAT(outcomes_, ElementsAre("discarded", "started"));
  EXPECT_TRUE(made(0).destroyed);
  EXPECT_EQ(child_.pid(), made(1).pid);
}

TEST_F(ChildTest, WhoWaitsForALaunchIsToldThatItWasDiscardedThoughItHangs) {
  launcher_.hold();
  for (const auto& end : std::vector<std::function<void()>>{[&] { child_.discard(); }, [&] { child_.close(); },
                                                            [&] { child_.shut_down([] {}); }}) {
    outcomes_.clear();
    launch();
    end();
    EXPECT_THAT(outcomes_, IsEmpty()) << "in a later turn";
    settle();
    EXPECT_THAT(outcomes_, ElementsAre("discarded"));
  }
  launcher_.release();
  settle();
  EXPECT_THAT(outcomes_, ElementsAre("discarded"));
  for (const auto& each : launcher_.children) EXPECT_TRUE(each->destroyed);
}

TEST_F(ChildTest, NothingIsHeardOfAClosedOne) {
  launcher_.hold();
  launch();
  child_.close();
  launcher_.release();
  settle();
  EXPECT_EQ(child_.state(), ChildState::closed);
  EXPECT_THAT(outcomes_, ElementsAre("discarded"));
  EXPECT_TRUE(made(0).destroyed);
}

// --- jobs that outlive their shell

TEST_F(ChildTest, JobsOfAnEarlierOneRunOnBesideTheNext) {
  start();
  end_leaving_jobs(0);
  EXPECT_FALSE(made(0).destroyed);
  start();
  EXPECT_FALSE(made(0).destroyed);
  EXPECT_EQ(made(0).hang_ups, 0);
  EXPECT_EQ(child_.pid(), made(1).pid);
}

TEST_F(ChildTest, DiscardedItTakesTheJobsOfAllEarlierOnesAlong) {
  end_two_leaving_jobs();
  start();
  child_.discard();
  for (const auto& each : launcher_.children) EXPECT_TRUE(each->destroyed);
}

TEST_F(ChildTest, ShutDownHangsUpTheJobsOfEarlierOnesThoughNoneRuns) {
  start();
  end_leaving_jobs(0);
  bool gone = false;
  child_.shut_down([&] { gone = true; });
  EXPECT_EQ(made(0).hang_ups, 1);
  EXPECT_TRUE(gone);
}

TEST_F(ChildTest, AnEarlierOneIsForgottenOnceItsJobsAreGone) {
  start();
  end_leaving_jobs(0);
  made(0).leaves_jobs = false;
  start();
  end_leaving_jobs(1);
  EXPECT_TRUE(made(0).destroyed);
  EXPECT_FALSE(made(1).destroyed);
}

// --- a program without a controlling terminal

TEST_F(ChildTest, WhatAProgramWithoutInputLeftBehindIsReadOnAfterItsEnd) {
  null_input_ = true;
  start();
  end_leaving_jobs(0);
  EXPECT_EQ(child_.state(), ChildState::ended);
  EXPECT_EQ(child_.pid(), std::nullopt);
  made(0).say("later");
  EXPECT_EQ(read(), "later");
  EXPECT_FALSE(child_.end()) << "it has ended already";
  made(0).end_jobs();
  EXPECT_EQ(read(), "");
  EXPECT_FALSE(child_.end());
  settle();
  EXPECT_EQ(child_.to_read(), nullptr);
  EXPECT_TRUE(made(0).destroyed);
  EXPECT_EQ(told_.back(), "nobody left");
}

TEST_F(ChildTest, ThatNobodyIsLeftIsToldOfAllLaunchesTogether) {
  end_two_leaving_jobs();
  told_.clear();
  made(1).end_jobs();
  settle();
  EXPECT_TRUE(told_.empty());
  EXPECT_TRUE(child_.has_processes());
  made(0).end_jobs();
  settle();
  EXPECT_EQ(told_, std::vector<std::string>{"nobody left"});
  EXPECT_FALSE(child_.has_processes());
}

TEST_F(ChildTest, ShutDownDoesNotWaitForWhatPrintsOn) {
  null_input_ = true;
  start();
  end_leaving_jobs(0);
  bool gone = false;
  child_.shut_down([&] { gone = true; });
  EXPECT_EQ(made(0).hang_ups, 1);
  EXPECT_TRUE(gone);
}

// --- shutting down

TEST_F(ChildTest, OfItsEndByTheServersNobodyIsToldButWhoWaitsForIt) {
  start();
  child_.watch_readable();
  made(0).at_hang_up.reset();
  made(0).say("unread");
  bool gone = false;
  child_.shut_down([&] { gone = true; });
  EXPECT_EQ(made(0).hang_ups, 1);
  EXPECT_EQ(child_.to_read(), nullptr);
  made(0).say(std::string(100'000, 'x'));
  settle();
  EXPECT_EQ(made(0).unread(), 0u) << "a full terminal would keep it from ending";
  EXPECT_FALSE(gone);
  made(0).hold_output();
  made(0).exit({{}, 1});
  settle();
  EXPECT_FALSE(gone) << "what it left behind may still print";
  made(0).end_output();
  settle();
  EXPECT_TRUE(gone);
  EXPECT_THAT(told_, IsEmpty());
}

TEST_F(ChildTest, ALaunchUnderWayWhenTheServerEndsIsDiscarded) {
  launcher_.hold();
  launch();
  std::vector<std::string> outcomes_then;
  child_.shut_down([&] { outcomes_then = outcomes_; });
  settle();
  EXPECT_THAT(outcomes_then, ElementsAre("discarded")) << "its asker is told before the server ends";
  launcher_.release();
  settle();
  EXPECT_THAT(outcomes_, ElementsAre("discarded"));
  EXPECT_TRUE(made(0).destroyed);
}

TEST_F(ChildTest, NobodyWaitsForOneThatIsDiscardedOrDoesNotRun) {
  int gone = 0;
  start();
  made(0).at_hang_up.reset();
  child_.shut_down([&] { gone++; });
  EXPECT_EQ(gone, 0) << "it ignores the hang-up";
  child_.discard();
  EXPECT_EQ(gone, 1);
  child_.shut_down([&] { gone++; });
  EXPECT_EQ(gone, 2);
}

TEST_F(ChildTest, AHangUpReachesItAndWhatEarlierOnesLeftAndItsEndIsTold) {
  start();
  end_leaving_jobs(0);
  made(0).jobs_stay = true;
  child_.hang_up();
  EXPECT_EQ(made(0).hang_ups, 1) << "also when none runs";
  start();
  child_.hang_up();
  EXPECT_EQ(made(0).hang_ups, 2);
  EXPECT_EQ(made(1).hang_ups, 1);
  settle();
  read();
  EXPECT_TRUE(child_.end());
  EXPECT_EQ(child_.exit().signal, 1);
}

TEST_F(ChildTest, WhatCouldNotBeStartedMayCountAsEnded) {
  launcher_.refuse(Error(Errc::spawn_failed, "no such thing"));
  launch();
  settle();
  ASSERT_EQ(child_.state(), ChildState::failed);
  child_.end_unstarted({127, {}});
  EXPECT_EQ(child_.state(), ChildState::ended);
  EXPECT_EQ(child_.status(), Status::exited);
  EXPECT_EQ(child_.exit().code, 127);
  launcher_.accept();
  start();
}

// --- input

TEST_F(ChildTest, WhatItDoesNotTakeWaitsUntilItDoes) {
  start();
  made(0).set_capacity(2);
  ASSERT_TRUE(child_.push("abc"));
  EXPECT_EQ(child_.flush().written, 2u);
  EXPECT_EQ(child_.queued(), 1u);
  made(0).set_capacity(10);
  settle();
  EXPECT_THAT(told_, ElementsAre("writable"));
  child_.flush();
  EXPECT_EQ(made(0).written, "abc");
}

TEST_F(ChildTest, WhatWaitsForOneIsNotTypedIntoTheNext) {
  start();
  made(0).set_capacity(0);
  ASSERT_TRUE(child_.push("for the first"));
  child_.flush();
  child_.discard();
  EXPECT_EQ(child_.queued(), 0u);
  EXPECT_EQ(child_.flush().written, 0u) << "there is nobody to type to";
  start();
  child_.flush();
  EXPECT_EQ(made(1).written, "");
}

}  // namespace
}  // namespace ptyd
