// Cursors, replies in their place, and who wrote last, without a session.
#include "server/session/audience.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/session/mark_payload.hpp"
#include "tests/support/server/session/session_bench.hpp"

namespace ptyd {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Reached = Subscription::Barrier::Reached;

class AudienceTest : public testing::Test {
 protected:
  /// One that holds each event until take().
  Subscription& join(const std::shared_ptr<FakeViewer>& viewer) {
    viewer->takes = false;
    return audience_.add(++last_, viewer);
  }
  std::shared_ptr<FakeViewer> viewer() { return std::make_shared<FakeViewer>(loop_, "viewer"); }
  /// Sends what may be sent, and lets viewers hear it.
  void pump() {
    journal_.commit();
    audience_.pump(now_);
    loop_.context().restart();
    loop_.context().poll();
  }
  void print(std::string_view text) {
    journal_.append(text);
    pump();
  }
  void take(const Subscription& subscription) {
    EXPECT_TRUE(audience_.on_taken(subscription.id));
    pump();
  }
  void take_all(const Subscription& subscription) {
    pump();
    while (subscription.event_in_flight) take(subscription);
  }
  /// More than anybody is sent who holds an event.
  void print_too_much() { print(std::string(flow::kBudget + 1, 'x')); }
  std::string here() const { return format_cursor({journal_.incarnation(), journal_.head()}); }
  void answer_in_place(Subscription& subscription) {
    audience_.answer_in_place(subscription, [this](Reached how) { reached_.push_back(how); });
  }

  Loop loop_{0};
  Journal journal_ = *Journal::create({}, "test");
  EventSource source_{{"thread", "terminal"}, journal_, machine_clock()};
  Audience audience_{journal_, source_, [](Position) { return "the present"; }};
  TimePoint now_{};
  std::vector<Reached> reached_;

 private:
  SubscriptionId last_ = 0;
};

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
  EXPECT_FALSE(audience_.on_passed_over(4711, 1, now_));
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

// --- pace

TEST_F(AudienceTest, WhoseClientIsSentNothingSetsNoPace) {
  const auto& subscription = join(viewer());
  print("text");
  ASSERT_TRUE(audience_.fastest(now_));
  EXPECT_TRUE(audience_.on_passed_over(subscription.id, 4, now_));
  EXPECT_FALSE(audience_.fastest(now_));
  EXPECT_EQ(subscription.credit.in_flight(), 0u) << "what was not sent needs no proof";
  print("more");
  take(subscription);
  EXPECT_EQ(audience_.fastest(now_), journal_.head()) << "it is sent output again";
}

TEST_F(AudienceTest, WhoseClientIsNotToldOfOneEventSetsThePaceAllTheSame) {
  const auto& subscription = join(viewer());
  journal_.mark(MarkKind::title, 0, "a title");
  pump();
  EXPECT_TRUE(audience_.on_passed_over(subscription.id, 0, now_));
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
