// FakeLine: a Peer's Transport with memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/net/websocket/peer.hpp"

namespace ptyd {

/// A line that brings messages only while they are read, as Connection does, and takes frames only while it is let.
class FakeLine final : public Transport {
 public:
  void wake() override {
    if (without_memory) throw std::bad_alloc();
    drain();
  }
  void ping(std::uint64_t number) override { pings_.push_back(number); }
  void close(std::uint16_t code, std::string_view) override {
    closed_with = code;
    if (peer) peer->on_goodbye();
  }
  void resume_reading() override { read(); }
  TimePoint next_turn() const override { return turn; }

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
  /// How many frames hold `text`.
  std::size_t holding(std::string_view text) const {
    return static_cast<std::size_t>(std::count_if(frames.begin(), frames.end(), [text](const std::string& frame) {
      return frame.find(text) != std::string::npos;
    }));
  }
  /// How often `letter` is in the data of output.
  std::size_t output(char letter) const {
    constexpr std::string_view kData = R"("data":")";
    std::size_t sum = 0;
    for (const std::string_view frame : frames)
      for (auto at = frame.find(kData); at != frame.npos; at = frame.find(kData, at + 1)) {
        const auto data = frame.substr(at + kData.size(), frame.find('"', at + kData.size()) - at - kData.size());
        sum += static_cast<std::size_t>(std::count(data.begin(), data.end(), letter));
      }
    return sum;
  }

  std::shared_ptr<Peer> peer;
  std::vector<std::string> frames;
  bool is_reading = true;
  bool takes = true;
  bool without_memory = false;
  std::uint16_t closed_with = 0;
  TimePoint turn = TimePoint::min();  ///< next_turn()

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

}  // namespace ptyd
