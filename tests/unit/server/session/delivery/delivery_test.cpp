// Delivery to cursors, without a session: bytes and marks, the present, output of our own, replies in their place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/session/recording/mark_payload.hpp"
#include "tests/support/server/session/delivery/audience_test.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Reached = Subscription::Barrier::Reached;

class DeliveryTest : public AudienceTest {
 protected:
  /// A reply waits behind "held", its cursor has jumped on, and the first of two marks is told.
  Subscription& jump_over_two_marks(const std::shared_ptr<FakeViewer>& someone) {
    auto& subscription = join(someone);
    print("held");
    journal_.mark(MarkKind::title, 0, "a title");
    journal_.mark(MarkKind::activity, 0, encode_payload(Activity{}));
    answer_in_place(subscription);
    print_too_much();
    take(subscription);
    return subscription;
  }
};

TEST_F(DeliveryTest, AViewerHearsWhatFollowsOneEventAtATime) {
  print("before it came");
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("one");
  print("two");
  EXPECT_EQ(someone->output, "one") << "it holds an event that it has not taken";
  take(subscription);
  EXPECT_EQ(someone->output, "onetwo");
}

TEST_F(DeliveryTest, EachViewerHearsBytesAndMarksInTheirOrder) {
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

// --- the present

TEST_F(DeliveryTest, AnOverrunCursorIsShownThePresent) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  journal_.append(std::string(flow::kBudget + 1, 'x'));
  take_all(subscription);
  EXPECT_EQ(someone->output, "the present");
  EXPECT_EQ(audience_.resyncs(), 1u);
}

TEST_F(DeliveryTest, BeforeThePresentAViewerIsToldHowManyLinesAreMissing) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  const auto before = here();
  missing_ = 1234;
  print_too_much();
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "resynced", "output"));
  EXPECT_EQ(std::get<Resynced>(someone->all[0].body).skipped_lines, 1234u);
  EXPECT_EQ(format_cursor(someone->all[0].cursor), before) << "a client that is cut there hears it again";
  EXPECT_EQ(someone->last_cursor, here());
}

TEST_F(DeliveryTest, OfWhatWasSkippedAViewerIsShownAsMuchAsItWantsAndItsLineCarries) {
  auto& subscription = join(viewer());
  subscription.scrollback = 7;
  print_too_much();
  EXPECT_EQ(lines_, 7u);
  EXPECT_EQ(bytes_, subscription.credit.worth_of_skipped());
}

TEST_F(DeliveryTest, ThePresentIsMadeWhenItCanBeSent) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  ack_nothing(subscription);
  print_too_much();
  take_all(subscription);
  EXPECT_EQ(audience_.resyncs(), 0u);
  EXPECT_TRUE(audience_.on_returned(subscription.id, subscription.credit.in_flight(), now_));
  take_all(subscription);
  EXPECT_EQ(audience_.resyncs(), 1u);
  EXPECT_THAT(someone->output, testing::EndsWith("the present"));
}

TEST_F(DeliveryTest, ThePresentIsMadeWhenItCanBeSentAlsoWhereTheJournalHasForgottenTheRest) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  ack_nothing(subscription);
  print(std::string(journal_.capacity() + 1, 'x'));
  take_all(subscription);
  EXPECT_EQ(audience_.resyncs(), 0u);
  EXPECT_TRUE(audience_.on_returned(subscription.id, subscription.credit.in_flight(), now_));
  take_all(subscription);
  EXPECT_THAT(someone->output, testing::EndsWith("the present"));
}

// --- marks that a cursor jumps over

TEST_F(DeliveryTest, AnOverrunViewerIsToldOfWhatHappenedMeanwhileAndThenShownThePresent) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  journal_.mark(MarkKind::title, 0, "first title");
  journal_.mark(MarkKind::resized, 0, encode_payload(Size{100, 40}));
  print_too_much();
  journal_.mark(MarkKind::title, 0, "last title");
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "resized", "title", "resynced", "output"));
  EXPECT_EQ(std::get<Title>(someone->all[1].body).title, "last title");
  EXPECT_EQ(someone->output, "heldthe present");
}

TEST_F(DeliveryTest, AnOverrunViewerHearsOfTheExitBehindThePresent) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  journal_.mark(MarkKind::exited, 0, encode_payload(ExitStatus{1, {}}));
  print_too_much();
  journal_.mark(MarkKind::exited, 0, encode_payload(ExitStatus{7, {}}));
  journal_.mark(MarkKind::title, 0, "the title");
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "exited", "resynced", "output", "exited", "title"));
  EXPECT_EQ(std::get<Exited>(someone->all[2].body).exit.code, 7);
  EXPECT_EQ(someone->output, "heldthe present");
}

TEST_F(DeliveryTest, WhatHappenedIsToldAlsoWhenTheJournalHasForgottenIt) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  journal_.mark(MarkKind::error, 0, "it happened");
  pump();
  journal_.append(std::string(journal_.capacity(), 'x'));
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "error", "resynced", "output"));
}

TEST_F(DeliveryTest, WhoComesBackIsToldOfMarksThatEverybodyElseHadPassed) {
  const auto after = here();
  print("held");
  journal_.mark(MarkKind::error, 0, "it happened");
  print("passed by nobody");
  const auto back = viewer();
  auto& subscription = join(back);
  audience_.go_on(subscription, audience_.still_here(after).value());
  pump();
  journal_.append(std::string(journal_.capacity(), 'x'));
  take_all(subscription);
  EXPECT_THAT(back->events, ElementsAre("output", "error", "resynced", "output"));
}

TEST_F(DeliveryTest, WhoOnlyHearsEventsIsNotShownThePresent) {
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

TEST_F(DeliveryTest, WhatIsTakenBackIsOutputOnly) {
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

TEST_F(DeliveryTest, AReplyComesBehindTheMarksThatItsCursorJumpedOver) {
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

TEST_F(DeliveryTest, WhatAReplyShowsThatItsCursorJumpedToIsNotSentAgain) {
  const auto someone = viewer();
  auto& subscription = jump_over_two_marks(someone);
  print("late");
  journal_.mark(MarkKind::title, 0, "a later one");
  take(subscription);
  EXPECT_THAT(reached_, ElementsAre(Reached::by_jump));
  EXPECT_EQ(subscription.cursor, journal_.head()) << "the reply shows so much";
  take_all(subscription);
  EXPECT_EQ(someone->output, "held");
  EXPECT_THAT(someone->events, ElementsAre("output", "title", "activity", "title"));
}

TEST_F(DeliveryTest, WhatBeginsAfreshIsToldBeforeAReplyThatItsCursorJumpedTo) {
  const auto someone = viewer();
  auto& subscription = jump_over_two_marks(someone);
  journal_.mark(MarkKind::cleared, 0, "");
  take(subscription);
  EXPECT_THAT(reached_, IsEmpty());
  take(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "title", "activity", "cleared"));
  EXPECT_THAT(reached_, ElementsAre(Reached::by_jump));
}

TEST_F(DeliveryTest, AMarkBehindHalfACharacterIsToldToWhoHasPassedThat) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  print("caf\xE9");
  take_all(subscription);
  journal_.mark(MarkKind::exited, 0, encode_payload(ExitStatus{0, {}}));
  take_all(subscription);
  EXPECT_THAT(someone->events, ElementsAre("output", "exited"));
  EXPECT_EQ(someone->output, "caf\xEF\xBF\xBD");
}

TEST_F(DeliveryTest, WhoIsCutBeforeItIsShownThePresentComesBackToWhatItWasShown) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  const auto shown = someone->last_cursor;
  print_too_much();
  journal_.mark(MarkKind::title, 0, "a title");
  take(subscription);
  ASSERT_THAT(someone->events, ElementsAre("output", "title"));
  EXPECT_EQ(someone->last_cursor, shown);
  take(subscription);
  ASSERT_THAT(someone->events, ElementsAre("output", "title", "resynced"));
  EXPECT_EQ(someone->last_cursor, shown);
  take(subscription);
  EXPECT_EQ(someone->last_cursor, here());
}

// --- output of our own, in pieces

TEST_F(DeliveryTest, ALongRepaintIsSentInPiecesAsCreditComes) {
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

TEST_F(DeliveryTest, WhoIsCutInTheMiddleOfARepaintCannotGoOnFromThere) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  present_ = std::string(flow::kMinWindow, 'p');
  print_too_much();
  take(subscription);
  ASSERT_LT(someone->output.size(), present_.size());
  EXPECT_FALSE(audience_.still_here(someone->last_cursor)) << "its emulator is nowhere in the journal";
  take_all(subscription);
  ASSERT_EQ(someone->output.size(), present_.size());
  EXPECT_EQ(someone->last_cursor, here());
}

TEST_F(DeliveryTest, ARepaintThatHasBegunIsSentToItsEndAndThenTheNext) {
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

TEST_F(DeliveryTest, AReplyComesBehindTheWholeOfARepaint) {
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

TEST_F(DeliveryTest, OfARepaintThatIsGivenUpTheSequenceIsEnded) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  present_ = std::string(3 * flow::kMinWindow, 'p');
  print_too_much();
  take(subscription);
  const auto begun = someone->output;
  audience_.skip_to(journal_.head());
  take_all(subscription);
  EXPECT_TRUE(someone->output == begun + "\x18");
}

TEST_F(DeliveryTest, WhoIsCutBetweenAClearAndTheModesGetsBothAgain) {
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

TEST_F(DeliveryTest, WhoIsCutBetweenAClearThatItsCursorJumpedOverAndThePresentClearsOnceMore) {
  const auto someone = viewer();
  const auto& subscription = join(someone);
  print("held");
  const auto at = journal_.mark(MarkKind::cleared, 0, "modes");
  print_too_much();
  take(subscription);
  ASSERT_THAT(someone->events, ElementsAre("output", "cleared"));
  EXPECT_EQ(audience_.still_here(someone->last_cursor), at) << "its emulator has none of the program's modes";
}

TEST_F(DeliveryTest, TextForAClipboardCarriesTheCursorOfWhereItIsTold) {
  const auto someone = viewer();
  auto& subscription = join(someone);
  subscription.takes_clipboard = true;
  print("held");
  audience_.give_to_clipboard("c", "aGVsbG8=");
  print("sent before it");
  take_all(subscription);
  ASSERT_EQ(someone->events.back(), "clipboard");
  EXPECT_EQ(someone->last_cursor, here());
}

// --- replies in their place

TEST_F(DeliveryTest, AReplyComesBehindWhatWasPrintedBeforeIt) {
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

TEST_F(DeliveryTest, AReplyThatACursorJumpedOverSaysSo) {
  auto& subscription = join(viewer());
  print("held");
  print("one");
  answer_in_place(subscription);
  print("two");
  audience_.skip_to(journal_.head());
  pump();
  EXPECT_THAT(reached_, ElementsAre(Reached::by_jump));
}

}  // namespace
}  // namespace ptyd
