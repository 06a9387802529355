// Answers that take as long as a program runs, and a peer that is spoken to first.
#include <gtest/gtest.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "server/net/websocket/handshake_limit.hpp"
#include "server/net/websocket/later_calls.hpp"
#include "server/net/websocket/peer.hpp"
#include "server/session/routing/session_manager.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// `run NAME`, `await NAME`, `kill NAME`, `release NAME`, `list`: a call, whose token counts from 1; `drop TOKEN` gives
/// it up, `cancel TOKEN` cancels it; `refuse` is why not to go on; several with `;` behind each. Answers are `TOKEN
/// done` and `TOKEN: why not`. Ready once it has heard `hello`.
class PlainDialect final : public Dialect {
 public:
  Decoded decode(std::string_view frame) override {
    Decoded decoded;
    for (auto end = frame.find(';'); end != frame.npos; end = frame.find(';')) {
      take(frame.substr(0, end), decoded);
      frame.remove_prefix(end + 1);
    }
    take(frame, decoded);
    return decoded;
  }
  std::optional<std::string> encode_reply(CallToken token, const Result<Reply>& reply) override {
    return std::to_string(token) + (reply ? " done" : ": " + reply.error().detail());
  }
  std::vector<Wrap> wrap_event() override { return {}; }
  bool wants_events() const override { return false; }
  std::string welcome() override { return "who are you?"; }
  bool is_ready() const override { return ready_; }

 private:
  void take(std::string_view said, Decoded& decoded) {
    const auto verb = said.substr(0, said.find(' '));
    const auto name = said.substr(std::min(said.size(), verb.size() + 1));
    const SessionKey key{"acp/session", std::string(name)};
    if (verb == "hello") ready_ = true;
    if (verb == "refuse") decoded.refusal = "nothing in common";
    if (verb == "run") decoded.calls.push_back({++last_, run(key)});
    if (verb == "await") decoded.calls.push_back({++last_, AwaitExit{key}});
    if (verb == "kill") decoded.calls.push_back({++last_, Kill{key}});
    if (verb == "release") decoded.calls.push_back({++last_, Release{key}});
    if (verb == "list") decoded.calls.push_back({++last_, List{}});
    if (verb == "cancel") std::from_chars(name.data(), name.data() + name.size(), decoded.cancelled.emplace_back());
    if (verb == "drop") std::from_chars(name.data(), name.data() + name.size(), decoded.given_up.emplace_back());
  }
  static Run run(const SessionKey& key) {
    Run asked;
    asked.key = key;
    asked.command = "program";
    asked.cwd = "/";
    asked.size = {80, 24};
    return asked;
  }

  CallToken last_ = 0;
  bool ready_ = false;
};

std::unique_ptr<Dialect> make_plain(const WelcomeFacts&) {
  return std::make_unique<PlainDialect>();
}
constexpr Language kPlain{"plain", {}, "", nullptr, AckKind::pong, true, true, make_plain};

/// Takes every frame at once.
class OpenLine final : public Transport {
 public:
  void wake() override {
    while (auto frame = peer->take_frame()) {
      frames.push_back(frame->head + frame->tail);
      peer->on_written();
    }
  }
  void ping(std::uint64_t) override {}
  void close(std::uint16_t code, std::string_view why) override {
    closed_with = code;
    reason = why;
    peer->on_goodbye();
  }
  void resume_reading() override {}

  std::shared_ptr<Peer> peer;
  std::vector<std::string> frames;
  std::uint16_t closed_with = 0;
  std::string reason;
};

class PeerLaterTest : public testing::Test {
 protected:
  PeerLaterTest() {
    auto make = [this](Loop& loop) {
      auto launcher = std::make_unique<FakeLauncher>(loop.context().get_executor());
      launcher_ = launcher.get();
      return launcher;
    };
    SessionManager::Options options;
    options.blocking_pool.threads = 0;
    sessions_ = std::make_unique<SessionManager>(loops_, make, options);
    Peer::Options of_peer;
    of_peer.spoken = {&kPlain};
    line_.peer = Peer::create(loops_.main(), *sessions_, line_, of_peer);
    settle();
  }
  ~PeerLaterTest() override {
    line_.peer->on_closed();
    settle();
    loops_.stop();
  }
  void settle() {
    loops_.main().context().restart();
    while (loops_.main().context().poll_one() > 0) {
    }
  }
  void say(const std::string& frame) {
    line_.peer->on_message(frame);
    settle();
  }
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    settle();
  }
  /// A program that runs, and half as many waits for it as there may be.
  void run_and_await(const std::string& name) {
    say("run " + name);
    for (std::size_t n = 0; n < LaterCalls::kMost / 2; n++) say("await " + name);
  }
  bool was_told(const std::string& begin) const { return count(begin) > 0; }
  std::size_t count(std::string_view begin) const {
    return static_cast<std::size_t>(std::count_if(line_.frames.begin(), line_.frames.end(), [&](const auto& frame) {
      return std::string_view(frame).starts_with(begin);
    }));
  }

  ManualClock clock_;
  Loops loops_{1, clock_};
  FakeLauncher* launcher_ = nullptr;
  std::unique_ptr<SessionManager> sessions_;
  OpenLine line_;
};

TEST_F(PeerLaterTest, IsReadWhileAllWaitThatMayAndMoreAreRefusedByName) {
  run_and_await("a");
  run_and_await("b");
  ASSERT_EQ(line_.frames.size(), 3u) << "the welcome, and the answers of both runs";
  EXPECT_TRUE(line_.peer->may_read());
  say("await a");
  EXPECT_EQ(line_.frames.back(), "1027: Too many calls wait for programs: 1024 of this connection, which is the limit");
  say("list");
  EXPECT_EQ(line_.frames.back(), "1028 done") << "others are not kept back";
  launcher_->children.at(0)->exit({0, {}});
  settle();
  EXPECT_EQ(line_.frames.size(), 5u + LaterCalls::kMost / 2);
  say("await b");
  EXPECT_EQ(line_.frames.size(), 5u + LaterCalls::kMost / 2) << "it waits: there is room again";
}

TEST_F(PeerLaterTest, ProgramsAreEndedWhenAllWaitThatMay) {
  run_and_await("a");
  run_and_await("b");
  say("kill a");
  EXPECT_TRUE(was_told("1027 done"));
  EXPECT_TRUE(was_told("2 done")) << "those that waited for it";
  EXPECT_FALSE(was_told("515 done")) << "but for the other one";
  say("release b");
  EXPECT_TRUE(was_told("1028 done"));
  EXPECT_EQ(line_.frames.size(), 5u + LaterCalls::kMost);
}

TEST_F(PeerLaterTest, SoManyKillsMayWaitAndNotOneMore) {
  say("run a");
  launcher_->last().at_hang_up.reset();
  for (std::size_t n = 0; n < LaterCalls::kMostAtEnd; n++) say("kill a");
  EXPECT_FALSE(was_told("2"));
  say("kill a");
  EXPECT_EQ(line_.frames.back(), "1026: Too many calls end programs: 1024 of this connection, which is the limit");
  launcher_->last().exit({{}, 9});
  settle();
  EXPECT_TRUE(was_told("1025 done"));
}

TEST_F(PeerLaterTest, WhatIsGivenUpIsNotAnsweredAndMakesRoom) {
  run_and_await("a");
  run_and_await("b");
  say("drop 2");
  say("await a");
  EXPECT_EQ(line_.frames.size(), 3u) << "neither is answered";
  launcher_->children.at(0)->exit({0, {}});
  settle();
  EXPECT_FALSE(was_told("2 "));
  EXPECT_TRUE(was_told("1027 done"));
}

TEST_F(PeerLaterTest, WhatIsGivenUpBeforeItsTurnIsNotCarriedOut) {
  say("run a");
  std::string twenty;
  for (int n = 0; n < 20; n++) twenty += "await a;";
  line_.peer->on_message(twenty);
  line_.peer->on_message("drop 21");
  settle();
  launcher_->children.at(0)->exit({0, {}});
  settle();
  EXPECT_TRUE(was_told("20 done"));
  EXPECT_FALSE(was_told("21 "));
}

TEST_F(PeerLaterTest, AProgramThatIsCancelledBeforeItsTurnIsNotStarted) {
  std::string frame;
  for (int n = 1; n <= 20; n++) frame += "run " + std::to_string(n) + ";";
  line_.peer->on_message(frame);
  line_.peer->on_message("cancel 20");
  settle();
  EXPECT_EQ(launcher_->launches.size(), 19u);
  EXPECT_TRUE(was_told("19 done"));
  EXPECT_TRUE(was_told("20: The request was cancelled"));
}

TEST_F(PeerLaterTest, AProgramThatIsCancelledOnItsWayIsNotStarted) {
  line_.peer->on_message("run a");
  line_.peer->on_message("cancel 1");
  settle();
  EXPECT_TRUE(launcher_->launches.empty());
  EXPECT_TRUE(was_told("1: The request was cancelled"));
}

TEST_F(PeerLaterTest, AProgramThatIsCancelledAfterItsStartIsAnsweredAsIfItWasNot) {
  launcher_->hold();
  say("run a");
  say("cancel 1");
  launcher_->release();
  settle();
  EXPECT_TRUE(was_told("1 done"));
  EXPECT_EQ(launcher_->last().hang_ups, 0);
}

TEST_F(PeerLaterTest, WhoDoesNotAnswerWhatIsAskedFirstIsClosedAfterAWhile) {
  EXPECT_TRUE(was_told("who are you?"));
  say("list");
  pass(HandshakeLimit::kTime - 1ms);
  EXPECT_EQ(line_.closed_with, 0);
  pass(1ms);
  EXPECT_EQ(line_.closed_with, 1008);
  EXPECT_NE(line_.reason.find("30 s"), std::string::npos) << line_.reason;
}

TEST_F(PeerLaterTest, APeerWithWhichNothingCanBeSpokenIsClosedAtOnce) {
  line_.peer->on_message("refuse;list");
  EXPECT_EQ(line_.closed_with, 1002);
  EXPECT_EQ(line_.reason, "nothing in common");
  settle();
  EXPECT_FALSE(was_told("1 done"));
}

TEST_F(PeerLaterTest, APeerThatIsClosedStartsNothingThatWaited) {
  std::string frame;
  for (int n = 1; n <= 20; n++) frame += "run " + std::to_string(n) + ";";
  line_.peer->on_message(frame);
  line_.peer->on_message("refuse");
  settle();
  EXPECT_EQ(line_.closed_with, 1002);
  EXPECT_TRUE(was_told("8 done")) << "those of the first turn";
  EXPECT_EQ(launcher_->launches.size(), 8u);
}

TEST_F(PeerLaterTest, WhoAnswersInTimeStays) {
  pass(HandshakeLimit::kTime - 1ms);
  say("hello");
  pass(1h);
  EXPECT_EQ(line_.closed_with, 0);
}

}  // namespace
}  // namespace ptyd
