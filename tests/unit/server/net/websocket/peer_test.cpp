// When a peer is read, and when not.
#include "server/net/websocket/peer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <new>
#include <string>
#include <vector>

#include "server/session/session_manager.hpp"
#include "tests/support/pty/process/fake_pty.hpp"

namespace ptyd {
namespace {

/// A line that brings messages only while they are read, as Connection does, and takes frames only while it is let.
class FakeLine final : public Transport {
 public:
  void wake() override {
    if (without_memory) throw std::bad_alloc();
    drain();
  }
  void ping(std::uint64_t number) override { pings_.push_back(number); }
  void close(std::uint16_t code, std::string_view) override { closed_with = code; }
  void resume_reading() override { read(); }

  void bring(std::string message) {
    waiting_.push_back(std::move(message));
    if (is_reading) read();
  }
  /// Pongs are heard only while messages are read.
  void drain() {
    if (std::exchange(draining_, true)) return;
    while (takes && peer && take_one()) {
    }
    draining_ = false;
  }
  bool answer_pings() {
    if (!is_reading || pings_.empty()) return false;
    for (const auto number : std::exchange(pings_, {})) peer->on_pong(number);
    return true;
  }
  std::size_t replies() const {
    return static_cast<std::size_t>(std::count_if(frames.begin(), frames.end(), [](const std::string& frame) {
      return frame.find("\"result\"") != std::string::npos || frame.find("\"error\"") != std::string::npos;
    }));
  }
  std::size_t unread() const { return waiting_.size(); }

  std::shared_ptr<Peer> peer;
  std::vector<std::string> frames;
  bool is_reading = true;
  bool takes = true;
  bool without_memory = false;
  std::uint16_t closed_with = 0;

 private:
  bool take_one() {
    const auto frame = peer->take_frame();
    if (!frame) return false;
    frames.push_back(frame->head + (frame->body ? *frame->body : "") + frame->tail);
    peer->on_written();
    return true;
  }
  void read() {
    is_reading = true;
    while (is_reading && !waiting_.empty()) {
      const auto message = std::move(waiting_.front());
      waiting_.pop_front();
      peer->on_message(message);
      is_reading = peer->may_read();
    }
  }

  std::deque<std::string> waiting_;
  std::vector<std::uint64_t> pings_;
  bool draining_ = false;
};

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
    options.errands.threads = 0;
    sessions_ = std::make_unique<SessionManager>(loops_, make, options);
    line_.peer = Peer::create(loops_.main(), *sessions_, line_, {Access::full, false, {"/srv", "/", "srv"}, "c1"});
  }
  ~PeerTest() override {
    line_.peer->on_closed();
    settle();
    loops_.stop();
  }
  void settle() {
    do {
      loops_.main().context().restart();
      while (loops_.main().context().poll_one() > 0) {
      }
    } while (line_.answer_pings());
  }
  static std::string open(int request, const std::string& terminal) {
    return R"({"id":")" + std::to_string(request) +
           R"(","body":{"_tag":"terminal.open","threadId":"t","terminalId":")" + terminal + R"(","cwd":"/"}})";
  }

  Loops loops_{1};
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
  launcher_->last().say(std::string(300 << 10, 'x'));
  for (int n = 1; n <= kMany; ++n) line_.bring(open(n, "busy"));
  settle();
  EXPECT_EQ(line_.replies(), std::size_t{kMany} + 1);
  EXPECT_TRUE(line_.is_reading);
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

}  // namespace
}  // namespace ptyd
