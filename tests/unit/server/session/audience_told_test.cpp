// Output of our own, pace, replies in their place, and who wrote last, without a session.
#include "tests/support/server/session/audience_test.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Reached = Subscription::Barrier::Reached;

// --- output of our own, in pieces

TEST_F(AudienceTest, ALongRepaintIsSentInPiecesAsCreditComes) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  // Of three bytes each, so that pieces end inside of characters unless they are cut well.
  present_.clear();
  while (present_.size() < 3 * flow::kMinWindow) present_ += "漢";
  print_too_much();
  take_all(subscription);
  EXPECT_LE(someone->output.size(), flow::kMinWindow);
  EXPECT_LE(someone->largest_frame, flow::kMinWindow);
  while (subscription.credit.in_flight() > 0) {
    EXPECT_TRUE(audience_.on_returned(subscription.id, subscription.credit.in_flight(), now_));
    take_all(subscription);
  }
  EXPECT_TRUE(someone->output == present_);
  EXPECT_EQ(audience_.resyncs(), 1u);
}

TEST_F(AudienceTest, WhoIsCutInTheMiddleOfARepaintCannotGoOnFromThere) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  present_ = std::string(flow::kMinWindow, 'p');
  print_too_much();
  ASSERT_LT(someone->output.size(), present_.size());
  EXPECT_FALSE(audience_.still_here(someone->last_cursor)) << "its emulator is nowhere in the journal";
  take_all(subscription);
  ASSERT_EQ(someone->output.size(), present_.size());
  EXPECT_EQ(someone->last_cursor, here());
}

TEST_F(AudienceTest, ARepaintThatHasBegunIsSentToItsEndAndThenTheNext) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  present_ = std::string(flow::kMinWindow, 'p');
  print_too_much();
  present_ = "next";
  print_too_much();
  take_all(subscription);
  EXPECT_TRUE(audience_.on_returned(subscription.id, subscription.credit.in_flight(), now_));
  take_all(subscription);
  EXPECT_TRUE(someone->output == std::string(flow::kMinWindow, 'p') + "next");
}

TEST_F(AudienceTest, AReplyComesBehindTheWholeOfARepaint) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  present_ = std::string(3 * flow::kMinWindow, 'p');
  print_too_much();
  answer_in_place(subscription);
  EXPECT_THAT(reached_, IsEmpty());
  take_all(subscription);
  EXPECT_EQ(someone->output.size(), present_.size()) << "what stands before the reply needs no credit";
  EXPECT_THAT(reached_, ElementsAre(Reached::in_order));
}

TEST_F(AudienceTest, OfARepaintThatIsGivenUpTheSequenceIsEnded) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  present_ = std::string(3 * flow::kMinWindow, 'p');
  print_too_much();
  const auto begun = someone->output;
  audience_.skip_to(journal_.head());
  take_all(subscription);
  EXPECT_TRUE(someone->output == begun + "\x18");
}

TEST_F(AudienceTest, WhoIsCutBetweenAClearAndTheModesGetsBothAgain) {
  const auto someone = viewer(), back = viewer();
  const auto& subscription = join(someone);
  journal_.mark(MarkKind::cleared, 0, "modes");
  pump();
  ASSERT_THAT(someone->events, ElementsAre("cleared"));
  const auto after = someone->last_cursor;
  take_all(subscription);
  EXPECT_EQ(someone->output, "modes");
  EXPECT_EQ(someone->last_cursor, here());
  auto& again = join(back);
  audience_.go_on(again, audience_.still_here(after).value());
  take_all(again);
  EXPECT_THAT(back->events, ElementsAre("cleared", "output"));
  EXPECT_EQ(back->output, "modes");
}

// --- pace

TEST_F(AudienceTest, WhoseClientIsSentNothingSetsNoPace) {
  const auto& subscription = join(viewer());
  print("text");
  ASSERT_TRUE(audience_.fastest(now_));
  EXPECT_TRUE(audience_.on_passed_over(subscription.id, 4));
  EXPECT_FALSE(audience_.fastest(now_));
  EXPECT_EQ(subscription.credit.in_flight(), 0u) << "what was not sent needs no proof";
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

// --- replies in their place

TEST_F(AudienceTest, AReplyComesBehindWhatWasPrintedBeforeIt) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  print("one");
  print("two");
  answer_in_place(subscription);
  print("three");
  EXPECT_THAT(reached_, IsEmpty());
  take(subscription);
  EXPECT_EQ(someone->output, "onetwo");
  EXPECT_THAT(reached_, ElementsAre(Reached::in_order));
  take(subscription);
  EXPECT_EQ(someone->output, "onetwothree");
}

TEST_F(AudienceTest, AReplyThatACursorJumpedOverSaysSo) {
  auto& subscription = join(viewer());
  print("held");
  print("one");
  answer_in_place(subscription);
  print("two");
  audience_.skip_to(journal_.head());
  pump();
  EXPECT_THAT(reached_, ElementsAre(Reached::by_jump));
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
