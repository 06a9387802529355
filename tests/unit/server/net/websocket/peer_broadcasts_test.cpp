// When a peer is told of terminals that it does not hear.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "pty/process/activity.hpp"
#include "server/net/websocket/peer.hpp"
#include "server/session/routing/session_manager.hpp"
#include "tests/support/protocol/speaking.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// Takes every frame at once, as long as it is let, and counts how often it was woken for some.
class CountingLine final : public Transport {
 public:
  void wake() override {
    wakes++;
    while (auto frame = takes ? peer->take_frame() : std::nullopt) {
      frames.push_back(frame->head + (frame->body ? *frame->body : "") + frame->tail);
      peer->on_written();
    }
  }
  void ping(std::uint64_t) override {}
  void close(std::uint16_t code, std::string_view) override {
    closed_with = code;
    peer->on_goodbye();
  }
  void resume_reading() override {}

  std::shared_ptr<Peer> peer;
  std::vector<std::string> frames;
  std::size_t wakes = 0;
  bool takes = true;
  std::uint16_t closed_with = 0;
};

class PeerBroadcastsTest : public testing::Test {
 protected:
  PeerBroadcastsTest() {
    SessionManager::Options options;
    options.blocking_pool.threads = 0;
    auto make = [this](Loop& loop) {
      auto made = std::make_unique<FakeLauncher>(loop.context().get_executor());
      launcher_ = made.get();
      return made;
    };
    sessions_ = std::make_unique<SessionManager>(loops_, make, options);
    line_.peer = Peer::create(loops_.main(), *sessions_, line_, {Access::full, false, {"/srv", "/", "srv"}, "c1"});
    settle();
    line_.peer->on_message(R"({"id":"1","body":{"_tag":"terminal.list"}})");
    settle();
    line_.wakes = 0;
  }
  ~PeerBroadcastsTest() override {
    line_.peer->on_closed();
    settle();
    loops_.stop();
  }
  void settle() {
    loops_.main().context().restart();
    while (loops_.main().context().poll_one() > 0) {
    }
  }
  void pass(std::chrono::milliseconds time) {
    clock_.advance(time);
    settle();
  }
  void others_open(const std::string& terminal) {
    Open asked;
    asked.key = {"theirs", terminal};
    asked.cwd = "/";
    others_ask(asked);
  }
  void others_ask(Command command) {
    sessions_->submit(Caller(loops_.main(), nullptr, [](const Result<Reply>&) {}), Request(std::move(command)));
    settle();
  }
  auto starts() const { return told(R"("type":"started")"); }
  void bring(const char* frame) {
    line_.peer->on_message(frame);
    settle();
  }
  std::ptrdiff_t told(const std::string& what) const { return told(what, line_); }
  static std::ptrdiff_t told(const std::string& what, const CountingLine& line) {
    return std::count_if(line.frames.begin(), line.frames.end(),
                         [&what](const std::string& frame) { return frame.find(what) != std::string::npos; });
  }

  ManualClock clock_;
  Loops loops_{1, clock_};
  std::unique_ptr<SessionManager> sessions_;
  FakeLauncher* launcher_ = nullptr;
  CountingLine line_;
};

TEST_F(PeerBroadcastsTest, AnotherProgramInTheForegroundIsToldOfTerminalsItHearsAndOfOthers) {
  const auto run = [&](const std::string& name) {
    for (const auto& child : launcher_->children) {
      child->foreground = Foreground{name, "/etc"};
      child->say("x");
    }
    settle();
    pass(ActivityTracker::kBusyPoll);
    pass(1s);
  };
  others_open("a");
  run("vim");
  EXPECT_EQ(told(R"("type":"process")"), 0) << "it did not ask";
  line_.peer->on_message(
      R"({"id":"2","body":{"_tag":"terminal.open","threadId":"mine","cwd":"/","features":["process"]}})");
  settle();
  run("less");
  EXPECT_EQ(told(R"("type":"process","threadId":"theirs","terminalId":"a")"), 1);
  EXPECT_EQ(told(R"("type":"process","threadId":"mine","terminalId":"default")"), 1);
  run("less");
  EXPECT_EQ(told(R"("process":"less","cwd":"/etc")"), 2) << "nothing has changed";
}

TEST_F(PeerBroadcastsTest, TheFirstOnesComeSoon) {
  others_open("a");
  pass(19ms);
  EXPECT_EQ(starts(), 0);
  pass(1ms);
  EXPECT_EQ(starts(), 1);
}

TEST_F(PeerBroadcastsTest, ThoseBehindThemAreGathered) {
  others_open("a");
  pass(20ms);
  others_open("b");
  pass(199ms);
  others_open("c");
  EXPECT_EQ(starts(), 1);
  pass(1ms);
  EXPECT_EQ(starts(), 3);
  EXPECT_EQ(line_.wakes, 2u);
}

TEST_F(PeerBroadcastsTest, ComeSoonAgainWhenThereWereNoneForAWhile) {
  others_open("a");
  pass(20ms);
  pass(180ms);
  others_open("b");
  pass(20ms);
  EXPECT_EQ(starts(), 2);
}

TEST_F(PeerBroadcastsTest, ComeAtOnceWithWhatIsWrittenAnyway) {
  others_open("a");
  pass(20ms);
  others_open("b");
  line_.peer->on_message(R"({"id":"2","body":{"_tag":"terminal.list"}})");
  settle();
  EXPECT_EQ(starts(), 2);
}

TEST_F(PeerBroadcastsTest, IsClosedWhenThoseThatItDoesNotTakeAreTooMany) {
  line_.takes = false;
  others_open("a");
  for (std::size_t n = 1; n < Peer::kMaxBroadcasts; ++n) others_ask(Clear{{"theirs", "a"}});
  EXPECT_EQ(line_.closed_with, 0);
  others_ask(Clear{{"theirs", "a"}});
  EXPECT_EQ(line_.closed_with, 1013);
}

TEST_F(PeerBroadcastsTest, IsClosedWhenThoseThatItDoesNotTakeAreTooLong) {
  line_.takes = false;
  Open elsewhere;
  elsewhere.key = {repeated("✓", limits::kMaxThreadId), "default"};
  elsewhere.cwd = "/";
  others_ask(elsewhere);
  const auto length = 3 * limits::kMaxThreadId;  // and some more
  std::size_t events = 1;
  for (; line_.closed_with == 0 && events < Peer::kMaxBroadcasts; ++events) others_ask(Clear{elsewhere.key});
  EXPECT_EQ(line_.closed_with, 1013);
  EXPECT_LE(events, Peer::kMaxBroadcastBytes / length + 2);
  EXPECT_GE(events, Peer::kMaxBroadcastBytes / (length + 1024));
}

// --- all terminals

constexpr const char* kStream = R"({"_tag":"Request","id":"7","tag":"terminal.subscribeEvents","payload":{}})";
constexpr const char* kEndOfStream = R"({"_tag":"Interrupt","requestId":"7"})";

TEST_F(PeerBroadcastsTest, TheEndOfAStreamLeavesAllTerminalsToTheOtherLanguage) {
  bring(R"({"id":"2","body":{"_tag":"terminal.subscribeEvents"}})");
  bring(kStream);
  bring(kEndOfStream);
  others_open("a");
  launcher_->last().say("heard");
  settle();
  EXPECT_EQ(told(R"("data":"heard")"), 1);
}

TEST_F(PeerBroadcastsTest, TheEndOfAStreamEndsAllTerminalsWhereNoOtherLanguageWantsThem) {
  bring(kStream);
  bring(kEndOfStream);
  others_open("a");
  launcher_->last().say("unheard");
  settle();
  EXPECT_EQ(told(R"("data":"unheard")"), 0);
  bring(kStream);
  launcher_->last().say("heard");
  settle();
  EXPECT_EQ(told(R"("data":"heard")"), 2) << "on the stream, and as a push";
}

TEST_F(PeerBroadcastsTest, TheEndOfAStreamLeavesAllTerminalsToTheAddressThatAskedForThem) {
  CountingLine all;
  all.peer = Peer::create(loops_.main(), *sessions_, all, {Access::full, true, {"/srv", "/", "srv"}, "c2"});
  settle();
  for (const auto* frame : {kStream, kEndOfStream}) all.peer->on_message(frame), settle();
  others_open("a");
  launcher_->last().say("heard");
  settle();
  EXPECT_EQ(told(R"("data":"heard")", all), 1);
  all.peer->on_closed();
}

}  // namespace
}  // namespace ptyd
