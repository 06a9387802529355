// Turns: what waits for what, in a thread and at a terminal of it.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "server/session/routing/turns.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {
namespace {

const SessionKey kThread{"t", ""}, kOne{"t", "one"}, kOther{"t", "other"}, kOfOtherThread{"u", "one"};

class TurnsTest : public testing::Test {
 protected:
  Turns::Turn turn(const std::string& name) {
    return {[this, name](Turns::Finished finished) {
              told_ += name + " ";
              under_way_[name] = std::move(finished);
            },
            [this, name] { told_ += name + ". "; }};
  }
  void take(const std::string& name, const SessionKey& place) { turns_.take(place, turn(name)); }
  void take_next(const std::string& name, const SessionKey& place) { turns_.take_next(place, turn(name)); }
  /// Events since, in words: "a" has begun, "a." is done.
  std::string told() {
    loop_.context().restart();
    loop_.context().poll();
    return std::exchange(told_, "");
  }
  std::string finish(const std::string& name) {
    under_way_.extract(name).mapped()();
    return told();
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
  Turns turns_{loop_};
  std::map<std::string, Turns::Finished> under_way_;
  std::string told_;
};

TEST_F(TurnsTest, OfOnePlaceComeOneAfterTheOther) {
  for (const SessionKey& place : {kThread, kOne}) {
    for (const char* name : {"a", "b", "c"}) take(name, place);
    EXPECT_EQ(told(), "a ");
    EXPECT_EQ(finish("a"), "a. b ");
    EXPECT_EQ(finish("b"), "b. c ");
    EXPECT_EQ(finish("c"), "c. ");
  }
}

TEST_F(TurnsTest, OfTwoTerminalsOrThreadsDoNotWaitForEachOther) {
  take("a", kOne);
  take("a2", kOne);
  take("b", kOther);
  take("c", kOfOtherThread);
  EXPECT_EQ(told(), "a b c ");
  EXPECT_EQ(finish("b"), "b. ");
  EXPECT_EQ(finish("a"), "a. a2 ");
}

TEST_F(TurnsTest, OfAWholeThreadWaitForAllThatIsAheadAndKeepAllThatIsBehind) {
  take("a", kOne);
  take("b", kOther);
  take("all", kThread);
  take("c", kOne);
  take("d", kOther);
  take("again", kThread);
  EXPECT_EQ(told(), "a b ");
  EXPECT_EQ(finish("b"), "b. ");
  EXPECT_EQ(finish("a"), "a. all ");
  EXPECT_EQ(finish("all"), "all. c d ");
  EXPECT_EQ(finish("c"), "c. ");
  EXPECT_EQ(finish("d"), "d. again ");
}

TEST_F(TurnsTest, ThatComeNextWaitOnlyForWhatIsUnderWay) {
  take("a", kOne);
  take("late", kOne);
  take("all", kThread);
  take_next("next", kOne);
  take_next("other", kOther);
  EXPECT_EQ(told(), "a other ") << "a turn of another terminal waits for neither";
  EXPECT_EQ(finish("a"), "a. next ");
  EXPECT_EQ(finish("next"), "next. late ");
  EXPECT_EQ(finish("late"), "late. ");
  EXPECT_EQ(finish("other"), "other. all ");
}

TEST_F(TurnsTest, ThatAreGivenWhileOthersBeginWaitForThese) {
  take("first", kThread);
  EXPECT_EQ(told(), "first ");
  turns_.take(kOne, {[this](const Turns::Finished& finished) {
                       take_next("inner", kOther);
                       finished();
                     },
                     [this] { told_ += "outer. "; }});
  take("other", kOther);
  EXPECT_EQ(finish("first"), "first. outer. other ") << "it was due at the same time";
  EXPECT_EQ(finish("other"), "other. inner ");
}

TEST_F(TurnsTest, AreToldOfUntilTheyAreDone) {
  EXPECT_FALSE(turns_.any_for(kThread));
  take("a", kOne);
  for (const auto& place : {kThread, kOne}) EXPECT_TRUE(turns_.any_for(place));
  for (const auto& place : {kOther, kOfOtherThread}) EXPECT_FALSE(turns_.any_for(place));
  take("all", kThread);
  EXPECT_TRUE(turns_.any_for(kOther));
  finish("a");
  finish("all");
  EXPECT_FALSE(turns_.any_for(kThread));
}

}  // namespace
}  // namespace ptyd
