// Text that was cleared, restarted or deleted is nowhere below the state directory: every byte of every file is looked
// at.
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "server/session/recording/retention.hpp"
#include "tests/support/server/session/kept_session_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kSecret = "qZ7x-kV9w-Jb3u-Rf5m";
/// Less of it says nothing.
constexpr std::size_t kPiece = 4;

class WipedTest : public KeptSessionTest {
 protected:
  void print_secret() {
    someone_ = viewer();
    open(someone_);
    child().say("before " + std::string(kSecret) + " after");
    read(someone_, " after");
  }
  /// The Screen leaves memory for a file.
  void wait_until_parked() {
    for (int i = 0; i < 20 && count(".screen") == 0; ++i) {
      pass(10s);
    }
    ASSERT_EQ(count(".screen"), 1u);
  }
  std::string all_bytes() const {
    std::string bytes;
    for (const auto& each : std::filesystem::recursive_directory_iterator(folder_.path())) {
      if (!each.is_regular_file()) continue;
      std::ifstream in(each.path(), std::ios::binary);
      bytes.append(std::istreambuf_iterator<char>(in), {});
    }
    return bytes;
  }
  bool is_on_disk() const { return all_bytes().find(kSecret) != std::string::npos; }
  void expect_no_piece() const {
    const auto bytes = all_bytes();
    for (std::size_t at = 0; at + kPiece <= kSecret.size(); ++at)
      EXPECT_EQ(bytes.find(kSecret.substr(at, kPiece)), bytes.npos) << kSecret.substr(at, kPiece);
  }
  void clear() {
    EXPECT_TRUE(ask(someone_, Clear{kKey}));
    settle();
  }
  void restart() {
    Restart asked;
    asked.key = kKey;
    asked.cwd = "/";
    asked.size = {80, 24};
    EXPECT_TRUE(ask(someone_, asked));
    settle();
  }

  std::shared_ptr<FakeViewer> someone_;
};

TEST_F(WipedTest, BeforeAnythingIsClearedItIsOnDisk) {
  print_secret();
  EXPECT_TRUE(is_on_disk()) << "or the others show nothing";
}

TEST_F(WipedTest, AClearLeavesNothing) {
  print_secret();
  clear();
  expect_no_piece();
}

TEST_F(WipedTest, AClearWhileParkedLeavesNothing) {
  print_secret();
  wait_until_parked();
  clear();
  expect_no_piece();
  EXPECT_EQ(count(".screen"), 0u);
}

TEST_F(WipedTest, AClearLeavesNothingOfAnEarlierParking) {
  print_secret();
  wait_until_parked();
  child().say("awake");
  read(someone_, "awake");
  EXPECT_TRUE(is_on_disk());
  clear();
  expect_no_piece();
}

TEST_F(WipedTest, ARestartLeavesNothing) {
  print_secret();
  restart();
  expect_no_piece();
}

TEST_F(WipedTest, ARestartWhileParkedLeavesNothing) {
  print_secret();
  wait_until_parked();
  restart();
  expect_no_piece();
}

TEST_F(WipedTest, ANewShellInAnExitedTerminalLeavesNothing) {
  print_secret();
  child().exit({0, {}});
  until([&] { return someone_->events.back() == "exited"; }, "the exit");
  open(someone_);
  settle();
  expect_no_piece();
}

TEST_F(WipedTest, AClearLeavesNothingOfAnUnfinishedSequence) {
  someone_ = viewer();
  open(someone_);
  child().say("\x1b]52;c;" + std::string(kSecret));
  settle();
  EXPECT_TRUE(is_on_disk()) << "it waits in the inbox";
  clear();
  expect_no_piece();
}

TEST_F(WipedTest, ADeletedHistoryLeavesNothing) {
  print_secret();
  wait_until_parked();
  EXPECT_TRUE(ask(someone_, Close{kKey.thread_id, kKey.terminal_id, true}));
  expect_no_piece();
  EXPECT_EQ(count(".screen") + count(".journal"), 0u);
}

TEST_F(WipedTest, WhatIsPrintedAfterAClearIsKept) {
  print_secret();
  clear();
  child().say("afterwards");
  read(someone_, "afterwards");
  EXPECT_NE(all_bytes().find("afterwards"), std::string::npos);
}

// --- What nobody asked to be deleted

SessionOptions nothing_retained() {
  SessionOptions options;
  options.retention.bytes = 0;
  return options;
}

class RetainedTest : public KeptSessionTest {
 protected:
  RetainedTest() : KeptSessionTest(nothing_retained()) {}
};

TEST_F(RetainedTest, AClosedTerminalsTranscriptGoesSoonAndARunningOnesStays) {
  settle();
  const auto someone = viewer();
  open(someone);
  open(someone, {"stays", "default"});
  EXPECT_TRUE(ask(someone, Close{kKey.thread_id, {}, false}));
  settle();
  EXPECT_EQ(count(".journal"), 2u);
  pass(Retention::kSoon);
  EXPECT_EQ(count(".journal"), 1u);
  pass(Retention::kNowAndThen);
  EXPECT_EQ(count(".journal"), 1u);
}

}  // namespace
}  // namespace ptyd
