// Which sessions there are, and how many of them may run or be retained.
#include "server/session/routing/session_registry.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ptyd {
namespace {

class SessionRegistryTest : public testing::Test {
 protected:
  static SessionOptions tight() {
    SessionOptions options;
    options.max_sessions = 3;
    options.max_sessions_per_thread = 2;
    options.retained_sessions = 1;
    options.retained_programs = 2;
    options.all_retained_programs = 5;
    return options;
  }
  void run(const SessionKey& key, LaunchNumber launch) {
    registry_.begin(key, 0, true);
    registry_.settle(key, {true, true, launch});
  }
  /// "" where it may run.
  std::string refused(const SessionKey& key) const {
    const auto room = registry_.room_to_run(key);
    return room ? "" : room.error().detail();
  }
  /// Of all shares, with blanks between.
  std::string surplus() const {
    std::string all;
    for (const auto& key : registry_.surplus()) all += (all.empty() ? "" : " ") + key.terminal_id;
    return all;
  }
  void run_to_its_end(const SessionKey& key, Remains remains = Remains::text) {
    run(key, ++last_);
    registry_.on_ended(key, last_, remains);
  }

  const SessionOptions options_ = tight();
  SessionRegistry registry_{options_};
  LaunchNumber last_ = 0;
};

TEST_F(SessionRegistryTest, SoManyMayRunInAThreadAndNotOneMore) {
  run({"t", "1"}, 1);
  EXPECT_EQ(refused({"t", "2"}), "");
  run({"t", "2"}, 2);
  EXPECT_EQ(refused({"t", "3"}), "Too many terminals: 2 are running in this thread, the limit is 2");
  EXPECT_EQ(refused({"t", "2"}), "") << "one that runs already is not one more";
  EXPECT_EQ(refused({"u", "1"}), "");
}

TEST_F(SessionRegistryTest, SoManyMayRunOnTheServerAndNotOneMore) {
  run({"t", "1"}, 1);
  run({"u", "1"}, 2);
  EXPECT_EQ(refused({"v", "1"}), "");
  run({"v", "1"}, 3);
  EXPECT_EQ(refused({"w", "1"}), "Too many terminals: 3 are running on this server, the limit is 3");
  registry_.on_ended({"v", "1"}, 3);
  EXPECT_EQ(refused({"w", "1"}), "");
}

TEST_F(SessionRegistryTest, WhileItDrainsNothingMayRunThatDoesNotRunAlready) {
  run({"t", "1"}, 1);
  run({"t", "2"}, 2);
  registry_.on_ended({"t", "2"}, 2);
  registry_.drain(true);
  EXPECT_EQ(registry_.running(), 1u);
  EXPECT_EQ(refused({"t", "1"}), "") << "a restart";
  for (const char* id : {"2", "3"}) EXPECT_EQ(refused({"t", id}), "The server is draining: it starts no terminals");
  registry_.drain(false);
  EXPECT_EQ(refused({"t", "2"}), "");
}

TEST_F(SessionRegistryTest, OneThatIsBeingStartedCountsUntilItIsSettled) {
  run({"t", "1"}, 1);
  registry_.begin({"t", "2"}, 0, true);
  EXPECT_NE(refused({"t", "3"}), "");
  registry_.settle({"t", "2"}, {true, false, 2});
  EXPECT_EQ(refused({"t", "3"}), "");
}

TEST_F(SessionRegistryTest, OneThatIsOnlyLookedAtDoesNotCount) {
  run({"t", "1"}, 1);
  registry_.begin({"t", "2"}, 0, false);
  EXPECT_EQ(refused({"t", "3"}), "");
}

TEST_F(SessionRegistryTest, TheEndOfAnEarlierLaunchChangesNothing) {
  run({"t", "1"}, 1);
  run({"t", "1"}, 2);
  run({"t", "2"}, 3);
  registry_.on_ended({"t", "1"}, 1);
  EXPECT_NE(refused({"t", "3"}), "");
  registry_.on_ended({"t", "1"}, 2);
  EXPECT_EQ(refused({"t", "3"}), "");
}

TEST_F(SessionRegistryTest, OfMoreThanAreRetainedTheOneThatEndedFirstGoesFirst) {
  run({"t", "1"}, 1);
  run({"t", "2"}, 2);
  registry_.on_ended({"t", "2"}, 2);
  EXPECT_EQ(surplus(), "") << "so many may be retained";
  registry_.on_ended({"t", "1"}, 1);
  EXPECT_EQ(surplus(), "2");
  registry_.forget({"t", "2"});
  EXPECT_EQ(surplus(), "");
}

TEST_F(SessionRegistryTest, EachAgentsSessionHasAShareOfItsOwn) {
  run_to_its_end({"t", "shell"});
  for (const char* id : {"1", "2"}) run_to_its_end({"acp/a", id});
  EXPECT_EQ(surplus(), "") << "so many may be retained";
  run_to_its_end({"acp/b", "3"});
  run_to_its_end({"acp/b", "4"});
  EXPECT_EQ(surplus(), "") << "neither another session's nor people's";
  run_to_its_end({"acp/a", "5"});
  EXPECT_EQ(surplus(), "1");
  run_to_its_end({"u", "shell too"});
  EXPECT_EQ(surplus(), "shell 1") << "and people's push out none of agents'";
}

TEST_F(SessionRegistryTest, ThoseThatAreKeptForPeoplePushOutNoneThatIsNotReleased) {
  run_to_its_end({"acp/a", "1"});
  for (const char* id : {"2", "3"}) run_to_its_end({"acp/a", id}, Remains::text_for_people);
  EXPECT_EQ(surplus(), "");
  run_to_its_end({"acp/a", "4"}, Remains::text_for_people);
  EXPECT_EQ(surplus(), "2");
}

TEST_F(SessionRegistryTest, AProgramWhoseJobsRunGoesForNoOther) {
  run_to_its_end({"acp/a", "1"}, Remains::jobs);
  for (const char* id : {"2", "3"}) run_to_its_end({"acp/a", id});
  EXPECT_EQ(surplus(), "");
  registry_.on_ended({"acp/a", "1"}, 1);
  EXPECT_EQ(surplus(), "2") << "it is over only now";
}

TEST_F(SessionRegistryTest, SoManyMayLeaveJobsAndThenNoProgramOfTheirSessionStarts) {
  run_to_its_end({"acp/a", "1"}, Remains::jobs);
  EXPECT_EQ(refused({"acp/a", "3"}), "");
  run_to_its_end({"acp/a", "2"}, Remains::jobs);
  EXPECT_EQ(refused({"acp/a", "3"}),
            "Too many terminals: 2 of this session have ended and left jobs that run on, the limit is 2: release some");
  EXPECT_EQ(refused({"acp/b", "3"}), "");
  registry_.on_ended({"acp/a", "1"}, 1);
  EXPECT_EQ(refused({"acp/a", "3"}), "");
}

TEST_F(SessionRegistryTest, OfAllAgentsTogetherTheLargestShareGivesItsOldest) {
  run_to_its_end({"acp/a", "1"});
  for (const char* session : {"acp/b", "acp/c"})
    for (const char* id : {"2", "3"}) run_to_its_end({session, id});
  EXPECT_EQ(surplus(), "") << "so many may be retained";
  run_to_its_end({"t", "shell"});
  EXPECT_EQ(surplus(), "") << "people's do not count";
  run_to_its_end({"acp/d", "4"});
  EXPECT_EQ(surplus(), "2") << "the small shares keep what they have";
  registry_.forget({"acp/b", "2"});
  EXPECT_EQ(surplus(), "");
}

TEST_F(SessionRegistryTest, AShareThatIsTooLargeByItselfGivesOneAtATime) {
  for (const char* id : {"1", "2"}) run_to_its_end({"acp/a", id}, Remains::jobs);
  run_to_its_end({"acp/b", "3"});
  for (const char* id : {"4", "5", "6"}) run_to_its_end({"acp/c", id});
  EXPECT_EQ(surplus(), "4");
}

TEST_F(SessionRegistryTest, SoManyOfAllAgentsMayLeaveJobsAndThenNoProgramStarts) {
  for (const char* session : {"acp/a", "acp/b"})
    for (const char* id : {"1", "2"}) run_to_its_end({session, id}, Remains::jobs);
  run_to_its_end({"acp/c", "1"});
  run_to_its_end({"acp/d", "1"});
  EXPECT_EQ(refused({"acp/c", "2"}), "") << "these can make room";
  run_to_its_end({"acp/c", "2"}, Remains::jobs);
  EXPECT_EQ(refused({"acp/d", "2"}),
            "Too many terminals: 5 of agents have ended and left jobs that run on, the limit is 5: release some");
  EXPECT_EQ(refused({"t", "shell"}), "") << "people's start all the same";
  registry_.forget({"acp/a", "1"});
  EXPECT_EQ(refused({"acp/d", "2"}), "");
}

TEST_F(SessionRegistryTest, ASessionStaysOnTheLoopWhereItWasMade) {
  EXPECT_EQ(registry_.loop_of({"t", "1"}), std::nullopt);
  EXPECT_EQ(registry_.begin({"t", "1"}, 1, true), 1u);
  EXPECT_EQ(registry_.begin({"t", "1"}, 0, true), 1u);
  EXPECT_EQ(registry_.forget({"t", "1"}), std::optional<std::size_t>(1));
  EXPECT_EQ(registry_.forget({"t", "1"}), std::nullopt);
}

TEST_F(SessionRegistryTest, WhatCouldNotBeMadeIsNotKnown) {
  registry_.begin({"t", "1"}, 0, true);
  registry_.settle({"t", "1"}, {});
  EXPECT_FALSE(registry_.knows({"t", "1"}));
}

TEST_F(SessionRegistryTest, AThreadIsToldOfWholeOrByTheOneThatIsNamed) {
  for (const auto& key : {SessionKey{"t", "1"}, SessionKey{"t", "2"}, SessionKey{"u", "1"}}) run(key, 1);
  EXPECT_EQ(registry_.keys_in("t", std::nullopt), (std::vector<SessionKey>{{"t", "1"}, {"t", "2"}}));
  EXPECT_EQ(registry_.keys_in("t", "2"), (std::vector<SessionKey>{{"t", "2"}}));
  EXPECT_TRUE(registry_.keys_in("t", "3").empty());
}

}  // namespace
}  // namespace ptyd
