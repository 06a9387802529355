// Which sessions there are, and how many of them may run or be retained.
#include "server/session/census.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ptyd {
namespace {

class CensusTest : public testing::Test {
 protected:
  static SessionOptions tight() {
    SessionOptions options;
    options.max_sessions = 3;
    options.max_sessions_per_thread = 2;
    options.retained_sessions = 1;
    return options;
  }
  void run(const SessionKey& key, LaunchNumber launch) {
    census_.begin(key, 0, true);
    census_.settle(key, {true, true, launch});
  }
  /// "" where it may run.
  std::string refused(const SessionKey& key) const {
    const auto room = census_.room_to_run(key);
    return room ? "" : room.error().detail();
  }
  std::string surplus() const {
    const auto* key = census_.surplus();
    return key ? key->terminal_id : "";
  }

  const SessionOptions options_ = tight();
  Census census_{options_};
};

TEST_F(CensusTest, SoManyMayRunInAThreadAndNotOneMore) {
  run({"t", "1"}, 1);
  EXPECT_EQ(refused({"t", "2"}), "");
  run({"t", "2"}, 2);
  EXPECT_EQ(refused({"t", "3"}), "Too many terminals: 2 are running in this thread, the limit is 2");
  EXPECT_EQ(refused({"t", "2"}), "") << "one that runs already is not one more";
  EXPECT_EQ(refused({"u", "1"}), "");
}

TEST_F(CensusTest, SoManyMayRunOnTheServerAndNotOneMore) {
  run({"t", "1"}, 1);
  run({"u", "1"}, 2);
  EXPECT_EQ(refused({"v", "1"}), "");
  run({"v", "1"}, 3);
  EXPECT_EQ(refused({"w", "1"}), "Too many terminals: 3 are running on this server, the limit is 3");
  census_.on_ended({"v", "1"}, 3);
  EXPECT_EQ(refused({"w", "1"}), "");
}

TEST_F(CensusTest, WhileItDrainsNothingMayRunThatDoesNotRunAlready) {
  run({"t", "1"}, 1);
  run({"t", "2"}, 2);
  census_.on_ended({"t", "2"}, 2);
  census_.drain(true);
  EXPECT_EQ(census_.running(), 1u);
  EXPECT_EQ(refused({"t", "1"}), "") << "a restart";
  for (const char* id : {"2", "3"}) EXPECT_EQ(refused({"t", id}), "The server is draining: it starts no terminals");
  census_.drain(false);
  EXPECT_EQ(refused({"t", "2"}), "");
}

TEST_F(CensusTest, OneThatIsBeingStartedCountsUntilItIsSettled) {
  run({"t", "1"}, 1);
  census_.begin({"t", "2"}, 0, true);
  EXPECT_NE(refused({"t", "3"}), "");
  census_.settle({"t", "2"}, {true, false, 2});
  EXPECT_EQ(refused({"t", "3"}), "");
}

TEST_F(CensusTest, OneThatIsOnlyLookedAtDoesNotCount) {
  run({"t", "1"}, 1);
  census_.begin({"t", "2"}, 0, false);
  EXPECT_EQ(refused({"t", "3"}), "");
}

TEST_F(CensusTest, TheEndOfAnEarlierLaunchChangesNothing) {
  run({"t", "1"}, 1);
  run({"t", "1"}, 2);
  run({"t", "2"}, 3);
  census_.on_ended({"t", "1"}, 1);
  EXPECT_NE(refused({"t", "3"}), "");
  census_.on_ended({"t", "1"}, 2);
  EXPECT_EQ(refused({"t", "3"}), "");
}

TEST_F(CensusTest, OfMoreThanAreRetainedTheOneThatEndedFirstGoesFirst) {
  run({"t", "1"}, 1);
  run({"t", "2"}, 2);
  census_.on_ended({"t", "2"}, 2);
  EXPECT_EQ(surplus(), "") << "so many may be retained";
  census_.on_ended({"t", "1"}, 1);
  EXPECT_EQ(surplus(), "2");
  census_.forget({"t", "2"});
  EXPECT_EQ(surplus(), "");
}

TEST_F(CensusTest, ASessionStaysOnTheLoopWhereItWasMade) {
  EXPECT_EQ(census_.loop_of({"t", "1"}), std::nullopt);
  EXPECT_EQ(census_.begin({"t", "1"}, 1, true), 1u);
  EXPECT_EQ(census_.begin({"t", "1"}, 0, true), 1u);
  EXPECT_EQ(census_.forget({"t", "1"}), std::optional<std::size_t>(1));
  EXPECT_EQ(census_.forget({"t", "1"}), std::nullopt);
}

TEST_F(CensusTest, WhatCouldNotBeMadeIsNotKnown) {
  census_.begin({"t", "1"}, 0, true);
  census_.settle({"t", "1"}, {});
  EXPECT_FALSE(census_.knows({"t", "1"}));
}

TEST_F(CensusTest, AThreadIsToldOfWholeOrByTheOneThatIsNamed) {
  for (const auto& key : {SessionKey{"t", "1"}, SessionKey{"t", "2"}, SessionKey{"u", "1"}}) run(key, 1);
  EXPECT_EQ(census_.keys_in("t", std::nullopt), (std::vector<SessionKey>{{"t", "1"}, {"t", "2"}}));
  EXPECT_EQ(census_.keys_in("t", "2"), (std::vector<SessionKey>{{"t", "2"}}));
  EXPECT_TRUE(census_.keys_in("t", "3").empty());
}

}  // namespace
}  // namespace ptyd
