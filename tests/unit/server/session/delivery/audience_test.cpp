// Viewers of a session, its pace and its last writer, without a session.
#include "tests/support/server/session/delivery/audience_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Reached = Subscription::Barrier::Reached;

TEST_F(AudienceTest, WhoIsNotThereTakesNothing) {
  EXPECT_FALSE(audience_.on_taken(4711));
  EXPECT_FALSE(audience_.on_returned(4711, 1, now_));
  EXPECT_FALSE(audience_.on_passed_over(4711, 1));
}

TEST_F(AudienceTest, AReplyWhosePlaceNeverComesIsGivenUp) {
  auto& leaves = join(viewer());
  auto& is_closed = join(viewer());
  print("held");
  print("not sent");
  answer_in_place(leaves);
  answer_in_place(is_closed);
  audience_.remove(leaves.id, now_);
  EXPECT_THAT(reached_, ElementsAre(Reached::never));
  audience_.clear();
  EXPECT_THAT(reached_, ElementsAre(Reached::never, Reached::never));
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
  EXPECT_EQ(audience_.holds().size(), 1u);
  EXPECT_TRUE(audience_.would_overrun_lossless(journal_.capacity() + 1, now_));
  auto& back = join(viewer());
  back.policy = DeliveryPolicy::lossless;
  audience_.take_up(back, 0, audience_.still_here(after));
  EXPECT_THAT(audience_.holds(), IsEmpty()) << "it is taken up";
}

TEST_F(AudienceTest, ALosslessViewerThatWentIsNotWaitedForForEver) {
  auto& went = join(viewer());
  went.policy = DeliveryPolicy::lossless;
  audience_.remove(went.id, now_);
  EXPECT_FALSE(audience_.would_overrun_lossless(journal_.capacity() + 1, now_ + flow::kLinger));
  EXPECT_THAT(audience_.holds(), IsEmpty());
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
  auto& back = join(viewer());
  back.policy = DeliveryPolicy::lossless;
  audience_.take_up(back, 0, audience_.still_here(after_one));
  ASSERT_EQ(audience_.holds().size(), 1u);
  EXPECT_EQ(audience_.holds().front().reached, journal_.head());
}

TEST_F(AudienceTest, WhatALosslessViewerHasNotAckedIsHeldForItAlsoAfterItWent) {
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

TEST_F(AudienceTest, WhatALosslessViewerHasAckedIsNotHeld) {
  auto& subscription = join(viewer());
  subscription.policy = DeliveryPolicy::lossless;
  print("text");
  EXPECT_TRUE(audience_.would_overrun_lossless(journal_.capacity(), now_));
  EXPECT_TRUE(audience_.on_returned(subscription.id, 4, now_));
  EXPECT_FALSE(audience_.would_overrun_lossless(journal_.capacity(), now_));
}

TEST_F(AudienceTest, AReplyIsAckedByItselfSinceAHeldProgramPrintsNothingBehindIt) {
  auto& subscription = join(viewer());
  subscription.policy = DeliveryPolicy::lossless;
  const auto begin = journal_.head();
  const auto held_from = [&](Position position) {
    pump();
    return journal_.held() == Journal::Held{position, 1};
  };
  print("1234");
  take(subscription);
  answer_in_place(subscription);
  EXPECT_TRUE(held_from(begin)) << "the reply may be lost";
  subscription.awaits_present = true;
  EXPECT_TRUE(audience_.on_reply_arrived(subscription.id));
  EXPECT_TRUE(held_from(begin)) << "another one is to come";
  subscription.awaits_present = false;
  EXPECT_TRUE(audience_.on_reply_arrived(subscription.id));
  EXPECT_TRUE(held_from(begin + 4));
  print("5678");
  EXPECT_TRUE(audience_.on_reply_arrived(subscription.id));
  EXPECT_TRUE(held_from(begin + 4)) << "that was sent behind it";
  EXPECT_FALSE(audience_.on_reply_arrived(4711));
}

// --- pace

TEST_F(AudienceTest, WhoseClientIsSentNothingSetsNoPace) {
  const auto& subscription = join(viewer());
  print("text");
  ASSERT_TRUE(audience_.fastest(now_));
  EXPECT_TRUE(audience_.on_passed_over(subscription.id, 4));
  EXPECT_FALSE(audience_.fastest(now_));
  EXPECT_EQ(subscription.credit.in_flight(), 0u) << "what was not sent needs no ack";
  print("more");
  take(subscription);
  ASSERT_TRUE(audience_.fastest(now_)) << "it is sent output again";
  EXPECT_EQ(audience_.fastest(now_)->cursor, journal_.head());
}

TEST_F(AudienceTest, WhoseClientIsNotToldOfOneEventSetsThePaceAllTheSame) {
  const auto& subscription = join(viewer());
  journal_.mark(MarkKind::title, 0, "a title");
  pump();
  EXPECT_TRUE(audience_.on_passed_over(subscription.id, 0));
  EXPECT_TRUE(audience_.fastest(now_));
}

// --- who wrote last

TEST_F(AudienceTest, TraitsAreThoseOfWhoWroteLastAlsoAfterItWent) {
  const auto someone = viewer(), other = viewer();
  auto& first = join(someone);
  first.traits.emulator = "first";
  join(other).traits.emulator = "other";
  EXPECT_EQ(audience_.traits().emulator, "");
  audience_.on_written(someone.get());
  EXPECT_EQ(audience_.traits().emulator, "first");
  audience_.on_written(nullptr);
  audience_.remove(first.id, now_);
  EXPECT_EQ(audience_.traits().emulator, "first");
}

TEST_F(AudienceTest, UntilSomebodyWroteTraitsAreThoseOfTheOnlyOneThere) {
  const auto someone = viewer(), other = viewer();
  auto& first = join(someone);
  first.traits.emulator = "first";
  EXPECT_EQ(audience_.traits().emulator, "first");
  join(other).traits.emulator = "other";
  EXPECT_EQ(audience_.traits().emulator, "") << "whose would it be?";
  audience_.remove(first.id, now_);
  EXPECT_EQ(audience_.traits().emulator, "other");
  audience_.on_written(nullptr);
  EXPECT_EQ(audience_.traits().emulator, "other") << "nobody who hears this session wrote";
}

TEST_F(AudienceTest, TextForAClipboardGoesIntoTheOutputOfWhoWroteLastAlone) {
  const auto wrote = viewer(), other = viewer();
  join(wrote);
  join(other);
  audience_.on_written(wrote.get());
  audience_.give_to_clipboard("c", "aGVsbG8=");
  pump();
  EXPECT_EQ(wrote->output, "\x1b]52;c;aGVsbG8=\a");
  EXPECT_EQ(other->output, "");
}

TEST_F(AudienceTest, TextForAClipboardIsNobodysOnceWhoWroteLastHasGone) {
  const auto wrote = viewer(), other = viewer();
  const auto& gone = join(wrote);
  join(other);
  audience_.on_written(wrote.get());
  audience_.remove(gone.id, now_);
  audience_.give_to_clipboard("c", "aGVsbG8=");
  pump();
  EXPECT_EQ(wrote->output + other->output, "");
}

TEST_F(AudienceTest, OfThoseWhoTakeTextForClipboardsWhoWroteLastIsGivenIt) {
  const auto wrote = viewer(), came_last = viewer();
  for (const auto& each : {wrote, came_last}) join(each).takes_clipboard = true;
  audience_.give_to_clipboard("c", "aGVsbG8=");
  pump();
  EXPECT_THAT(came_last->events, ElementsAre("clipboard"));
  EXPECT_THAT(wrote->events, IsEmpty());
  audience_.on_written(wrote.get());
  audience_.give_to_clipboard("c", "aGVsbG8=");
  pump();
  EXPECT_THAT(wrote->events, ElementsAre("clipboard"));
}

TEST_F(AudienceTest, WhoCopiesTwiceWhileAViewerIsBusyMeansTheLastText) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  audience_.on_written(someone.get());
  print("held");
  audience_.give_to_clipboard("c", "Zmlyc3Q=");
  audience_.give_to_clipboard("c", "bGFzdA==");
  take(subscription);
  EXPECT_EQ(someone->output, "held\x1b]52;c;bGFzdA==\a");
}

}  // namespace
}  // namespace ptyd
