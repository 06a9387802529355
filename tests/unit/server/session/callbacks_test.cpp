// Callbacks from inside a session's call may do anything: they must free nothing that is still in use.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/session/delivery/flow.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

using testing::HasSubstr;

class CallbacksTest : public SessionTest {
 protected:
  Command open_command(bool attach) {
    Open asked;
    asked.key = kKey;
    asked.cwd = "/";
    asked.attach = attach;
    asked.cols = next_cols_++;  // so that it is a change of size too
    return asked;
  }
  /// The answer is filled in when it comes.
  std::shared_ptr<std::optional<Result<Reply>>> begin(const std::shared_ptr<FakeViewer>& viewer, Command command) {
    auto answer = std::make_shared<std::optional<Result<Reply>>>();
    sessions_->submit(viewer, std::move(command), [answer](Result<Reply> reply) { *answer = std::move(reply); });
    return answer;
  }
  void leave(FakeViewer& viewer) {
    for (const auto& handle : viewer.handles) handle.cancel();
  }
  void expect_it_lives() {
    auto witness = viewer("witness");
    open(witness);
    child().say("still here");
    read(witness, "still here");
  }

 private:
  std::uint16_t next_cols_ = 81;
};

/// A viewer that leaves as soon as it is told of anything, as a connection does that was reset meanwhile.
class LeavingTest : public CallbacksTest, public testing::WithParamInterface<std::string_view> {
 protected:
  std::shared_ptr<FakeViewer> leaver() {
    auto made = viewer("leaver");
    made->when_told = [this, made = made.get()](std::string_view what) {
      if (what == GetParam()) leave(*made);
    };
    return made;
  }
};

TEST_P(LeavingTest, AtTheStartOfATerminal) {
  begin(leaver(), open_command(false));
  settle();
  expect_it_lives();
}

TEST_P(LeavingTest, AtAnAttach) {
  auto owner = viewer("owner");
  open(owner);
  child().say("what there is to hear");
  for (int n = 0; n < 3; ++n) begin(leaver(), open_command(true));
  settle();
  expect_it_lives();
}

TEST_P(LeavingTest, AtAnOpenThatChangesTheSize) {
  auto owner = viewer("owner");
  open(owner);
  begin(leaver(), open_command(false));
  settle();
  expect_it_lives();
}

TEST_P(LeavingTest, AtARestart) {
  auto owner = viewer("owner");
  open(owner);
  Restart asked;
  asked.key = kKey;
  asked.cwd = "/";
  asked.size = {80, 24};
  begin(leaver(), asked);
  settle();
  expect_it_lives();
}

TEST_P(LeavingTest, AtOutputAndTheExit) {
  auto owner = viewer("owner"), one = leaver(), two = leaver();
  for (const auto& each : {owner, one, two}) open(each);
  child().say("heard");
  child().exit({0, {}});
  until([&] { return owner->events.back() == "exited"; }, "the exit");
  settle();
  expect_it_lives();
}

INSTANTIATE_TEST_SUITE_P(When, LeavingTest, testing::Values("subscribed", "event", "lifecycle"),
                         [](const auto& when) { return std::string(when.param); });

TEST_F(CallbacksTest, AViewerThatIsRemovedByANoticeLeavesTheOthersToldOfIt) {
  auto owner = viewer("owner"), first = viewer("first"), second = viewer("second");
  for (const auto& each : {first, second})
    each->when_told = [this, first, second](std::string_view) {
      sessions_->remove_viewer(first);
      sessions_->remove_viewer(second);
    };
  open(owner);
  settle();
  EXPECT_EQ(first->lifecycle.size(), 1u);
  EXPECT_EQ(second->lifecycle.size(), 1u);
  for (const auto& each : {first, second}) each->when_told = [](std::string_view) {};
}

TEST_F(CallbacksTest, WhoHearsOutputMayCloseTheTerminalAtOnce) {
  auto closer = viewer("closer"), other = viewer("other");
  open(closer);
  open(other);
  closer->when_told = [&](std::string_view what) {
    if (what == "event") begin(closer, Close{kKey.thread_id, kKey.terminal_id, false});
  };
  child().say("the last that is heard");
  until([&] { return other->handles.empty(); }, "the end of the terminal");
  closer->when_told = [](std::string_view) {};
  expect_it_lives();
}

TEST_F(CallbacksTest, WhoIsAnsweredMayCloseTheTerminalAtOnce) {
  auto closer = viewer("closer"), other = viewer("other");
  open(other);
  sessions_->submit(closer, open_command(true), [&](const Result<Reply>&) {
    begin(closer, Close{kKey.thread_id, kKey.terminal_id, false});
  });
  until([&] { return other->handles.empty(); }, "the end of the terminal");
  expect_it_lives();
}

TEST_F(CallbacksTest, AnOpenThatWaitsForItsPlaceIsAnsweredWhenTheTerminalIsClosed) {
  auto slow = viewer("slow"), other = viewer("other");
  open(slow);
  slow->takes = false;
  child().say("an event that is never taken");
  read(slow, "never taken");
  child().say("and what stands before the reply");
  settle();
  const auto answer = begin(slow, open_command(true));
  settle();
  ASSERT_FALSE(answer->has_value()) << "its place has not come";
  EXPECT_TRUE(ask(other, Close{kKey.thread_id, kKey.terminal_id, false}));
  settle();
  ASSERT_TRUE(answer->has_value());
  ASSERT_FALSE(**answer);
  EXPECT_EQ((*answer)->error().code(), Errc::not_found);
  EXPECT_THAT((*answer)->error().detail(), HasSubstr("Unknown terminal"));
}

TEST_F(CallbacksTest, AnOpenIsAnsweredThoughNothingOfWhatStandsBeforeItWasAcked) {
  auto silent = viewer("silent");
  open(silent);
  silent->acks = false;
  child().say(std::string(flow::kMinWindow + flow::kLead / 2, 'x') + "end");
  until([&] { return silent->output.size() >= flow::kMinWindow; }, "as much as may be on its way");
  settle();
  EXPECT_EQ(silent->output.size(), flow::kMinWindow);
  const auto answer = begin(silent, open_command(true));
  until([&] { return answer->has_value(); }, "the reply");
  EXPECT_THAT(silent->output, HasSubstr("end")) << "what stands before the reply comes before it";
}

}  // namespace
}  // namespace ptyd
