// Screens that are parked and brought back while their disk says nothing, or nothing any more.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <string>
#include <utility>
#include <variant>

#include "server/session/parking.hpp"
#include "tests/support/server/session/parking_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

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
    fall_silent();
  }
  /// Tasks of one thread are done one after the other.
  void fall_silent() {
    files_.run(
        loop_, kOne.thread_id, {},
        [silence = silence_.get_future().share()] {
          silence.wait();
          return Result<void>();
        },
        [](const Result<void>&) {});
  }
  /// All that waits in the line of kOne before this call is done, or given up.
  bool files_are_idle() {
    bool done = false;
    files_.run(
        loop_, kOne.thread_id, {}, [] { return Result<void>(); }, [&done](const Result<void>&) { done = true; });
    return run_until(loop_.context(), [&done] { return done; });
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
  host_.find(kOne)->carry_out(first, Request(TakeSnapshot{kOne, SnapshotFormat::plain, {}}), [] {});
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
  EXPECT_TRUE(delegate_.ended.empty());
  speak();
  until([this] { return !delegate_.ended.empty(); });
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

TEST_F(DeadDiskTest, AFileThatIsToBeDeletedIsDeletedHoweverLate) {
  ask(kOne, Clear{kOne}, "clear");
  pass(settings_.file_patience);
  until([this] { return answers_.size() == 1; });
  pass(settings_.file_patience);
  EXPECT_TRUE(std::filesystem::exists(file(kOne)));
  speak();
  until([this] {
    loop_.post([] {});
    return !std::filesystem::exists(file(kOne));
  });
}

/// A disk that is silent before there is anything to save.
class LateDiskTest : public SilentDiskTest {
 protected:
  void SetUp() override {
    settings_.file_patience = 1s;
    child_ = &open(kOne);
    fall_silent();
    say(*child_, "printed");
    pass(Recorder::kQuiet);
  }
};

TEST_F(LateDiskTest, AScreenThatCannotBeSavedInTimeStaysInMemoryAndIsSavedTheNextTime) {
  EXPECT_TRUE(recorder(kOne).is_parked());
  pass(settings_.file_patience);
  speak();
  ASSERT_TRUE(files_are_idle());
  EXPECT_FALSE(recorder(kOne).is_away());
  EXPECT_FALSE(std::filesystem::exists(file(kOne))) << "nobody waits for it any more";
  say(*child_, " and more");
  pass(Recorder::kQuiet);
  until([this] { return recorder(kOne).is_away(); });
  EXPECT_TRUE(std::filesystem::exists(file(kOne)));
}

/// A disk that is silent while it is to take what a shell for commands reads when it starts.
class LateShellTest : public ParkingTest {
 protected:
  LateShellTest() : ParkingTest(1) { settings_.shell_files = folder_.path(); }
  ~LateShellTest() override { speak(); }

  void SetUp() override {
    bool is_made = false;
    host_.find_or_make(kOne, [&](const Result<std::shared_ptr<Session>>&) { is_made = true; });
    until([&] { return is_made; });
    files_.run(
        loop_, "silence", {}, [silence = silence_.get_future().share()] { return silence.wait(), Result<void>(); },
        [](const Result<void>&) {});
  }
  void execute() {
    Execute asked;
    asked.key = kOne;
    asked.command = "true";
    asked.shell = "bash";
    ask(kOne, asked, "execute");
  }
  void speak() {
    if (!std::exchange(speaks_, true)) silence_.set_value();
  }

 private:
  std::promise<void> silence_;
  bool speaks_ = false;
};

TEST_F(LateShellTest, TheScreenOfATerminalThatIsAboutToBeLaunchedIsNotParked) {
  execute();
  pass(2 * Recorder::kQuiet);
  EXPECT_TRUE(launcher_->launches.empty());
  EXPECT_FALSE(recorder(kOne).is_parked()) << "the launch gives it its size";
  speak();
  until([this] { return !launcher_->children.empty(); });
  settle();
  EXPECT_FALSE(recorder(kOne).is_parked());
}

TEST_F(LateShellTest, AScreenThatIsStillBeingSavedIsBroughtBackBeforeALaunch) {
  ask(kOne, Write{kOne, "too early"}, "write");
  pass(Recorder::kQuiet);
  ASSERT_TRUE(recorder(kOne).is_parked());
  ASSERT_FALSE(recorder(kOne).is_away());
  execute();
  EXPECT_FALSE(recorder(kOne).is_parked()) << "once it is saved, it would have to be read first";
  speak();
  until([this] { return !launcher_->children.empty(); });
  settle();
  EXPECT_FALSE(recorder(kOne).is_parked());
}

}  // namespace
}  // namespace ptyd
