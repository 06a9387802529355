// Calls that a client which may only view is allowed.
#include "server/policy/policy.hpp"

#include <gtest/gtest.h>

#include "tests/support/alternatives.hpp"

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

template <class... Asked>
bool is_any_of(const Command& command) {
  return (std::holds_alternative<Asked>(command) || ...);
}

TEST(Policy, WhoMayOnlyViewHearsAndListsAndDoesNothingElse) {
  for (const auto& command : alternatives<Command>()) {
    const bool is_for_all = is_any_of<Subscribe, Unsubscribe, TakeSnapshot, List, AckOutput, Detach>(command);
    const auto allowed = authorise(Access::view, row_of(command));
    EXPECT_EQ(static_cast<bool>(allowed), is_for_all) << command.index();
    EXPECT_TRUE(allowed || allowed.error().code() == Errc::denied) << command.index();
    EXPECT_TRUE(authorise(Access::full, row_of(command))) << command.index();
  }
}

TEST(Policy, WhoMayOnlyViewAttachesAndHoldsUpNoProgram) {
  EXPECT_TRUE(authorise(Access::view, row_of(attaching(DeliveryPolicy::latest))));
  EXPECT_FALSE(authorise(Access::view, row_of(attaching(DeliveryPolicy::lossless))));
  EXPECT_FALSE(authorise(Access::view, row_of(telling_a_hold())));
}

TEST(CommandTraits, WhatStartsSomethingIsOneOfFour) {
  for (const auto& command : alternatives<Command>()) {
    const bool starts = is_any_of<Open, Restart, Execute, ptyd::Run>(command);
    EXPECT_EQ(row_of(command).starts != Starts::nothing, starts) << command.index();
    EXPECT_EQ(row_of(command).starts_now, starts) << command.index();
  }
  EXPECT_EQ(row_of(attaching(DeliveryPolicy::latest)).starts, Starts::nothing);
  EXPECT_EQ(row_of(attaching(DeliveryPolicy::latest)).dispatch, Dispatch::straight) << "it waits for no other";
  Execute typing;
  typing.is_input = true;
  EXPECT_EQ(row_of(typing).starts, Starts::shell) << "it is refused where no shell may start";
  EXPECT_FALSE(row_of(typing).starts_now);
}

TEST(Policy, WhoMayOnlyViewHasHalfAsManyPlacesAndAtLeastOne) {
  EXPECT_EQ(places(Access::full, 1024), 1024u);
  EXPECT_EQ(places(Access::view, 1024), 512u);
  EXPECT_EQ(places(Access::full, 1), 1u);
  EXPECT_EQ(places(Access::view, 1), 1u);
}

}  // namespace
}  // namespace ptyd
