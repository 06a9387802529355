// When a peer is read, and when not.
#include "server/net/websocket/peer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/net/websocket/ack_tracker.hpp"
#include "server/net/websocket/calls.hpp"
#include "server/session/delivery/flow.hpp"
#include "server/session/routing/session_manager.hpp"
#include "tests/support/protocol/speaking.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/net/fake_line.hpp"
#include "tests/support/waiting.hpp"

namespace ptyd {
namespace {

class PeerTest : public testing::Test {
 protected:
  PeerTest() {
    auto make = [this](Loop& loop) {
      auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
      launcher_ = launcher.get();
      return launcher;
    };
    SessionManager::Options options;
    options.max_sessions = options.max_sessions_per_thread = 1000;
    options.blocking_pool.threads = 0;
    sessions_ = std::make_unique<SessionManager>(loops_, make, options);
    line_.peer = Peer::create(loops_.main(), *sessions_, line_, {Access::full, false, {"/srv", "/", "srv"}, "c1"});
  }
  ~PeerTest() override {
    line_.peer->on_closed();
    settle();
    loops_.stop();
  }
  void settle() {
    do poll();
    while (line_.answer_pings());
  }
  void poll() {
    loops_.main().context().restart();
    while (loops_.main().context().poll_one() > 0) {
    }
  }
  /// Bytes of the one terminal that are on their way to the one viewer.
  std::size_t in_flight() {
    std::size_t bytes = 0;
    sessions_->describe(loops_.main(),
                        [&](const std::vector<SessionDebug>& all) { bytes = all[0].cursors[0].in_flight; });
    poll();
    return bytes;
  }
  static std::string open(int request, const std::string& terminal) {
    return R"({"id":")" + std::to_string(request) +
           R"(","body":{"_tag":"terminal.open","threadId":"t","terminalId":")" + terminal + R"(","cwd":"/"}})";
  }

  static std::string effect(const std::string& id, const std::string& method, const std::string& params) {
    return R"({"_tag":"Request","id":")" + id + R"(","tag":")" + method + R"(","payload":{)" + params + "}}";
  }
  static std::string named(const std::string& terminal) { return R"("threadId":"t","terminalId":")" + terminal + '"'; }
  FakeChild& child(std::size_t n) { return *launcher_->children[n]; }

  ManualClock clock_;
  Loops loops_{1, clock_};
  FakeLauncher* launcher_ = nullptr;
  std::unique_ptr<SessionManager> sessions_;
  FakeLine line_;
};

constexpr int kMany = 400;

TEST_F(PeerTest, IsReadAgainWhenManyOpensThatWereUnderWayAreAnswered) {
  for (int n = 0; n < kMany; ++n) line_.bring(open(n, "t" + std::to_string(n)));
  EXPECT_FALSE(line_.is_reading) << "nothing is answered yet, and not all may be asked at once";
  settle();
  EXPECT_EQ(line_.replies(), std::size_t{kMany});
  EXPECT_EQ(line_.unread(), 0u);
  EXPECT_TRUE(line_.is_reading);
}

TEST_F(PeerTest, IsReadAgainWhenManyOpensOfOneTerminalThatSaidMuchAreAnswered) {
  line_.bring(open(0, "busy"));
  settle();
  launcher_->last().say(std::string(64 << 10, 'x'));  // more than Outbox::kMaxHeld with all answers
  for (int n = 1; n <= kMany; ++n) line_.bring(open(n, "busy"));
  settle();
  EXPECT_EQ(line_.replies(), std::size_t{kMany} + 1);
  EXPECT_TRUE(line_.is_reading);
}

TEST_F(PeerTest, IsReadAgainWhenMuchHasComeWhileItsTransportPaused) {
  line_.bring(R"({"id":"1","body":{"_tag":"terminal.list"}})");
  settle();
  line_.takes = line_.is_reading = false;
  FakeLine other;
  other.peer = Peer::create(loops_.main(), *sessions_, other, {Access::full, false, {"/srv", "/", "srv"}, "c2"});
  const auto restart = R"({"id":"1","body":{"_tag":"terminal.restart","threadId":")" + std::string(1000, 't') +
                       R"(","cwd":"/","cols":80,"rows":24}})";
  for (int n = 0; n < 2 * kMany; ++n) other.bring(restart), settle();
  EXPECT_FALSE(line_.peer->may_read()) << "asked after the pause";
  line_.takes = true;
  line_.drain();
  settle();
  EXPECT_TRUE(line_.is_reading);
  other.peer->on_closed();
}

TEST_F(PeerTest, IsNotReadWhileItsAnswersAreNotTakenAndIsReadOnAfterwards) {
  line_.takes = false;
  const auto list = R"({"id":"1","body":{"_tag":"terminal.list"}})";
  for (int n = 0; n < kMany; ++n) line_.bring(list), settle();
  EXPECT_FALSE(line_.is_reading);
  EXPECT_GT(line_.unread(), 0u);
  line_.takes = true;
  line_.drain();
  settle();
  EXPECT_EQ(line_.replies(), std::size_t{kMany});
  EXPECT_TRUE(line_.is_reading);
}

TEST_F(PeerTest, EndsAloneWhenItCannotGoOn) {
  line_.bring(open(0, "heard"));
  settle();
  line_.without_memory = true;
  launcher_->last().say("there is no memory for this");
  settle();
  EXPECT_EQ(line_.closed_with, 1011);
  EXPECT_FALSE(launcher_->last().destroyed) << "the terminal is not the connection's";
  line_.without_memory = false;
}

// --- what waits

TEST_F(PeerTest, CarriesOutAFewCallsOfOneFrameAndTheOthersInLaterTurns) {
  std::string frame;
  for (int n = 0; n < 7000; ++n) frame += (n == 0 ? "[" : ",") + effect(std::to_string(n), "terminal.list", "");
  line_.bring(frame + "]");
  EXPECT_FALSE(line_.is_reading);
  auto& turns = loops_.main().context();
  turns.restart();
  std::size_t most = 0, before = line_.frames.size();
  for (; turns.poll_one() > 0; before = line_.frames.size()) most = std::max(most, line_.frames.size() - before);
  EXPECT_GT(most, 0u);
  EXPECT_LE(most, 16u);
  EXPECT_EQ(line_.holding("Exit"), 7000u);
  EXPECT_TRUE(line_.is_reading);
}

TEST_F(PeerTest, AFrameOfManyPartsIsDecodedAsFarAsItsAnswersAreTaken) {
  line_.takes = false;
  line_.bring(R"([{"_tag":"Ping"})" + repeated(R"(,{"_tag":"Ping"})", 99'999) + "]");
  settle();
  EXPECT_FALSE(line_.is_reading);
  line_.takes = true;
  line_.drain();
  EXPECT_GT(line_.frames.size(), 256u);
  EXPECT_LT(line_.frames.size(), 10'000u) << "a short answer costs more than its text, and all may cost 1 MiB";
  settle();
  EXPECT_EQ(line_.frames.size(), 100'000u);
  EXPECT_TRUE(line_.is_reading);
}

TEST_F(PeerTest, APartOfAFrameIsDecodedPerTurnThoughNothingIsToBeAnswered) {
  line_.bring("[" + effect("s", "terminal.subscribeEvents", "") + repeated(R"(,{"_tag":"Eof"})", 10'000) + "]");
  EXPECT_FALSE(line_.is_reading);
  line_.bring(R"({"id":"1","body":{"_tag":"terminal.list"}})");
  settle();
  EXPECT_TRUE(line_.is_reading);
  EXPECT_EQ(line_.holding(R"({"id":"1")"), 1u);
}

TEST_F(PeerTest, CallsAndPartsOfAFrameWaitForTheNextTurnOfItsMessages) {
  line_.turn = clock_.now() + std::chrono::milliseconds(100);
  std::string frame = "[" + effect("0", "terminal.list", "");
  for (int n = 1; n < 300; ++n) frame += "," + effect(std::to_string(n), "terminal.list", "");
  line_.bring(frame + "]");
  settle();
  const auto answered = line_.holding("Exit");
  EXPECT_LE(answered, 8u);
  EXPECT_FALSE(line_.is_reading);
  clock_.advance(std::chrono::milliseconds(99));
  settle();
  EXPECT_EQ(line_.holding("Exit"), answered);
  clock_.advance(std::chrono::milliseconds(1));
  settle();
  EXPECT_EQ(line_.holding("Exit"), 300u);
  EXPECT_TRUE(line_.is_reading);
}

TEST_F(PeerTest, AFrameThatIsNotDecodedToItsEndEndsWithItsConnection) {
  line_.bring("[" + effect("1", "terminal.list", "") + repeated(R"(,{"_tag":"Ping"})", 1000) + "]");
  line_.peer->on_closed();
  settle();
  EXPECT_EQ(line_.holding("Exit"), 0u);
  EXPECT_LE(line_.holding("Pong"), 256u);
}

TEST_F(PeerTest, CallsOfOneFrameKeepTheirOrder) {
  line_.bring(open(0, "a"));
  settle();
  std::string frame = "[", typed;
  for (char key = 'a'; key <= 'z'; ++key) {
    typed += key;
    frame += effect(typed, "terminal.write", named("a") + R"(,"data":")" + key + '"') + ',';
  }
  line_.bring(frame + effect("last", "terminal.open", named("a") + R"(,"cwd":"/")") + "]");
  settle();
  EXPECT_EQ(child(0).written, typed);
  EXPECT_NE(line_.frames.back().find(R"("requestId":"last")"), std::string::npos);
}

TEST_F(PeerTest, ASnapshotIsMadeWhenItCanBeSent) {
  line_.bring(open(0, "a"));
  settle();
  line_.takes = false;
  for (const auto* id : {"1", "2"})
    line_.bring(R"({"id":")" + std::string(id) + R"(","body":{"_tag":"terminal.snapshot",)" + named("a") + "}}");
  settle();
  child(0).say("meanwhile");
  settle();
  line_.frames.clear();
  line_.takes = true;
  line_.drain();
  settle();
  ASSERT_EQ(line_.replies(), 2u);
  EXPECT_EQ(line_.frames.front().find("meanwhile"), std::string::npos);
  EXPECT_NE(line_.frames.back().find("meanwhile"), std::string::npos) << "asked for before, and made afterwards";
}

TEST_F(PeerTest, AnOpenThatWaitsForADiskKeepsBackNothingElse) {
  launcher_->hold();
  line_.bring(open(0, "slow"));
  line_.bring(R"({"id":"1","body":{"_tag":"terminal.list"}})");
  settle();
  EXPECT_EQ(line_.replies(), 0u);
  clock_.advance(Calls::kPatience);
  settle();
  EXPECT_EQ(line_.holding(R"({"id":"1")"), 1u);
  EXPECT_EQ(line_.replies(), 1u) << "the open is answered";
  launcher_->release();
  settle();
  EXPECT_EQ(line_.holding(R"({"id":"0")"), 1u);
}

TEST_F(PeerTest, TypingWaitsForNothingThatOthersAreShown) {
  line_.bring(open(0, "a"));
  line_.bring(R"({"id":"1","body":{"_tag":"terminal.open","threadId":"typed into","cwd":"/"}})");
  settle();
  line_.takes = false;
  for (int n = 2; n < 10; ++n) line_.bring(open(n, "a"));
  line_.bring(R"({"id":"10","body":{"_tag":"terminal.write","threadId":"typed into","data":"x"}})");
  settle();
  EXPECT_EQ(child(1).written, "x");
  EXPECT_TRUE(line_.is_reading);
}

TEST_F(PeerTest, IsNotReadOnceSmallAnswersThatItDoesNotTakeFillItsBudget) {
  line_.bring(open(0, "a"));
  settle();
  line_.takes = false;
  const auto ack = R"({"id":"1","body":{"_tag":"terminal.ackOutput",)" + named("a") + R"(,"bytes":1}})";
  std::size_t brought = 0;
  for (; line_.is_reading && brought < 100'000; ++brought) line_.bring(ack);
  EXPECT_GT(brought, 1000u);
  EXPECT_LT(brought, 10'000u) << "a short answer costs more than its text";
  line_.takes = true;
  line_.drain();
  settle();
  EXPECT_EQ(line_.holding(R"("id":"1")"), brought);
  EXPECT_TRUE(line_.is_reading);
}

// --- the goodbye

TEST_F(PeerTest, ACallThatWaitsBehindALargeAnswerIsNotCarriedOutAfterTheGoodbye) {
  line_.bring(open(0, "a"));
  settle();
  line_.takes = false;
  for (const auto* id : {"1", "2"})
    line_.bring(R"({"id":")" + std::string(id) + R"(","body":{"_tag":"terminal.snapshot",)" + named("a") + "}}");
  line_.bring(R"({"id":"3","body":{"_tag":"terminal.write",)" + named("a") + R"(,"data":"x"}})");
  line_.peer->on_goodbye();
  line_.takes = true;
  line_.drain();
  settle();
  EXPECT_EQ(child(0).written, "");
  EXPECT_EQ(line_.replies(), 2u) << "of the open, and the snapshot that was under way";
}

TEST_F(PeerTest, NothingIsLeftOfAFrameAfterTheGoodbye) {
  line_.bring("[" + effect("1", "terminal.list", "") + repeated(R"(,{"_tag":"Ping"})", 1000) + "]");
  ASSERT_FALSE(line_.is_reading);
  line_.peer->on_goodbye();
  EXPECT_EQ(line_.peer->undecoded(), 0u);
  EXPECT_TRUE(line_.is_reading) << "the answer to the goodbye";
  settle();
  EXPECT_LE(line_.holding("Pong"), 256u);
}

// --- acks

TEST_F(PeerTest, AStreamWhoseChunksAreNotAckedGetsItsFirstWindowAndNoMore) {
  line_.bring(effect("s", "terminal.subscribeEvents", ""));
  line_.bring(effect("1", "terminal.open", named("a") + R"(,"cwd":"/")"));
  settle();
  child(0).say(std::string(100'000, 'x'));
  settle();
  EXPECT_GT(line_.output('x'), 0u);
  EXPECT_LE(line_.output('x'), 64u << 10);
  while (line_.output('x') < 100'000) {
    const auto before = line_.output('x');
    for (std::size_t chunks = line_.holding("Chunk"); chunks > 0; --chunks)
      line_.bring(R"({"_tag":"Ack","requestId":"s"})");
    settle();
    ASSERT_GT(line_.output('x'), before);
  }
}

TEST_F(PeerTest, WhatGathersBehindAFullStreamComesAsOneChunkOfSeveralValues) {
  line_.bring(effect("s", "terminal.subscribeEvents", ""));
  for (const auto* terminal : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) {
    line_.bring(effect(terminal, "terminal.open", named(terminal) + R"(,"cwd":"/")"));
    settle();
  }
  // Their first windows fill the stream.
  for (std::size_t n = 0; n < AckTracker::kFirstUnconfirmed / flow::kMinWindow; n++)
    child(n).say(std::string(100'000, 'x'));
  settle();
  for (const auto n : {8u, 9u}) child(n).say("gathered");
  settle();
  EXPECT_EQ(line_.holding("gathered"), 0u);
  line_.bring(R"({"_tag":"Ack","requestId":"s"})");
  settle();
  ASSERT_EQ(line_.holding("gathered"), 1u);
  const auto chunk = *std::find_if(line_.frames.begin(), line_.frames.end(), [](const std::string& frame) {
    return frame.find("gathered") != std::string::npos;
  });
  EXPECT_NE(chunk.find(R"("terminalId":"i")"), std::string::npos);
  EXPECT_NE(chunk.find(R"("terminalId":"j")"), std::string::npos);
}

TEST_F(PeerTest, AnOpenIsAnsweredThoughAStreamIsFull) {
  line_.bring(effect("s", "terminal.subscribeEvents", ""));
  for (const auto* terminal : {"a", "b", "c", "d", "e", "f", "g", "h"}) {
    line_.bring(effect(terminal, "terminal.open", named(terminal) + R"(,"cwd":"/")"));
    settle();
  }
  for (std::size_t n = 0; n < AckTracker::kFirstUnconfirmed / flow::kMinWindow; n++)
    child(n).say(std::string(100'000, 'x'));
  settle();
  line_.bring(effect("again", "terminal.open", named("a") + R"(,"cwd":"/")"));
  settle();
  EXPECT_EQ(line_.holding(R"("requestId":"again")"), 1u);
}

// specs: an open resets ack accounting, and the client that acked once goes on without an ack.
TEST_F(PeerTest, AnOpenStartsAfresh) {
  line_.bring(open(0, "a"));
  settle();
  line_.bring(R"({"id":"ack","body":{"_tag":"terminal.ackOutput",)" + named("a") + R"(,"bytes":1}})");
  child(0).say(std::string(100'000, 'x'));
  settle();
  EXPECT_LE(line_.output('x'), 64u << 10) << "what is not acked";
  line_.bring(open(1, "a"));
  settle();
  EXPECT_EQ(line_.holding(R"({"id":"1")"), 1u);
  child(0).say(std::string(100'000, 'y'));
  const auto all_came = [this] {
    line_.answer_pings();
    return line_.output('y') == 100'000;
  };
  EXPECT_TRUE(run_until(loops_.main().context(), all_came)) << "pongs ack it again";
}

TEST_F(PeerTest, WhatComesWhileAnAnswerWaitsAcksNothingThatIsSentBehindIt) {
  line_.bring(open(0, "a"));
  settle();
  child(0).say(std::string(AckTracker::kMinAck, 'x'));
  poll();
  line_.takes = false;
  line_.bring(open(1, "a"));
  poll();
  child(0).say(std::string(1000, 'y'));
  poll();
  ASSERT_EQ(in_flight(), 1000u);
  EXPECT_TRUE(line_.answer_pings());
  EXPECT_EQ(in_flight(), 1000u);
}

}  // namespace
}  // namespace ptyd
