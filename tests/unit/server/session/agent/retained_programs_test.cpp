// Programs of agents that have ended: how many are kept, and which one goes first.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/server/session/agent/agent_terminal_test.hpp"

namespace ptyd {
namespace {

class RetainedPrograms : public AgentTerminalTest {
 protected:
  RetainedPrograms() {
    options_.retained_sessions = 1;
    options_.retained_programs = 2;
    start_again();
    for (const auto& each : {agent_, people_}) sessions_->add_viewer(each);
  }
  static SessionKey named(const std::string& session, int number) {
    return {"acp/" + session, "term_" + std::to_string(number)};
  }
  void run_to_its_end(const SessionKey& key) {
    ASSERT_EQ(run(plain(key)), "done");
    end();
  }
  bool is_known(const SessionKey& key) { return told(ask(agent_, AwaitExit{key})) == "exit 0"; }
};

TEST_F(RetainedPrograms, AreTheNewestOfEachSessionWhateverOthersRun) {
  open(people_, {"t", "shell"});
  end();
  for (const int n : {1, 2}) run_to_its_end(named("a", n));
  for (const int n : {1, 2, 3}) run_to_its_end(named("b", n));
  EXPECT_TRUE(is_known(named("a", 1)));
  EXPECT_FALSE(is_known(named("b", 1)));
  EXPECT_TRUE(is_known(named("b", 2)));
  EXPECT_EQ(list().size(), 5u) << "people's shell among them";
  for (const char* id : {"shell 2", "shell 3"}) {
    open(people_, {"t", id});
    end();
  }
  EXPECT_TRUE(is_known(named("a", 1)));
  EXPECT_EQ(list().size(), 5u);
}

TEST_F(RetainedPrograms, DoNotGoForThoseThatAreReleasedAndPinned) {
  run_to_its_end(named("a", 1));
  for (const int n : {2, 3, 4}) {
    run_to_its_end(named("a", n));
    later("pin", Pin{named("a", n)});
    later("release", Release{named("a", n)});
  }
  EXPECT_TRUE(is_known(named("a", 1)));
  ASSERT_EQ(list().size(), 3u);
  EXPECT_EQ(list()[1].key, named("a", 3)) << "the one that was released first is gone";
}

TEST_F(RetainedPrograms, StayWhileTheirJobsRun) {
  ASSERT_EQ(run(plain(named("a", 1))), "done");
  child().leaves_jobs = true;
  auto& first = child();
  end();
  for (const int n : {2, 3, 4}) run_to_its_end(named("a", n));
  EXPECT_TRUE(is_known(named("a", 1)));
  EXPECT_EQ(first.hang_ups, 0);
  EXPECT_FALSE(is_known(named("a", 2)));
  first.end_jobs();
  settle();
  run_to_its_end(named("a", 5));
  EXPECT_TRUE(is_known(named("a", 1))) << "it was over later than the third";
  EXPECT_FALSE(is_known(named("a", 4)));
}

}  // namespace
}  // namespace ptyd
