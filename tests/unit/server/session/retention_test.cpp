// Which transcripts of closed terminals stay, at the edges of the limits.
#include "server/session/retention.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "server/session/store.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr UnixMillis kNow = 1'800'000'000'000;
constexpr UnixMillis kDay = 86'400'000;

void used_at(const fs::path& file, UnixMillis when) {
  const timespec at{when / 1000, when % 1000 * 1'000'000};
  const timespec times[] = {at, at};
  EXPECT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
}

std::uint64_t bytes_on_disk(const fs::path& file) {
  struct stat status {};
  EXPECT_EQ(::lstat(file.c_str(), &status), 0);
  return static_cast<std::uint64_t>(status.st_blocks) * 512;
}

class SweepTest : public testing::Test {
 protected:
  Journal in_use(const std::string& thread) const { return *store_.open({thread, "default"}); }
  /// Of a terminal that was closed so long ago.
  fs::path closed(const std::string& thread, UnixMillis ago) const {
    {
      auto journal = in_use(thread);
      journal.append("text");
      journal.close_in_order();
    }
    const auto file = store_.file_of({thread, "default"});
    used_at(file, kNow - ago);
    return file;
  }
  Swept sweep_now() const { return sweep(store_.folder(), limits_, kNow); }

  test::TemporaryDirectory folder_;
  Store store_{folder_.path()};
  RetentionLimits limits_;
};

TEST_F(SweepTest, ATranscriptIsKeptForSoManyDaysAndNoLonger) {
  limits_.days = 3;
  const auto young = closed("young", 3 * kDay - 1), old = closed("old", 3 * kDay);
  EXPECT_EQ(sweep_now().transcripts, 1u);
  EXPECT_TRUE(fs::exists(young));
  EXPECT_FALSE(fs::exists(old));
}

TEST_F(SweepTest, TheLongestUnusedGoUntilTheRestFits) {
  const auto oldest = closed("a", 3000), middle = closed("b", 2000), newest = closed("c", 1000);
  const auto all = bytes_on_disk(oldest) + bytes_on_disk(middle) + bytes_on_disk(newest);
  limits_.bytes = all;
  EXPECT_EQ(sweep_now().transcripts, 0u);
  limits_.bytes = all - 1;
  EXPECT_EQ(sweep_now().transcripts, 1u);
  EXPECT_FALSE(fs::exists(oldest));
  limits_.bytes = bytes_on_disk(newest);
  EXPECT_EQ(sweep_now().transcripts, 1u);
  EXPECT_FALSE(fs::exists(middle));
  EXPECT_TRUE(fs::exists(newest));
}

TEST_F(SweepTest, WhatASessionUsesStaysHoweverOldItIsAndIsNotCounted) {
  const auto journal = in_use("used");
  const auto file = store_.file_of({"used", "default"});
  used_at(file, kNow - 1000 * kDay);
  const auto other = closed("other", kDay);
  limits_.bytes = bytes_on_disk(other);
  EXPECT_EQ(sweep_now().transcripts, 0u);
  limits_ = {0, 0};
  EXPECT_EQ(sweep_now().transcripts, 1u);
  EXPECT_TRUE(fs::exists(file));
  EXPECT_FALSE(fs::exists(other));
}

TEST_F(SweepTest, AClosedTranscriptCountsAsUsedWhenItWasClosed) {
  const auto file = closed("t", 1000 * kDay);
  store_.open({"t", "default"})->close_in_order();
  const auto used = std::chrono::file_clock::to_sys(fs::last_write_time(file)).time_since_epoch();
  sweep(store_.folder(), limits_, std::chrono::duration_cast<std::chrono::milliseconds>(used).count() + kDay);
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(SweepTest, DamagedOnesThatWereSetAsideGoLikeAllOthers) {
  const auto aside = folder_.write("sessions/x.journal.damaged", "no journal");
  used_at(aside, kNow - kDay);
  sweep_now();
  EXPECT_TRUE(fs::exists(aside));
  limits_.days = 1;
  sweep_now();
  EXPECT_FALSE(fs::exists(aside));
}

TEST_F(SweepTest, AParkedScreenGoesUnlessItsSessionIsThere) {
  const auto journal = in_use("used");
  const auto used = store_.checkpoint_of({"used", "default"}), left = store_.checkpoint_of({"left", "default"}),
             alone = store_.checkpoint_of({"alone", "default"});
  closed("left", 0);
  for (const auto& each : {used, left, alone}) ASSERT_TRUE(Store::save(each, "a screen"));
  EXPECT_EQ(sweep_now().transcripts, 0u);
  EXPECT_TRUE(fs::exists(used));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(alone));
}

TEST_F(SweepTest, AFolderThatIsNotThereIsNoTrouble) {
  EXPECT_EQ(sweep(folder_ / "none", limits_, kNow).transcripts, 0u);
}

// --- When

class RetentionTest : public SweepTest {
 protected:
  RetentionTest() { limits_.bytes = 0; }
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    settle();
  }
  void settle() {
    loop_.context().restart();
    loop_.context().poll();
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
  Errands files_{Errands::Options{.threads = 0}};
};

TEST_F(RetentionTest, WhatIsTooMuchGoesAtTheStart) {
  const auto file = closed("t", kDay);
  const Retention retention(loop_, files_, store_.folder(), limits_);
  settle();
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(RetentionTest, SoonAfterTerminalsWereOpenedOrClosedItIsLookedAgain) {
  Retention retention(loop_, files_, store_.folder(), limits_);
  settle();
  const auto file = closed("t", kDay);
  retention.expect_more();
  pass(Retention::kSoon - 1ms);
  EXPECT_TRUE(fs::exists(file));
  retention.expect_more();  // puts nothing off
  pass(1ms);
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(RetentionTest, ItIsLookedNowAndThenThoughNothingIsAsked) {
  const Retention retention(loop_, files_, store_.folder(), limits_);
  settle();
  for (int again = 0; again < 2; ++again) {
    const auto file = closed("t", kDay);
    pass(Retention::kNowAndThen - 1ms);
    EXPECT_TRUE(fs::exists(file));
    pass(1ms);
    EXPECT_FALSE(fs::exists(file));
  }
}

TEST_F(RetentionTest, OnceStoppedItLooksNoMore) {
  Retention retention(loop_, files_, store_.folder(), limits_);
  settle();
  const auto file = closed("t", kDay);
  retention.stop();
  retention.expect_more();
  pass(Retention::kNowAndThen);
  EXPECT_TRUE(fs::exists(file));
}

}  // namespace
}  // namespace ptyd
