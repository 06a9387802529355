// Screens that nobody needs, from the timer that looks for them to the Command that needs one again.
#include "server/session/parking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/session/session.hpp"
#include "server/session/session_host.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/fake_neighbourhood.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/waiting.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

const SessionKey kOne{"one", "default"}, kOther{"other", "default"};

/// One loop whose sessions keep their files in a folder. Time passes only when the test says so, but for the patience
/// with a disk.
class ParkingTest : public testing::Test {
 protected:
  static constexpr std::chrono::milliseconds kStep{500};

  explicit ParkingTest(std::size_t threads = 0, std::chrono::milliseconds patience = 1h)
      : files_(Errands::Options{.threads = threads}), settings_{{},       {},         Store(folder_.path()), {}, files_,
                                                                patience, neighbours_} {}
  ~ParkingTest() override {
    const auto sessions = host_.sessions();
    for (const auto& [key, session] : sessions) host_.forget(key);
    settle();
  }

  FakeChild& open(const SessionKey& key) {
    Open asked;
    asked.key = key;
    asked.cwd = "/";
    bool opened = false;
    host_.find_or_make(key, [this, asked, &opened](const Result<std::shared_ptr<Session>>& made) {
      (*made)->carry_out(Caller(loop_, nullptr, [&](const Result<Reply>&) { opened = true; }), asked, [] {});
    });
    until([&] { return opened; });
    settle();
    return launcher_->last();
  }
  void say(FakeChild& child, std::string_view text) {
    child.say(text);
    settle();
  }
  const Recorder& recorder(const SessionKey& key) { return host_.find(key)->portrait().recorder; }
  std::size_t parked() {
    return static_cast<std::size_t>(
        std::count_if(host_.sessions().begin(), host_.sessions().end(),
                      [](const auto& each) { return each.second->portrait().recorder.is_parked(); }));
  }
  std::filesystem::path file(const SessionKey& key) const { return settings_.store.checkpoint_of(key); }

  /// Everybody goes quiet, and what is parked is in its file.
  void pass(std::chrono::milliseconds time) {
    for (; time > 0ms; time -= kStep) {
      clock_.advance(std::min(time, kStep));
      settle();
    }
  }
  void settle() {
    loop_.context().restart();
    while (loop_.context().poll_one() > 0) {
    }
  }
  void until(const std::function<bool()>& met) { ASSERT_TRUE(run_until(loop_.context(), met)); }

  /// Answers appear in `answers_` as they are given, in later turns.
  void ask(const SessionKey& key, const Command& command, const std::string& name) {
    const Caller caller(loop_, nullptr, [this, name](const Result<Reply>& reply) {
      answers_.push_back(name);
      replies_.push_back(reply);
    });
    host_.find(key)->carry_out(caller, command, [this] { finished_++; });
  }
  void look(const SessionKey& key, const std::string& name = "look") {
    ask(key, TakeSnapshot{key, SnapshotFormat::plain, {}}, name);
    settle();
  }
  std::string shown(std::size_t answer) const {
    return replies_.at(answer) ? std::get<ScreenSnapshot>(*replies_[answer]).text.value_or("") : "";
  }

  test::TemporaryDirectory folder_;
  ManualClock clock_;
  Loop loop_{0, clock_};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{loop_.context().get_executor()};
  FakeNeighbourhood neighbours_;
  Errands files_;
  HostSettings settings_;
  FakeLauncher* launcher_ = nullptr;
  SessionHost host_{loop_, made(launcher_, loop_), settings_};
  std::vector<std::string> answers_;
  std::vector<Result<Reply>> replies_;
  std::size_t finished_ = 0;

 private:
  static std::unique_ptr<FakeLauncher> made(FakeLauncher*& seen, Loop& loop) {
    auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
    seen = launcher.get();
    return launcher;
  }
};

TEST_F(ParkingTest, AScreenIsParkedOnceItHasBeenQuietForLongEnough) {
  say(open(kOne), "$ ");
  pass(Recorder::kQuiet - kStep);
  EXPECT_FALSE(recorder(kOne).is_parked());
  pass(kStep);
  EXPECT_TRUE(recorder(kOne).is_away());
  EXPECT_TRUE(std::filesystem::exists(file(kOne)));
}

TEST_F(ParkingTest, AScreenThatCannotBeWrittenOrReadIsADiskError) {
  say(open(kOne), "$ ");
  pass(Recorder::kQuiet);
  EXPECT_EQ(host_.metrics().disk_errors, 0u);
  std::filesystem::remove(file(kOne));
  look(kOne);
  EXPECT_EQ(host_.metrics().disk_errors, 1u) << "it was to be read";
  std::filesystem::remove_all(folder_.path());
  say(launcher_->last(), "more");
  pass(Recorder::kQuiet);
  EXPECT_EQ(host_.metrics().disk_errors, 2u) << "it was to be written";
}

TEST_F(ParkingTest, WhateverIsTypedPrintedOrAskedPutsItOff) {
  auto& child = open(kOne);
  const std::vector<std::function<void()>> uses{[&] { say(child, "more"); },
                                                [&] {
                                                  ask(kOne, Write{kOne, "typed"}, "write");
                                                },
                                                [&] { look(kOne); }};
  for (const auto& use : uses) {
    use();
    pass(Recorder::kQuiet - kStep);
    EXPECT_FALSE(recorder(kOne).is_parked());
  }
  pass(kStep);
  EXPECT_TRUE(recorder(kOne).is_parked());
}

TEST_F(ParkingTest, WhatRunsInFrontOfAQuietScreenDoesNotMatter) {
  say(open(kOne), "\x1b]633;T3CODE_AGENT_EVENT=Start\a");
  pass(Recorder::kQuiet);
  EXPECT_TRUE(host_.find(kOne)->is_active(clock_.now())) << "its processes are looked at as before";
  EXPECT_TRUE(recorder(kOne).is_parked());
}

TEST_F(ParkingTest, TheScreenOfAShellThatHasEndedIsParkedToo) {
  auto& child = open(kOne);
  say(child, "bye");
  child.exit({0, {}});
  pass(Recorder::kQuiet);
  EXPECT_TRUE(recorder(kOne).is_away());
  look(kOne);
  EXPECT_EQ(shown(0), "bye");
  EXPECT_FALSE(recorder(kOne).is_parked());
  pass(Recorder::kQuiet);
  EXPECT_TRUE(recorder(kOne).is_away()) << "nothing runs any more, and yet it is looked for";
}

TEST_F(ParkingTest, OneScreenIsParkedInATurn) {
  constexpr std::size_t kMany = 50;
  for (std::size_t i = 0; i < kMany; ++i) open({"t" + std::to_string(i), "default"});
  pass(Recorder::kQuiet - kStep);
  ASSERT_EQ(parked(), 0u);
  clock_.advance(kStep);
  std::size_t most = 0;
  loop_.context().restart();
  for (auto before = parked(); loop_.context().poll_one() > 0; before = parked())
    most = std::max(most, parked() - before);
  EXPECT_EQ(most, 1u);
  EXPECT_EQ(parked(), kMany);
}

TEST_F(ParkingTest, AScreenThatWasOnlyLookedAtIsNotWrittenAgain) {
  say(open(kOne), "$ ");
  pass(Recorder::kQuiet);
  look(kOne);
  ASSERT_FALSE(recorder(kOne).is_parked());
  ASSERT_TRUE(std::filesystem::remove(file(kOne)));
  pass(Recorder::kQuiet);
  EXPECT_TRUE(recorder(kOne).is_away());
  EXPECT_FALSE(std::filesystem::exists(file(kOne)));
}

TEST_F(ParkingTest, ALargeScreenIsNotWrittenInEveryPause) {
  auto& child = open(kOne);
  say(child, std::string(8 * Recorder::kSaveRate, 'x'));
  settle();
  ASSERT_EQ(child.unread(), 0u);
  const auto longer = recorder(kOne).park_after();
  EXPECT_GE(longer, 8s);
  say(child, std::string(8 * Recorder::kSaveRate, 'x'));
  pass(longer);
  EXPECT_FALSE(recorder(kOne).is_parked());
  pass(longer + kStep);
  EXPECT_TRUE(recorder(kOne).is_parked());
}

TEST_F(ParkingTest, AScreenIsNotParkedUnderALaunchThatTakesLong) {
  launcher_->hold();
  Open asked;
  asked.key = kOne;
  asked.cwd = "/";
  host_.find_or_make(kOne, [this, asked](const Result<std::shared_ptr<Session>>& made) {
    (*made)->carry_out(Caller(loop_, nullptr, [this](const Result<Reply>& reply) { replies_.push_back(reply); }), asked,
                       [] {});
  });
  pass(2 * Recorder::kQuiet);
  EXPECT_FALSE(recorder(kOne).is_parked());
  launcher_->release();
  settle();
  EXPECT_EQ(replies_.size(), 1u);
  pass(kStep);
  EXPECT_TRUE(recorder(kOne).is_parked());
}

/// A terminal whose Screen is in its file, and a disk that is silent until the test lets it speak.
class SilentDiskTest : public ParkingTest {
 protected:
  SilentDiskTest() : ParkingTest(2, 1h) {}
  ~SilentDiskTest() override { speak(); }

  void SetUp() override {
    child_ = &open(kOne);
    say(*child_, "printed");
    pass(Recorder::kQuiet);
    until([this] { return recorder(kOne).is_away(); });
    // Errands of one thread are done one after the other.
    files_.run(
        loop_, kOne.thread_id, {},
        [silence = silence_.get_future().share()] {
          silence.wait();
          return Result<void>();
        },
        [](const Result<void>&) {});
  }
  void speak() {
    if (!std::exchange(speaks_, true)) silence_.set_value();
  }

  FakeChild* child_ = nullptr;

 private:
  std::promise<void> silence_;
  bool speaks_ = false;
};

TEST_F(SilentDiskTest, WhoNeedsTheScreenWaitsAndNobodyElseDoes) {
  look(kOne);
  ask(kOne, Write{kOne, "typed"}, "write");
  settle();
  EXPECT_THAT(answers_, ElementsAre("write"));
  EXPECT_EQ(child_->written, "typed");
  EXPECT_EQ(finished_, 2u) << "what is typed next need not wait for the first either";
  say(open(kOther), "another");
  look(kOther, "other");
  EXPECT_EQ(shown(1), "another");
  speak();
  until([this] { return answers_.size() == 3; });
  EXPECT_EQ(answers_.back(), "look");
  EXPECT_EQ(shown(2), "printed");
  EXPECT_EQ(finished_, 3u);
}

TEST_F(SilentDiskTest, CommandsThatWaitAreCarriedOutInTheirOrder) {
  look(kOne, "before");
  ask(kOne, Resize{kOne, {50, 10}}, "resize");
  look(kOne, "after");
  ask(kOne, Clear{kOne}, "clear");
  look(kOne, "cleared");
  speak();
  until([this] { return answers_.size() == 5; });
  EXPECT_THAT(answers_, ElementsAre("before", "resize", "after", "clear", "cleared"));
  EXPECT_NE(std::get<ScreenSnapshot>(*replies_[0]).size, (Size{50, 10}));
  EXPECT_EQ(std::get<ScreenSnapshot>(*replies_[2]).size, (Size{50, 10}));
  EXPECT_EQ(shown(2), "printed");
  EXPECT_EQ(shown(4), "");
  EXPECT_EQ(finished_, 5u);
}

TEST_F(SilentDiskTest, WhatIsAskedByWhoIsAnsweredComesAfterWhatWaits) {
  const Caller first(loop_, nullptr, [this](const Result<Reply>&) {
    answers_.push_back("first");
    ask(kOne, TakeSnapshot{kOne, SnapshotFormat::plain, {}}, "third");
  });
  host_.find(kOne)->carry_out(first, TakeSnapshot{kOne, SnapshotFormat::plain, {}}, [] {});
  look(kOne, "second");
  speak();
  until([this] { return answers_.size() == 3; });
  EXPECT_THAT(answers_, ElementsAre("first", "second", "third"));
}

TEST_F(SilentDiskTest, AChildIsNotReadUntilItsScreenIsThere) {
  say(*child_, " and more");
  EXPECT_EQ(child_->unread(), 9u);
  ask(kOne, Write{kOne, "typed"}, "write");
  settle();
  EXPECT_EQ(child_->unread(), 9u);
  speak();
  until([this] { return child_->unread() == 0; });
  look(kOne);
  until([this] { return answers_.size() == 2; });
  EXPECT_EQ(shown(1), "printed and more");
}

TEST_F(SilentDiskTest, AnExitIsToldWhenAllBeforeItHasBeenRead) {
  child_->say(" bye");
  child_->exit({0, {}});
  settle();
  EXPECT_TRUE(neighbours_.ended.empty());
  speak();
  until([this] { return !neighbours_.ended.empty(); });
  look(kOne);
  EXPECT_EQ(shown(0), "printed bye");
}

TEST_F(SilentDiskTest, WhoWaitsWhenTheTerminalIsClosedIsAnsweredOnce) {
  look(kOne);
  ask(kOne, Restart{kOne, "/", {80, 24}, {}}, "restart");
  EXPECT_EQ(finished_, 1u) << "who comes after a restart is to find its child";
  host_.forget(kOne);
  settle();
  EXPECT_EQ(answers_.size(), 2u);
  for (const auto& reply : replies_) {
    ASSERT_FALSE(reply);
    EXPECT_EQ(reply.error().code(), Errc::not_found);
  }
  speak();
  settle();
  EXPECT_EQ(answers_.size(), 2u);
  EXPECT_EQ(finished_, 2u);
}

TEST_F(SilentDiskTest, SoManyMayWaitAndNoMore) {
  for (std::size_t i = 0; i < Parking::kMaxWaiting; ++i) look(kOne);
  EXPECT_TRUE(answers_.empty());
  look(kOne, "too much");
  ASSERT_THAT(answers_, ElementsAre("too much"));
  EXPECT_EQ(replies_[0].error().code(), Errc::busy);
  speak();
  until([this] { return answers_.size() == Parking::kMaxWaiting + 1; });
  EXPECT_EQ(finished_, Parking::kMaxWaiting + 1);
}

/// The same disk, and little patience with it once it is silent.
class DeadDiskTest : public SilentDiskTest {
 protected:
  void SetUp() override {
    SilentDiskTest::SetUp();
    settings_.file_patience = 20ms;
  }
};

TEST_F(DeadDiskTest, AScreenWhoseFileCannotBeReadIsShownFromTheJournal) {
  look(kOne);
  say(*child_, " and more");
  EXPECT_TRUE(answers_.empty());
  pass(settings_.file_patience);
  until([this] { return child_->unread() == 0 && answers_.size() == 1; });
  look(kOne);
  EXPECT_EQ(shown(1), "printed and more");
}

}  // namespace
}  // namespace ptyd
