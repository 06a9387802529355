// Which transcripts of closed terminals stay, at the edges of the limits.
#include "server/session/recording/retention.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/asio/executor_work_guard.hpp>
#include <chrono>
#include <filesystem>
#include <functional>
#include <string>

#include "pty/unique_fd.hpp"
#include "server/session/recording/store.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/support/waiting.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

using Time = std::chrono::milliseconds;
constexpr Time kDay = std::chrono::hours(24);
/// Some times of the calendar, of which the sweeps know nothing: a clock without a battery begins at the first.
constexpr Time kEpoch{0}, kSomeTime{1'800'000'000'000}, kFarAhead = kSomeTime + 40'000 * kDay;

void changed_at(const fs::path& file, Time calendar) {
  const auto ms = calendar.count();
  const timespec at{ms / 1000, ms % 1000 * 1'000'000};
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
  /// Of a terminal that was closed at a time of the calendar.
  fs::path closed(const std::string& thread, Time calendar = kSomeTime) const {
    {
      auto journal = in_use(thread);
      journal.append("text");
      journal.close_in_order();
    }
    const auto file = store_.file_of({thread, "default"});
    changed_at(file, calendar);
    return file;
  }
  Swept sweep_after(Time passed) const { return sweep(store_, limits_, passed); }
  Swept sweep_now() const { return sweep_after(Time(0)); }

  test::TemporaryDirectory folder_;
  Store store_{folder_.path()};
  RetentionLimits limits_;
};

TEST_F(SweepTest, ATranscriptIsKeptForSoManyDaysAndNoLonger) {
  limits_.days = 3;
  const auto old = closed("old");
  sweep_now();
  sweep_after(kDay);
  const auto young = closed("young");
  EXPECT_EQ(sweep_after(2 * kDay - 1ms).transcripts, 0u);
  EXPECT_EQ(sweep_after(1ms).transcripts, 1u);
  EXPECT_FALSE(fs::exists(old));
  EXPECT_EQ(sweep_after(3 * kDay - 2ms).transcripts, 0u) << "it was seen a moment before";
  EXPECT_EQ(sweep_after(1ms).transcripts, 1u);
  EXPECT_FALSE(fs::exists(young));
}

TEST_F(SweepTest, WhateverTheCalendarSaysNothingIsOldAtOnceAndNothingStaysForEver) {
  const auto before = closed("a", kEpoch), after = closed("b", kFarAhead);
  EXPECT_EQ(sweep_now().transcripts, 0u);
  EXPECT_EQ(sweep_after(30 * kDay - 1ms).transcripts, 0u);
  EXPECT_EQ(sweep_after(1ms).transcripts, 2u);
}

TEST_F(SweepTest, TheLongestUnusedGoUntilTheRestFits) {
  const auto oldest = closed("a", kFarAhead);
  sweep_now();
  const auto middle = closed("b", kSomeTime), newest = closed("c", kSomeTime + 1s);
  const auto all = bytes_on_disk(oldest) + bytes_on_disk(middle) + bytes_on_disk(newest);
  limits_.bytes = all;
  EXPECT_EQ(sweep_after(1ms).transcripts, 0u);
  limits_.bytes = all - 1;
  EXPECT_EQ(sweep_now().transcripts, 1u);
  EXPECT_FALSE(fs::exists(oldest));
  limits_.bytes = bytes_on_disk(newest);
  EXPECT_EQ(sweep_now().transcripts, 1u);
  EXPECT_FALSE(fs::exists(middle)) << "of those that came together the calendar tells the order";
  EXPECT_TRUE(fs::exists(newest));
}

TEST_F(SweepTest, WhatASessionUsesStaysHoweverOldItIsAndIsNotCounted) {
  const auto journal = in_use("used");
  const auto file = store_.file_of({"used", "default"});
  changed_at(file, kEpoch);
  const auto other = closed("other");
  limits_.bytes = bytes_on_disk(other);
  EXPECT_EQ(sweep_now().transcripts, 0u);
  limits_ = {0, 0};
  EXPECT_EQ(sweep_now().transcripts, 1u);
  EXPECT_TRUE(fs::exists(file));
  EXPECT_FALSE(fs::exists(other));
}

TEST_F(SweepTest, OneThatWasUsedMeanwhileIsAsOneThatWasJustClosed) {
  const auto file = closed("t");
  sweep_now();
  sweep_after(29 * kDay);
  store_.open({"t", "default"})->close_in_order();
  EXPECT_EQ(sweep_after(29 * kDay).transcripts, 0u);
  EXPECT_EQ(sweep_after(30 * kDay - 1ms).transcripts, 0u);
  EXPECT_EQ(sweep_after(1ms).transcripts, 1u);
}

TEST_F(SweepTest, ARecordThatIsDamagedOrGoneMakesNothingOld) {
  for (const char* damaged : {"", "no record", "transcript-uses-1 -5\n", "transcript-uses-1 5\nx y z\n",
                              "transcript-uses-1 99999999999999\n99999999999999999999 1 a\n"}) {
    const auto file = closed("t");
    sweep_now();
    sweep_after(29 * kDay);
    folder_.write("transcript-uses", damaged);
    EXPECT_EQ(sweep_after(29 * kDay).transcripts, 0u) << damaged;
    EXPECT_TRUE(fs::exists(file));
  }
}

TEST_F(SweepTest, WhereNothingIsKeptThereIsNoRecord) {
  closed("t");
  sweep_now();
  EXPECT_TRUE(fs::exists(store_.uses_file()));
  limits_.days = 0;
  sweep_now();
  sweep_now();
  EXPECT_FALSE(fs::exists(store_.uses_file()));
}

TEST_F(SweepTest, DamagedOnesThatWereSetAsideGoLikeAllOthers) {
  const auto aside = folder_.write("sessions/x.journal.damaged", "no journal");
  limits_.days = 1;
  sweep_now();
  sweep_after(kDay - 1ms);
  EXPECT_TRUE(fs::exists(aside));
  sweep_after(1ms);
  EXPECT_FALSE(fs::exists(aside));
}

TEST_F(SweepTest, AParkedScreenGoesUnlessItsSessionIsThere) {
  const auto journal = in_use("used");
  const auto used = store_.checkpoint_of({"used", "default"}), left = store_.checkpoint_of({"left", "default"}),
             alone = store_.checkpoint_of({"alone", "default"});
  closed("left");
  for (const auto& each : {used, left, alone}) ASSERT_TRUE(Store::save(each, "a screen"));
  EXPECT_EQ(sweep_now().transcripts, 0u);
  EXPECT_TRUE(fs::exists(used));
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(alone));
}

TEST_F(SweepTest, ANameStaysAsLongAsItsTranscript) {
  const SessionKey old{"old", "default"}, alone{"alone", "default"};
  closed("old");
  for (const auto& each : {old, alone}) ASSERT_TRUE(Store::save(store_.name_file_of(each), "a name"));
  limits_.days = 1;
  EXPECT_EQ(sweep_now().transcripts, 0u) << "a name is no transcript";
  EXPECT_EQ(store_.name_of(old), "a name");
  EXPECT_EQ(store_.name_of(alone), "");
  EXPECT_EQ(sweep_after(kDay).transcripts, 1u);
  EXPECT_EQ(store_.name_of(old), "");
}

TEST_F(SweepTest, WhatWasLeftHalfWrittenGoesUnlessItsSessionIsThereAndIsNeverCounted) {
  const auto journal = in_use("used");
  closed("left");
  const auto unfinished = [this](const std::string& thread, const char* of) {
    const auto file = store_.file_of({thread, "default"}).concat(of).concat(".new");
    folder_.write("sessions/" + file.filename().string(), "half");
    return file;
  };
  for (const char* of : {Store::kParked, Store::kName}) {
    const auto used = unfinished("used", of), left = unfinished("left", of), alone = unfinished("alone", of);
    EXPECT_EQ(sweep_now().transcripts, 0u);
    EXPECT_TRUE(fs::exists(used)) << of;
    EXPECT_FALSE(fs::exists(left)) << of;
    EXPECT_FALSE(fs::exists(alone)) << of;
  }
  limits_.days = 0;
  EXPECT_EQ(sweep_now().transcripts, 1u) << "the one that was closed";
}

TEST_F(SweepTest, AFolderThatIsNotThereIsNoTrouble) {
  fs::remove_all(store_.folder());
  EXPECT_EQ(sweep_now().transcripts, 0u);
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
  BlockingPool files_{BlockingPool::Options{.threads = 0}};
};

TEST_F(RetentionTest, WhatIsTooMuchGoesAtTheStart) {
  const auto file = closed("t");
  const Retention retention(loop_, files_, store_, limits_);
  settle();
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(RetentionTest, SoonAfterTerminalsWereOpenedOrClosedItIsLookedAgain) {
  Retention retention(loop_, files_, store_, limits_);
  settle();
  const auto file = closed("t");
  retention.expect_more();
  pass(Retention::kSoon - 1ms);
  EXPECT_TRUE(fs::exists(file));
  retention.expect_more();  // puts nothing off
  pass(1ms);
  EXPECT_FALSE(fs::exists(file));
}

TEST_F(RetentionTest, ItIsLookedNowAndThenThoughNothingIsAsked) {
  const Retention retention(loop_, files_, store_, limits_);
  settle();
  for (int again = 0; again < 2; ++again) {
    const auto file = closed("t");
    pass(Retention::kNowAndThen - 1ms);
    EXPECT_TRUE(fs::exists(file));
    pass(1ms);
    EXPECT_FALSE(fs::exists(file));
  }
}

TEST_F(RetentionTest, DaysAreCountedOverRestartsOfTheServer) {
  limits_ = {.days = 1};
  const auto file = closed("t", kEpoch);
  for (int life = 0; life < 2; ++life) {
    const Retention retention(loop_, files_, store_, limits_);
    settle();
    for (int hour = 0; hour < 12; ++hour) {
      EXPECT_TRUE(fs::exists(file)) << life << " " << hour;
      pass(Retention::kNowAndThen);
    }
  }
  EXPECT_FALSE(fs::exists(file));
}

/// A folder whose record of uses is a pipe: who reads it waits as long as somebody may write.
class HungRetentionTest : public RetentionTest {
 protected:
  HungRetentionTest() { EXPECT_EQ(::mkfifo(store_.uses_file().c_str(), 0600), 0); }
  ~HungRetentionTest() override { writer_.reset(); }
  /// Looks again and again at what no loop tells of.
  bool comes_true(const std::function<bool()>& condition) {
    return run_until(loop_.context(), [&] {
      loop_.post([] {});
      return condition();
    });
  }
  /// A sweep has begun to read the record.
  bool hangs() {
    return comes_true([this] {
      writer_.reset(::open(store_.uses_file().c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
      return static_cast<bool>(writer_);
    });
  }
  /// There is a thread for it, though there may be only one.
  bool another_task_is_done() {
    bool done = false;
    desk_.run(
        loop_, "", {}, [] { return Result<void>(); }, [&done](const Result<void>&) { done = true; });
    return run_until(loop_.context(), [&done] { return done; });
  }

  UniqueFd writer_;
  BlockingPool desk_{BlockingPool::Options{.threads = 1}};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{loop_.context().get_executor()};
};

TEST_F(HungRetentionTest, ASweepThatHangsIsWrittenOffAndTheNextOneWaitsForItsEnd) {
  const auto file = closed("t");
  Retention retention(loop_, desk_, store_, limits_);
  settle();
  ASSERT_TRUE(hangs());
  clock_.advance(Retention::kPatience);
  EXPECT_TRUE(another_task_is_done()) << "its thread does not count";
  pass(Retention::kNowAndThen);
  EXPECT_TRUE(another_task_is_done()) << "no other sweep hangs beside it";
  writer_.reset();
  EXPECT_TRUE(comes_true([&] { return !fs::exists(file); }));
}

TEST_F(RetentionTest, OnceStoppedItLooksNoMore) {
  Retention retention(loop_, files_, store_, limits_);
  settle();
  const auto file = closed("t");
  retention.stop();
  retention.expect_more();
  pass(Retention::kNowAndThen);
  EXPECT_TRUE(fs::exists(file));
}

}  // namespace
}  // namespace ptyd
