// When a peer is told of terminals that it does not hear.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "server/net/websocket/peer.hpp"
#include "server/session/session_manager.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

/// Takes every frame at once, and counts how often it was woken for some.
class CountingLine final : public Transport {
 public:
  void wake() override {
    wakes++;
    while (auto frame = peer->take_frame()) {
      frames.push_back(frame->head + (frame->body ? *frame->body : "") + frame->tail);
      peer->on_written();
    }
  }
  void ping(std::uint64_t) override {}
  void close(std::uint16_t, std::string_view) override {}
  void resume_reading() override {}

  std::shared_ptr<Peer> peer;
  std::vector<std::string> frames;
  std::size_t wakes = 0;
};

class PeerNewsTest : public testing::Test {
 protected:
  PeerNewsTest() {
    SessionManager::Options options;
    options.errands.threads = 0;
    auto make = [](Loop& loop) { return std::make_unique<FakeLauncher>(loop.context().get_executor()); };
    sessions_ = std::make_unique<SessionManager>(loops_, make, options);
    line_.peer = Peer::create(loops_.main(), *sessions_, line_, {Access::full, false, {"/srv", "/", "srv"}, "c1"});
    settle();
    line_.peer->on_message(R"({"id":"1","body":{"_tag":"terminal.list"}})");
    settle();
    line_.wakes = 0;
  }
  ~PeerNewsTest() override {
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
    sessions_->submit(Caller(loops_.main(), nullptr, [](const Result<Reply>&) {}), asked);
    settle();
  }
  auto starts() const {
    return std::count_if(line_.frames.begin(), line_.frames.end(), [](const std::string& frame) {
      return frame.find(R"("type":"started")") != std::string::npos;
    });
  }

  ManualClock clock_;
  Loops loops_{1, clock_};
  std::unique_ptr<SessionManager> sessions_;
  CountingLine line_;
};

TEST_F(PeerNewsTest, TheFirstOnesComeSoon) {
  others_open("a");
  pass(19ms);
  EXPECT_EQ(starts(), 0);
  pass(1ms);
  EXPECT_EQ(starts(), 1);
}

TEST_F(PeerNewsTest, ThoseBehindThemAreGathered) {
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

TEST_F(PeerNewsTest, ComeSoonAgainWhenThereWereNoneForAWhile) {
  others_open("a");
  pass(20ms);
  pass(180ms);
  others_open("b");
  pass(20ms);
  EXPECT_EQ(starts(), 2);
}

TEST_F(PeerNewsTest, ComeAtOnceWithWhatIsWrittenAnyway) {
  others_open("a");
  pass(20ms);
  others_open("b");
  line_.peer->on_message(R"({"id":"2","body":{"_tag":"terminal.list"}})");
  settle();
  EXPECT_EQ(starts(), 2);
}

}  // namespace
}  // namespace ptyd
