// Screens that nobody needs, from the timer that looks for them to the Command that needs one again.
#include "server/session/parking.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tests/support/lower_limit.hpp"
#include "tests/support/server/session/parking_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

TEST_F(ParkingTest, AScreenIsParkedOnceItHasBeenQuietForLongEnough) {
  say(open(kOne), "$ ");
  pass(Recorder::kQuiet - kStep);
  EXPECT_FALSE(recorder(kOne).is_parked());
  pass(kStep);
  EXPECT_TRUE(recorder(kOne).is_away());
  EXPECT_TRUE(std::filesystem::exists(file(kOne)));
}

TEST_F(ParkingTest, WhatWaitsToBeDrawnIsDrawnOnceItIsQuiet) {
  auto& child = open(kOne);
  std::string text;
  while (text.size() < 4 * Session::kTurn) text += "a line of many\r\n";
  say(child, text);
  EXPECT_TRUE(recorder(kOne).is_behind());
  pass(kStep);
  EXPECT_FALSE(recorder(kOne).is_behind());
  pass(Recorder::kQuiet);
  EXPECT_TRUE(recorder(kOne).is_parked());
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

TEST_F(ParkingTest, AScreenWhoseTranscriptIsInMemoryStaysThereToo) {
  const auto before = std::signal(SIGXFSZ, SIG_IGN);  // as the server does
  {
    const test::LowerLimit full(RLIMIT_FSIZE, 0);
    open(kOne);
  }
  std::signal(SIGXFSZ, before);
  say(launcher_->last(), "$ ");
  pass(Recorder::kQuiet);
  EXPECT_TRUE(recorder(kOne).is_parked());
  EXPECT_FALSE(std::filesystem::exists(file(kOne))) << "no lock keeps it from being swept away";
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
    (*made)->carry_out(Caller(loop_, nullptr, [this](const Result<Reply>& reply) { replies_.push_back(reply); }),
                       Request(asked), [] {});
  });
  pass(2 * Recorder::kQuiet);
  EXPECT_FALSE(recorder(kOne).is_parked());
  launcher_->release();
  settle();
  EXPECT_EQ(replies_.size(), 1u);
  pass(kStep);
  EXPECT_TRUE(recorder(kOne).is_parked());
}

}  // namespace
}  // namespace ptyd
