// Cursors and the marks they pass, without a session.
#include "tests/support/server/session/audience_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "server/session/mark_payload.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Reached = Subscription::Barrier::Reached;

TEST_F(AudienceTest, AViewerHearsWhatFollowsOneEventAtATime) {
  print("before it came");
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("one");
  print("two");
  EXPECT_EQ(someone->output, "one") << "it holds an event that it has not taken";
  take(subscription);
  EXPECT_EQ(someone->output, "onetwo");
}

TEST_F(AudienceTest, EachViewerHearsBytesAndMarksInTheirOrder) {
  const auto slow = viewer(), fast = viewer();
  const auto& behind = join(slow);
  const auto& ahead = join(fast);
  print("text");
  journal_.mark(MarkKind::title, 0, "a title");
  take(ahead);
  EXPECT_THAT(fast->events, ElementsAre("output", "title"));
  EXPECT_THAT(slow->events, ElementsAre("output"));
  take(behind);
  EXPECT_THAT(slow->events, ElementsAre("output", "title"));
}

TEST_F(AudienceTest, WhoIsNotThereTakesNothing) {
  EXPECT_FALSE(audience_.on_taken(4711));
  EXPECT_FALSE(audience_.on_returned(4711, 1, now_));
  EXPECT_FALSE(audience_.on_passed_over(4711, 1));
}

// --- coming back

TEST_F(AudienceTest, ACursorIsStillHereWhileTheJournalHoldsWhatFollowedIt) {
  print("one");
  const auto after = here();
  print("two");
  ASSERT_EQ(audience_.still_here(after), journal_.head() - 3);
  journal_.move_tail(journal_.head());
  EXPECT_FALSE(audience_.still_here(after));
  EXPECT_EQ(audience_.still_here(here()), journal_.head());
}

TEST_F(AudienceTest, WhatIsNoCursorOfThisJournalIsNotHere) {
  print("text");
  const auto head = journal_.head();
  EXPECT_FALSE(audience_.still_here(""));
  EXPECT_FALSE(audience_.still_here("nonsense"));
  EXPECT_FALSE(audience_.still_here(format_cursor({journal_.incarnation() + 1, head})));
  EXPECT_FALSE(audience_.still_here(format_cursor({journal_.incarnation(), head + 1})));
}

TEST_F(AudienceTest, WhoComesBackGoesOnWhereItWas) {
  print("one");
  const auto after = here();
  print("two");
  const auto back = viewer();
  audience_.go_on(join(back), audience_.still_here(after).value());
  pump();
  EXPECT_EQ(back->output, "two");
}

TEST_F(AudienceTest, ALosslessViewerThatWentIsWaitedForUntilItComesBack) {
  auto& went = join(viewer());
  went.policy = DeliveryPolicy::lossless;
  const auto after = here();
  audience_.remove(went.id, now_);
  EXPECT_EQ(audience_.viewers(), 0u);
  EXPECT_EQ(audience_.all().size(), 1u);
  EXPECT_TRUE(audience_.would_overrun_lossless(journal_.capacity() + 1, now_));
  audience_.go_on(join(viewer()), audience_.still_here(after).value());
  EXPECT_EQ(audience_.all().size(), 1u) << "its cursor is taken up";
}

TEST_F(AudienceTest, ALosslessViewerThatWentIsNotWaitedForForEver) {
  auto& went = join(viewer());
  went.policy = DeliveryPolicy::lossless;
  audience_.remove(went.id, now_);
  EXPECT_FALSE(audience_.would_overrun_lossless(journal_.capacity() + 1, now_ + flow::kLinger));
  EXPECT_THAT(audience_.all(), IsEmpty());
}

TEST_F(AudienceTest, WhoComesBackTakesUpNoOthersCursor) {
  auto& late = join(viewer());
  auto& early = join(viewer());
  late.policy = early.policy = DeliveryPolicy::lossless;
  print("one");
  const auto after_one = here();
  for (auto* each : {&late, &early}) {
    take(*each);
    EXPECT_TRUE(audience_.on_returned(each->id, 3, now_));
  }
  audience_.remove(early.id, now_);
  print("two");
  take(late);
  EXPECT_TRUE(audience_.on_returned(late.id, 3, now_));
  audience_.remove(late.id, now_);
  audience_.go_on(join(viewer()), audience_.still_here(after_one).value());
  const auto waits = [](const auto& each) { return !each->viewer; };
  ASSERT_EQ(std::count_if(audience_.all().begin(), audience_.all().end(), waits), 1);
  EXPECT_EQ((*std::find_if(audience_.all().begin(), audience_.all().end(), waits))->cursor, journal_.head());
}

TEST_F(AudienceTest, WhatALosslessViewerHasNotProvedIsHeldForItAlsoAfterItWent) {
  auto& went = join(viewer());
  went.policy = DeliveryPolicy::lossless;
  const auto after = here();
  print("lost on its way");
  print(std::string(journal_.capacity() - 15, 'x'));
  take(went);
  EXPECT_TRUE(audience_.would_overrun_lossless(1, now_));
  audience_.remove(went.id, now_);
  EXPECT_TRUE(audience_.would_overrun_lossless(1, now_));
  const auto back = viewer();
  auto& came = join(back);
  came.policy = DeliveryPolicy::lossless;
  audience_.go_on(came, audience_.still_here(after).value());
  pump();
  EXPECT_THAT(back->output, testing::StartsWith("lost on its way"));
}

TEST_F(AudienceTest, WhatALosslessViewerHasProvedIsNotHeld) {
  auto& subscription = join(viewer());
  subscription.policy = DeliveryPolicy::lossless;
  print("text");
  EXPECT_TRUE(audience_.would_overrun_lossless(journal_.capacity(), now_));
  EXPECT_TRUE(audience_.on_returned(subscription.id, 4, now_));
  EXPECT_FALSE(audience_.would_overrun_lossless(journal_.capacity(), now_));
}

TEST_F(AudienceTest, AnOverrunCursorIsShownThePresent) {
  const auto someone = viewer();
  join(someone);
  journal_.append(std::string(flow::kBudget + 1, 'x'));
  pump();
  EXPECT_EQ(someone->output, "the present");
  EXPECT_EQ(audience_.resyncs(), 1u);
}

TEST_F(AudienceTest, OfWhatWasSkippedAViewerIsShownAsMuchAsItWantsAndItsLineCarries) {
  auto& subscription = join(viewer());
  subscription.scrollback = 7;
  print_too_much();
  EXPECT_EQ(lines_, 7u);
  EXPECT_EQ(bytes_, subscription.credit.worth_of_skipped());
}

TEST_F(AudienceTest, ThePresentIsMadeWhenItCanBeSent) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  prove_nothing(subscription);
  print_too_much();
  take_all(subscription);
  EXPECT_EQ(audience_.resyncs(), 0u);
  EXPECT_TRUE(audience_.on_returned(subscription.id, subscription.credit.in_flight(), now_));
  take_all(subscription);
  EXPECT_EQ(audience_.resyncs(), 1u);
  EXPECT_THAT(someone->output, testing::EndsWith("the present"));
}

TEST_F(AudienceTest, ThePresentIsMadeWhenItCanBeSentAlsoWhereTheJournalHasForgottenTheRest) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  prove_nothing(subscription);
  print(std::string(journal_.capacity() + 1, 'x'));
  take_all(subscription);
  EXPECT_EQ(audience_.resyncs(), 0u);
  EXPECT_TRUE(audience_.on_returned(subscription.id, subscription.credit.in_flight(), now_));
  take_all(subscription);
  EXPECT_THAT(someone->output, testing::EndsWith("the present"));
}

// --- marks that a cursor jumps over

TEST_F(AudienceTest, AnOverrunViewerIsToldOfWhatHappenedMeanwhileAndThenShownThePresent) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  journal_.mark(MarkKind::title, 0, "first title");
  journal_.mark(MarkKind::resized, 0, encode_payload(Size{100, 40}));
  print_too_much();
  journal_.mark(MarkKind::title, 0, "last title");
  journal_.mark(MarkKind::exited, 0, encode_payload(ExitStatus{7, {}}));
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "resized", "title", "exited", "output"));
  EXPECT_EQ(std::get<Title>(someone->all[1].body).title, "last title");
  EXPECT_EQ(someone->output, "heldthe present");
}

TEST_F(AudienceTest, WhatHappenedIsToldAlsoWhenTheJournalHasForgottenIt) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  journal_.mark(MarkKind::error, 0, "it happened");
  pump();
  journal_.append(std::string(journal_.capacity(), 'x'));
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "error", "output"));
}

TEST_F(AudienceTest, WhoOnlyHearsEventsIsNotShownThePresent) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  subscription.stream_output = false;
  journal_.mark(MarkKind::title, 0, "held");
  pump();
  print_too_much();
  journal_.mark(MarkKind::exited, 0, encode_payload(ExitStatus{0, {}}));
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("title", "exited"));
}

TEST_F(AudienceTest, WhatIsTakenBackIsOutputOnly) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  print("taken back");
  journal_.mark(MarkKind::exited, 0, encode_payload(ExitStatus{0, {}}));
  audience_.skip_to(journal_.head());
  journal_.move_tail(journal_.head());
  journal_.mark(MarkKind::cleared, 0, "modes");
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "exited", "cleared", "output"));
  EXPECT_EQ(someone->output, "heldmodes");
}

TEST_F(AudienceTest, AReplyComesBehindTheMarksThatItsCursorJumpedOver) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  print("held");
  journal_.mark(MarkKind::exited, 0, encode_payload(ExitStatus{0, {}}));
  answer_in_place(subscription);
  print_too_much();
  EXPECT_THAT(reached_, IsEmpty());
  take(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "exited"));
  EXPECT_THAT(reached_, ElementsAre(Reached::by_jump));
  take_all(subscription);
  EXPECT_EQ(someone->output, "held") << "the reply shows the present";
}

TEST_F(AudienceTest, WhoIsCutBeforeItIsShownThePresentComesBackToWhatItWasShown) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  const auto shown = someone->last_cursor;
  print_too_much();
  journal_.mark(MarkKind::exited, 0, encode_payload(ExitStatus{0, {}}));
  take(subscription);
  ASSERT_THAT(someone->events, ElementsAre("output", "exited"));
  EXPECT_EQ(someone->last_cursor, shown);
  take(subscription);
  EXPECT_EQ(someone->last_cursor, here());
}

}  // namespace
}  // namespace ptyd
