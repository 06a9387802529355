// Each caller is answered, once.
#include "server/session/context/caller.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/session_test.hpp"

namespace ptyd {
namespace {

TEST(CallerDeathTest, OneThatIsNeverAnsweredIsFound) {
  ManualClock clock;
  Loops loops(1, clock);
  EXPECT_DEATH(Caller(loops.main(), nullptr, [](const Result<Reply>&) {}), "never answered");
}

TEST(CallerDeathTest, OneThatIsAnsweredTwiceIsFound) {
  ManualClock clock;
  Loops loops(1, clock);
  const Caller caller(loops.main(), nullptr, [](const Result<Reply>&) {});
  caller.reply(Reply(Done{}));
  EXPECT_DEATH(caller.reply(Reply(Done{})), "answered twice");
}

TEST(Caller, IsNotAnsweredOnceItsLoopHasStopped) {
  ManualClock clock;
  Loops loops(1, clock);
  loops.stop();
  Caller(loops.main(), nullptr, [](const Result<Reply>&) { FAIL(); });
}

TEST(Caller, WhoHasGivenUpCountsAsAnsweredAndHearsNothingMore) {
  ManualClock clock;
  Loops loops(1, clock);
  int answers = 0;
  const auto asks = [&] { return Caller(loops.main(), nullptr, [&](const Result<Reply>&) { answers++; }); };
  const auto replied = asks(), forgotten = asks();
  for (const auto& caller : {replied, forgotten}) {
    EXPECT_FALSE(caller.is_answered());
    caller.give_up();
    EXPECT_TRUE(caller.is_answered());
  }
  replied.reply(Reply(Done{}));
  loops.main().context().poll();
  EXPECT_EQ(answers, 0);
}

/// A plain request, say: it hears nothing.
class NobodyTest : public SessionTest {
 protected:
  Result<Reply> ask(Command command) {
    std::optional<Result<Reply>> answer;
    sessions_->submit(Caller(loops_.main(), nullptr, [&](Result<Reply> reply) { answer = std::move(reply); }),
                      Request(std::move(command)));
    until([&] { return answer.has_value(); }, "a reply");
    return answer.value_or(Error(Errc::internal, "no reply"));
  }
  static Open opening() {
    Open asked;
    asked.key = kKey;
    asked.cwd = "/";
    return asked;
  }
};

TEST_F(NobodyTest, OpensWritesLooksAndClosesWithoutHearingAnything) {
  const auto opened = ask(opening());
  ASSERT_TRUE(opened);
  EXPECT_EQ(std::get<Snapshot>(*opened).status, Status::running);
  EXPECT_TRUE(ask(Write{kKey, "typed"}));
  EXPECT_EQ(child().written, "typed");
  child().say("printed");
  until(
      [&] {
        return std::get<ScreenSnapshot>(*ask(TakeSnapshot{kKey, SnapshotFormat::plain, {}})).text == "printed";
      },
      "what was printed");
  EXPECT_EQ(std::get<Snapshot>(*ask(opening())).history, "printed");
  EXPECT_TRUE(ask(Restart{kKey, "/", {80, 24}, {}}));
  EXPECT_EQ(std::get<TerminalList>(*ask(List{})).terminals.front().viewers, 0);
  EXPECT_TRUE(ask(Close{kKey.thread_id, {}, false}));
}

TEST_F(NobodyTest, CannotSubscribe) {
  EXPECT_EQ(ask(Subscribe{}).error().code(), Errc::bad_request);
  EXPECT_TRUE(ask(Unsubscribe{}));
}

TEST_F(SessionTest, WhoNoLongerHearsIsAnsweredWhileTheAnswerWaitsForItsPlace) {
  auto someone = viewer();
  open(someone);
  someone->takes = false;
  child().say("more than is taken");
  until([&] { return !someone->output.empty(); }, "the first of it");
  child().say("the rest");
  settle();
  Open again;
  again.key = kKey;
  again.attach = true;
  std::optional<Result<Reply>> answer;
  sessions_->submit(someone, again, [&](Result<Reply> reply) { answer = std::move(reply); });
  settle();
  EXPECT_FALSE(answer) << "its place is behind what is not taken yet";
  for (const auto& handle : someone->handles) handle.cancel();
  until([&] { return answer.has_value(); }, "a reply");
  EXPECT_EQ(answer->error().code(), Errc::not_found);
}

}  // namespace
}  // namespace ptyd
