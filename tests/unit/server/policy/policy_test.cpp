// Calls that a client which may only view is allowed.
#include "server/policy/policy.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

const SessionKey kKey{"t", "default"};

Open attaching(DeliveryPolicy policy) {
  Open asked;
  asked.key = kKey;
  asked.attach = true;
  asked.policy = policy;
  return asked;
}
Open telling_a_hold() {
  auto asked = attaching(DeliveryPolicy::latest);
  asked.hold = "recorder";
  return asked;
}

TEST(Policy, WhoMayOnlyViewHearsAndLists) {
  for (const Command& command :
       {Command(attaching(DeliveryPolicy::latest)), Command(Subscribe{}), Command(Unsubscribe{}),
        Command(TakeSnapshot{kKey, {}, {}}), Command(List{}), Command(AckOutput{kKey, 1}), Command(Detach{kKey})})
    EXPECT_TRUE(authorise(Access::view, row_of(command))) << command.index();
}

TEST(Policy, WhoMayOnlyViewDoesNothingThatOthersWouldNotice) {
  for (const Command& command :
       {Command(Open{}), Command(attaching(DeliveryPolicy::lossless)), Command(telling_a_hold()),
        Command(Write{kKey, "x"}), Command(Resize{kKey, {80, 24}}), Command(Clear{kKey}),
        Command(Restart{kKey, "/", {}, {}}), Command(Close{"t", {}, false}), Command(ptyd::Run{}), Command(Execute{}),
        Command(ReadOutput{kKey}), Command(AwaitExit{kKey}), Command(Kill{kKey}), Command(Release{kKey}),
        Command(Keep{kKey}), Command(Pin{kKey}), Command(Signal{kKey, 2})}) {
    const auto allowed = authorise(Access::view, row_of(command));
    ASSERT_FALSE(allowed) << command.index();
    EXPECT_EQ(allowed.error().code(), Errc::denied);
    EXPECT_TRUE(authorise(Access::full, row_of(command)));
  }
}

TEST(Policy, WhoMayOnlyViewHasHalfAsManyPlacesAndAtLeastOne) {
  EXPECT_EQ(places(Access::full, 1024), 1024u);
  EXPECT_EQ(places(Access::view, 1024), 512u);
  EXPECT_EQ(places(Access::full, 1), 1u);
  EXPECT_EQ(places(Access::view, 1), 1u);
}

}  // namespace
}  // namespace ptyd
