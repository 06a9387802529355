// Sessions whose files are opened, written and deleted beside the loop.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/server/session/session_test.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

using testing::HasSubstr;

/// A folder that is there before what keeps its files in it.
struct BesideFolder {
  test::TemporaryDirectory folder;
};

class BesideTest : private BesideFolder, public SessionTest {
 protected:
  BesideTest() : SessionTest(kept_in(folder), 3) {}

  static SessionOptions kept_in(const test::TemporaryDirectory& folder) {
    SessionOptions options;
    options.state_dir = folder.path();
    return options;
  }
  /// Journals, and Screens of those that are parked by now.
  std::size_t files(std::string_view ending = "") const {
    const std::filesystem::directory_iterator all(folder / "sessions");
    return static_cast<std::size_t>(
        std::count_if(begin(all), end(all), [&](const auto& each) { return each.path().string().ends_with(ending); }));
  }
  std::filesystem::path name_file() const { return Store(folder.path()).name_file_of(kKey); }
  static Open open_of(const std::string& thread) {
    Open asked;
    asked.key = {thread, "default"};
    asked.cwd = "/";
    return asked;
  }
};

TEST_F(BesideTest, ManyAreOpenedAtOnceAndEachOnce) {
  auto someone = viewer();
  std::size_t opened = 0;
  for (int i = 0; i < 40; ++i)
    sessions_->submit(someone, open_of("t" + std::to_string(i % 20)),
                      [&](const Result<Reply>& reply) { opened += reply ? 1 : 0; });
  until([&] { return opened == 40; }, "40 replies");
  EXPECT_EQ(launcher_->launches.size(), 20u);
  EXPECT_EQ(files(".journal"), 20u);
}

TEST_F(BesideTest, WhatIsTypedAfterAnOpenArrivesAfterIt) {
  auto someone = viewer();
  std::vector<std::string> answered;
  sessions_->submit(someone, open_of("t"), [&](const Result<Reply>& reply) {
    EXPECT_TRUE(reply);
    answered.emplace_back("open");
  });
  sessions_->submit(someone, Write{kKey, "typed"}, [&](const Result<Reply>& reply) {
    EXPECT_TRUE(reply);
    answered.emplace_back("write");
  });
  until([&] { return answered.size() == 2; }, "both answers");
  EXPECT_EQ(answered, (std::vector<std::string>{"open", "write"}));
  EXPECT_EQ(child().written, "typed");
}

TEST_F(BesideTest, ADirectoryThatIsNoneIsRefusedAndTheThreadGoesOn) {
  auto someone = viewer();
  auto asked = open_of("t");
  asked.cwd = "/no/such/folder";
  const auto refused = ask(someone, asked);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Errc::bad_cwd);
  EXPECT_TRUE(launcher_->launches.empty());
  open(someone);
}

TEST_F(BesideTest, WhoAsksToHearEverythingWhileASessionIsMadeHearsThatToo) {
  auto one = viewer("one"), two = viewer("two");
  bool opened = false;
  sessions_->submit(one, open_of("t"), [&](const Result<Reply>&) { opened = true; });
  sessions_->submit(two, Subscribe{}, [](const Result<Reply>&) {});
  until([&] { return opened; }, "the terminal");
  child().say("heard");
  read(two, "heard");
}

TEST_F(BesideTest, ADeletedHistoryIsGoneBeforeTheAnswer) {
  auto someone = viewer();
  open(someone);
  child().say("secret");
  read(someone, "secret");
  EXPECT_EQ(files(), 1u);
  EXPECT_TRUE(ask(someone, Close{kKey.thread_id, kKey.terminal_id, true}));
  EXPECT_EQ(files(), 0u);
  EXPECT_EQ(open(someone).history, "");
  EXPECT_TRUE(ask(someone, Close{kKey.thread_id, {}, true}));
  EXPECT_EQ(files(), 0u);
}

TEST_F(BesideTest, ANameThatWasAnsweredStandsInItsFile) {
  auto someone = viewer();
  open(someone);
  EXPECT_TRUE(ask(someone, Rename{kKey, "build"}));
  EXPECT_EQ(files(".name"), 1u);
  ask(someone, Close{kKey.thread_id, {}, false});
  EXPECT_EQ(open(someone).name, "build");
  EXPECT_TRUE(ask(someone, Rename{kKey, ""}));
  EXPECT_EQ(files(".name"), 0u);
}

TEST_F(BesideTest, ANameThatCannotBeWrittenIsRefusedAndChangesNothing) {
  auto someone = viewer();
  open(someone);
  std::filesystem::create_directory(name_file());
  someone->lifecycle.clear();
  EXPECT_EQ(ask(someone, Rename{kKey, "build"}).error().detail(), "The name could not be written to the disk");
  EXPECT_EQ(open(someone).name, "");
  EXPECT_TRUE(someone->lifecycle.empty());
}

TEST_F(BesideTest, AKeptHistoryIsThereWhenItsTerminalIsOpenedAgain) {
  auto someone = viewer();
  open(someone);
  child().say("kept");
  read(someone, "kept");
  ask(someone, Close{kKey.thread_id, {}, false});
  EXPECT_THAT(open(someone).history, HasSubstr("kept"));
}

TEST_F(BesideTest, AKeptHistoryOutlivesAStartThatFails) {
  auto someone = viewer();
  open(someone);
  child().say("kept");
  read(someone, "kept");
  ask(someone, Close{kKey.thread_id, {}, false});
  launcher_->refuse(Error(Errc::spawn_failed, "no shell"));
  EXPECT_EQ(open(someone).status, Status::error);
  launcher_->accept();
  const auto again = open(someone);
  EXPECT_EQ(again.status, Status::running);
  EXPECT_THAT(again.history, HasSubstr("kept"));
}

TEST_F(BesideTest, WhoeverWaitsWhenTheServerEndsIsAnsweredOnce) {
  auto someone = viewer();
  open(someone, {"running", "default"});
  std::size_t answered = 0;
  for (int i = 0; i < 20; ++i)
    sessions_->submit(someone, open_of("t" + std::to_string(i)), [&](const Result<Reply>&) { answered++; });
  bool ended = false;
  sessions_->shutdown("testing", [&] { ended = true; });
  until([&] { return ended && answered == 20; }, "the end, and 20 answers");
  const auto late = ask(someone, open_of("late"));
  ASSERT_FALSE(late);
  EXPECT_THAT(late.error().detail(), HasSubstr("ending"));
}

}  // namespace
}  // namespace ptyd
