// A session notices nothing of viewers that may only view.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/server/session/agent/agent_terminal_test.hpp"
#include "tests/support/server/session/delivery/audience_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

/// A client that wishes for all that others could notice.
Open wishing(const std::string& emulator) {
  Open asked;
  asked.attach = true;
  asked.traits.emulator = emulator;
  asked.features = {kFeatureOf<Clipboard>};
  return asked;
}

class ViewOnlyTest : public AudienceTest {
 protected:
  std::shared_ptr<FakeViewer> onlooker() { return std::make_shared<FakeViewer>(loop_, "onlooker", Access::view); }
  Subscription& open(const std::shared_ptr<FakeViewer>& viewer, const Open& asked) {
    auto& subscription = join(viewer);
    audience_.open(subscription, asked);
    return subscription;
  }
};

TEST_F(ViewOnlyTest, TheTraitsOfOneThatMayOnlyViewAreNotTheTerminals) {
  open(onlooker(), wishing("onlooker"));
  EXPECT_EQ(audience_.traits().emulator, "");
  open(viewer(), wishing("owner"));
  EXPECT_EQ(audience_.traits().emulator, "owner") << "it is the only one that counts";
}

TEST_F(ViewOnlyTest, TextForAClipboardIsNotGivenToOneThatMayOnlyView) {
  const auto owner = viewer(), looks = onlooker();
  open(looks, wishing(""));
  audience_.give_to_clipboard("c", "c2VjcmV0");
  open(owner, wishing(""));
  open(looks, wishing(""));
  audience_.give_to_clipboard("c", "c2VjcmV0");
  pump();
  EXPECT_THAT(owner->events, ElementsAre("clipboard"));
  EXPECT_THAT(looks->events, IsEmpty());
}

TEST_F(ViewOnlyTest, OneThatMayOnlyViewSetsNoPace) {
  open(onlooker(), wishing(""));
  print("text");
  EXPECT_FALSE(audience_.fastest(now_));
  open(viewer(), wishing(""));
  EXPECT_TRUE(audience_.fastest(now_));
}

TEST_F(ViewOnlyTest, NothingIsHeldForOneThatMayOnlyView) {
  auto asked = wishing("");
  asked.policy = DeliveryPolicy::lossless;
  const auto& subscription = open(onlooker(), asked);
  print("not taken");
  EXPECT_FALSE(audience_.would_overrun_lossless(journal_.capacity(), now_));
  audience_.remove(subscription.id, now_);
  EXPECT_THAT(audience_.holds(), IsEmpty());
}

TEST_F(AgentTerminalTest, OneThatMayOnlyViewKeepsNoReleasedProgram) {
  ASSERT_EQ(run(), "done");
  const auto looks = viewer("onlooker", Access::view);
  attach(looks);
  later("release", Release{kProgramKey});
  EXPECT_THAT(answers_, ElementsAre("release: done"));
  EXPECT_THAT(list(), IsEmpty());
  EXPECT_THAT(looks->handles, IsEmpty());
}

}  // namespace
}  // namespace ptyd
