// When a session's viewers are told of its activity, and when its processes are looked at.
#include "server/session/child/activity_watch.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

constexpr TimePoint kBegun{1000s};
constexpr std::uint64_t kBirths = 4711;
const Environment kAgent{{"T3CODE_TERMINAL_CLI_KIND", "codex"}};

class ActivityWatchTest : public testing::Test {
 protected:
  void look(TimePoint now, const std::vector<std::string>& commands = {}) {
    std::vector<ProcessInfo> processes;
    for (const auto& command : commands) processes.emplace_back().command_line = command;
    watch_.on_processes(processes, now, kBirths);
  }

  std::vector<Activity> told_;
  std::vector<Foreground> seen_;
  ActivityWatch watch_{
      {[this](const Activity& now) { told_.push_back(now); }, [this](const Foreground& now) { seen_.push_back(now); }}};
};

TEST_F(ActivityWatchTest, TheKindThatAChildBeginsWithIsToldWhenItHasStarted) {
  watch_.on_launch(kAgent);
  EXPECT_TRUE(told_.empty());
  watch_.on_started();
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_EQ(told_[0].cli_kind, "codex");
}

TEST_F(ActivityWatchTest, OfAShellThereIsNothingToTellAtItsStart) {
  watch_.on_launch({});
  watch_.on_started();
  EXPECT_TRUE(told_.empty());
}

TEST_F(ActivityWatchTest, EachChangeIsToldOnce) {
  look(kBegun, {"make"});
  look(kBegun + ActivityTracker::kBusyPoll, {"make"});
  ASSERT_EQ(told_.size(), 1u);
  EXPECT_TRUE(told_[0].has_running_subprocess);
  look(kBegun + 2 * ActivityTracker::kBusyPoll);
  ASSERT_EQ(told_.size(), 2u);
  EXPECT_FALSE(told_[1].has_running_subprocess);
}

TEST_F(ActivityWatchTest, TheProgramInTheForegroundIsToldWhenItIsAnotherOrElsewhere) {
  watch_.on_foreground({"bash", "/a"});
  watch_.on_foreground({"bash", "/a"});
  watch_.on_foreground({"bash", "/b"});
  watch_.on_foreground({"vim", "/b"});
  EXPECT_EQ(seen_, (std::vector<Foreground>{{"bash", "/a"}, {"bash", "/b"}, {"vim", "/b"}}));
  watch_.on_launch({});
  watch_.on_foreground({"vim", "/b"});
  EXPECT_EQ(seen_.size(), 4u) << "it is another child";
}

TEST_F(ActivityWatchTest, WhereTheDirectoryIsNotKnownItIsThatOfTheStart) {
  EXPECT_EQ(process_of({"sudo", ""}, "/srv").cwd, "/srv");
  EXPECT_EQ(process_of({"b\xff", "/a\xff"}, "/srv").process, "b\uFFFD");
  EXPECT_EQ(process_of({"b", "/a\xff"}, "/srv").cwd, "/a\uFFFD");
}

TEST_F(ActivityWatchTest, TheEndOfAChildIsToldByItself) {
  look(kBegun, {"make"});
  watch_.on_ended();
  EXPECT_EQ(told_.size(), 1u);
  EXPECT_FALSE(activity_of(watch_.tracker()).has_running_subprocess);
}

TEST_F(ActivityWatchTest, ALookIsDueALittleBeforeItsTimeAndNoSooner) {
  look(kBegun, {"make"});
  const auto due = kBegun + ActivityTracker::kBusyPoll - ActivityWatch::kEarly;
  EXPECT_FALSE(watch_.is_look_due(due - 1ms, kBirths));
  EXPECT_TRUE(watch_.is_look_due(due, kBirths));
}

TEST_F(ActivityWatchTest, TheFirstLookIsDueAtOnceHoweverLateItIs) {
  EXPECT_TRUE(watch_.is_look_due(TimePoint(), kBirths));
}

TEST_F(ActivityWatchTest, WhereNobodyRanALookIsDueOnlyWhenSomebodyHasBegun) {
  look(kBegun);
  const auto later = kBegun + 2 * ActivityTracker::kIdlePoll;
  EXPECT_FALSE(watch_.is_look_due(later, kBirths));
  EXPECT_TRUE(watch_.is_look_due(later, kBirths + 1));
}

TEST_F(ActivityWatchTest, ALookIsDueWhereNobodyKnowsWhetherSomebodyHasBegun) {
  watch_.on_processes({}, kBegun, 0);
  EXPECT_TRUE(watch_.is_look_due(kBegun + 2 * ActivityTracker::kIdlePoll, 0));
}

TEST_F(ActivityWatchTest, AnAgentIsLookedForThoughNobodyHasBegun) {
  watch_.on_launch(kAgent);
  look(kBegun);
  watch_.on_typed("codex\r", kBegun);
  EXPECT_TRUE(watch_.is_look_due(kBegun + ActivityTracker::kIdlePoll, kBirths));
}

TEST_F(ActivityWatchTest, TheNextChildIsLookedAtThoughNobodyRanBelowTheLast) {
  look(kBegun);
  watch_.on_launch({});
  EXPECT_TRUE(watch_.is_look_due(kBegun + 2 * ActivityTracker::kIdlePoll, kBirths));
}

TEST_F(ActivityWatchTest, OneThatWasQuietForLongIsNotActiveUntilSomebodyTypes) {
  const auto later = kBegun + 1000s;
  EXPECT_FALSE(watch_.is_active(later));
  watch_.on_typed("x", later);
  EXPECT_TRUE(watch_.is_active(later));
}

}  // namespace
}  // namespace ptyd
