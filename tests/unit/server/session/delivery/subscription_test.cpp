// Subscriptions to a session, and typing into it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/session/child/input_queue.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST_F(SessionTest, OutputGoesToWhoOpenedItAndLifecycleToEverybody) {
  auto opener = viewer("opener"), other = viewer("other");
  open(opener);
  child().say("hello");
  read(opener, "hello");
  child().exit({0, {}});
  until([&] { return opener->events.back() == "exited"; }, "the exit");
  settle();
  EXPECT_EQ(other->output, "");
  EXPECT_EQ(other->lifecycle.size(), 2u);
}

// A client that is told of an exit before its open is answered, and is cut then, comes back with the cursor it had.
TEST_F(SessionTest, WhoDoesNotHearASessionIsToldOfItWithoutACursor) {
  auto opener = viewer("opener"), other = viewer("other");
  open(opener);
  child().exit({0, {}});
  until([&] { return opener->events.back() == "exited" && other->lifecycle.size() == 2; }, "the exit");
  EXPECT_NE(opener->all.back().cursor, Cursor{});
  EXPECT_THAT(other->lifecycle.back(), AllOf(HasSubstr("exited"), Not(HasSubstr("cursor"))));
}

TEST_F(SessionTest, WhoSubscribedToEverythingHearsOldAndNewSessions) {
  auto opener = viewer("opener"), listener = viewer("listener");
  open(opener, {"t", "old"});
  EXPECT_TRUE(ask(listener, Subscribe{}));
  EXPECT_EQ(listener->handles.size(), 1u) << "it hears what is there before it is answered";
  child().say("from the old");
  read(listener, "from the old");
  open(opener, {"t", "new"});
  child().say("from the new");
  read(listener, "from the new");
  EXPECT_THAT(listener->events, ElementsAre("output", "started", "output"));
}

TEST_F(SessionTest, StreamOutputFalseHearsEventsOnly) {
  auto someone = viewer();
  Open asked;
  asked.key = kKey;
  asked.stream_output = false;
  open_as(someone, asked);
  child().say("unheard");
  child().exit({0, {}});
  until([&] { return someone->events.back() == "exited"; }, "the exit");
  EXPECT_THAT(someone->events, ElementsAre("started", "exited"));
}

TEST_F(SessionTest, AQuestionIsAnsweredAtItsPlaceAndReachesNoViewer) {
  auto one = viewer("one"), two = viewer("two");
  open(one);
  open(two);
  write(two, "x");
  child().say("before\x1b[6nafter");
  read(one, "after");
  read(two, "after");
  EXPECT_EQ(one->output, "beforeafter");
  EXPECT_EQ(two->output, "beforeafter");
  EXPECT_EQ(child().written, "x\x1b[1;7R");
  EXPECT_EQ(open(viewer("three")).history, "beforeafter");
}

TEST_F(SessionTest, TextForAClipboardGoesToTheViewerThatTakesSuchAndLeavesTheOutput) {
  auto takes = viewer("takes"), writes = viewer("writes");
  Open asked;
  asked.key = kKey;
  asked.features = {kFeatureOf<Clipboard>};
  open_as(takes, asked);
  open(writes);
  write(writes, "x");
  child().say("a\x1b]52;c;aGVsbG8=\x07z");
  read(takes, "az");
  read(writes, "az");
  until([&] { return takes->events.back() == "clipboard"; }, "the event");
  const auto& event = std::get<Clipboard>(takes->all.back().body);
  EXPECT_EQ(event.selection, "c");
  EXPECT_EQ(event.text, "hello");
  EXPECT_EQ(writes->output, "az");
}

TEST_F(SessionTest, TextForAClipboardThatNobodyTakesGoesIntoTheOutputOfWhoWroteLast) {
  auto one = viewer("one"), two = viewer("two");
  open(one);
  open(two);
  write(two, "x");
  child().say("a\x1b]52;c;aGVsbG8=\x07z");
  read(one, "az");
  read(two, "\x1b]52;c;aGVsbG8=\x07");
  EXPECT_EQ(one->output, "az");
  EXPECT_EQ(two->output, "az\x1b]52;c;aGVsbG8=\x07");
}

TEST_F(SessionTest, AProgramThatReadsTheClipboardHearsNothing) {
  auto someone = viewer();
  open(someone);
  write(someone, "x");
  child().say("a\x1b]52;c;?\x07z");
  read(someone, "az");
  EXPECT_EQ(someone->output, "az");
  EXPECT_EQ(child().written, "x");
}

TEST_F(SessionTest, AQuestionTheServerKnowsIsAnsweredWithoutAnyViewer) {
  auto someone = viewer();
  open(someone);
  close(someone);
  settle();
  child().say("\x1b[5n");
  until([&] { return !child().written.empty(); }, "the answer");
  EXPECT_EQ(child().written, "\x1b[0n");
}

// --- input

TEST_F(SessionTest, WritesAndResizesArriveInOrder) {
  auto someone = viewer();
  open(someone);
  write(someone, "ab");
  ask(someone, Resize{kKey, {80, 24}});
  write(someone, "c");
  EXPECT_EQ(child().written, "abc");
  EXPECT_EQ(child().sizes.back(), (Size{80, 24}));
  EXPECT_EQ(child().resized_after.back(), 2u);
}

TEST_F(SessionTest, AChildThatDoesNotReadBlocksNobodyAndRefusesTheWriteThatIsTooMuch) {
  auto someone = viewer();
  open(someone);
  child().set_capacity(0);
  EXPECT_TRUE(write(someone, std::string(InputQueue::kLimit, 'x')));
  EXPECT_EQ(write(someone, "y").error().code(), Errc::busy);
  open(someone, {"t", "other"});
  EXPECT_TRUE(ask(someone, Write{{"t", "other"}, "z"}));
  launcher_->children[0]->set_capacity(FakeChild::kUnlimited);
  until([&] { return launcher_->children[0]->total_written == InputQueue::kLimit; }, "all input");
}

}  // namespace
}  // namespace ptyd
