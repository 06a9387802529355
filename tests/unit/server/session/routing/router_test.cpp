#include "server/session/routing/router.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

const SessionKey kHere{"t", "here"}, kSibling{"t", "sibling"}, kElsewhere{"u", "elsewhere"};

TEST(Router, SendsWhatIsTypedStraightToASessionItKnows) {
  Router router;
  router.learn(kHere, 2);
  EXPECT_EQ(router.straight_to(Request(Write{kHere, "x"})), 2u);
  EXPECT_EQ(router.straight_to(Request(Resize{kHere, {80, 24}})), 2u);
}

TEST(Router, SendsAClientThatOnlyAttachesStraightToo) {
  Router router;
  Open attach;
  attach.key = kHere;
  attach.attach = true;
  EXPECT_FALSE(router.straight_to(Request(attach))) << "it is not known";
  router.learn(kHere, 2);
  EXPECT_EQ(router.straight_to(Request(attach)), 2u);
}

TEST(Router, SendsThroughLoopZeroWhatItDoesNotKnow) {
  Router router;
  router.learn(kHere, 2);
  EXPECT_FALSE(router.straight_to(Request(Write{kSibling, "x"})));
  router.forget(kHere);
  EXPECT_FALSE(router.straight_to(Request(Write{kHere, "x"})));
}

TEST(Router, SendsInTurnWhateverStartsOrEndsSomething) {
  Router router;
  router.learn(kHere, 2);
  Open open;
  open.key = kHere;
  EXPECT_FALSE(router.straight_to(Request(open)));
  EXPECT_FALSE(router.straight_to(Request(Clear{kHere})));
  EXPECT_FALSE(router.straight_to(Request(Restart{kHere, "/", {80, 24}, {}})));
  EXPECT_FALSE(router.straight_to(Request(Close{kHere.thread_id, kHere.terminal_id, false})));
}

TEST(Router, LetsNothingOvertakeWhatIsOnItsWayToTheSameSession) {
  Router router;
  for (const auto& key : {kHere, kSibling}) router.learn(key, 1);
  const auto one = router.sent(Request(Clear{kHere})), another = router.sent(Request(Clear{kHere}));
  EXPECT_FALSE(router.straight_to(Request(Write{kHere, "x"})));
  EXPECT_EQ(router.straight_to(Request(Write{kSibling, "x"})), 1u) << "a sibling does not wait for a disk";
  router.arrived(one);
  EXPECT_FALSE(router.straight_to(Request(Write{kHere, "x"}))) << "one of two is still on its way";
  router.arrived(another);
  EXPECT_EQ(router.straight_to(Request(Write{kHere, "x"})), 1u);
}

TEST(Router, LetsNothingOvertakeTheCloseOfAWholeThread) {
  Router router;
  for (const auto& key : {kHere, kSibling, kElsewhere}) router.learn(key, 1);
  const auto all = router.sent(Request(Close{kHere.thread_id, std::nullopt, false}));
  EXPECT_FALSE(router.straight_to(Request(Write{kHere, "x"})));
  EXPECT_FALSE(router.straight_to(Request(Write{kSibling, "x"})));
  EXPECT_EQ(router.straight_to(Request(Write{kElsewhere, "x"})), 1u);
  router.arrived(all);
  EXPECT_EQ(router.straight_to(Request(Write{kHere, "x"})), 1u);
}

TEST(Router, FollowsASessionThatWasMadeAgainOnAnotherLoop) {
  Router router;
  router.learn(kHere, 1);
  router.forget(kHere);
  router.learn(kHere, 3);
  EXPECT_EQ(router.straight_to(Request(Write{kHere, "x"})), 3u);
}

}  // namespace
}  // namespace ptyd
