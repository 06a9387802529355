// Programs of agents that a recorder hears which takes nothing: their end waits for no viewer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "server/session/session.hpp"
#include "tests/support/server/session/agent/agent_terminal_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A program runs, and is held for a lossless viewer that was sent its first bytes and took nothing since.
class RecordedProgram : public AgentTerminalTest {
 protected:
  static constexpr std::size_t kRing = 1 << 20;

  void SetUp() override {
    ASSERT_EQ(run(), "done");
    Open asked;
    asked.key = kProgramKey;
    asked.attach = true;
    asked.policy = DeliveryPolicy::lossless;
    open_as(recorder_, asked);
    recorder_->takes = false;
    print("first\r\n");
    while (child().unread() == 0 && text_.size() < kRing) print(std::string(1000, '-') + "\r\n");
    ASSERT_GT(child().unread(), 0u) << "it should be held";
    print(std::string(8 << 10, 'x'));
    ASSERT_LE(child().unread(), Session::kHeldByKernel) << "no more than the kernel holds";
  }
  void print(const std::string& text) {
    text_ += text;
    say(text);
  }
  void take_all() {
    recorder_->takes = true;
    recorder_->take();
    settle();
  }

  const std::shared_ptr<FakeViewer> recorder_ = viewer("recorder");
  std::string text_;  // of the program, so far
};

TEST_F(RecordedProgram, TellsItsEndAndTheRecorderLosesNothing) {
  later("wait", AwaitExit{kProgramKey});
  end();
  EXPECT_THAT(answers_, ElementsAre("wait: exit 0"));
  EXPECT_EQ(child().unread(), 0u);
  take_all();
  EXPECT_EQ(recorder_->output, text_);
  EXPECT_THAT(recorder_->events, Not(Contains("warning")));
  EXPECT_EQ(recorder_->events.back(), "exited");
}

TEST_F(RecordedProgram, IsKilledAndReleased) {
  later("kill", Kill{kProgramKey});
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("kill: done", "release: done"));
}

TEST_F(RecordedProgram, TellsItsEndAndTheRecorderThatItHasLostSome) {
  later("wait", AwaitExit{kProgramKey});
  child().say(std::string(2 * Session::kHeldByKernel, 'y') + "the end");
  end();
  EXPECT_THAT(answers_, ElementsAre("wait: exit 0"));
  take_all();
  EXPECT_THAT(recorder_->events, Contains("warning").Times(1));
  EXPECT_EQ(recorder_->events.back(), "exited");
  EXPECT_THAT(recorder_->output, HasSubstr("the end"));
}

TEST_F(RecordedProgram, HoldsItsJobsForTheRecorderAfterItsEnd) {
  child().leaves_jobs = true;
  end();
  say(std::string(2 * Session::kHeldByKernel, 'y'));
  EXPECT_GT(child().unread(), 0u);
  EXPECT_THAT(recorder_->events, Not(Contains("warning")));
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("release: done"));
}

}  // namespace
}  // namespace ptyd
