// Effects of the flow rules on links of every kind: a model of a link, a client and a program that floods.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "server/session/delivery/flow.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

struct Wire {
  double rate;  // bytes per second
  TimePoint::duration round_trip;
};

using Seconds = std::chrono::duration<double>;

void PrintTo(const Wire& link, std::ostream* out) {
  *out << link.rate << " bytes per second, " << Seconds(link.round_trip).count() << " s there and back";
}

/// One viewer of one child. Frames go over the link one behind the other; the client answers pings, which are asked for
/// as AckTracker does: one at a time, after some bytes, or when the link is quiet. Steps of a fraction of a
/// millisecond.
class Flood {
 public:
  static constexpr std::size_t kTurn = 16 << 10, kScreen = 4 << 10, kMinAck = 4 << 10, kMaxAck = 64 << 10,
                               kMaxPings = 8;
  static constexpr auto kQuiet = 5ms;
  /// Bytes that a program prints at most, in a second.
  static constexpr std::size_t kPrinted = 60'000'000;

  explicit Flood(const Wire& link)
      : link_(link), step_(std::clamp<TimePoint::duration>(link.round_trip / 20, 100us, 200us)) {}

  /// The program prints as fast as it may.
  void run(TimePoint::duration time) {
    for (const auto end = now_ + time; now_ < end; now_ += step_) step(true);
  }
  /// Everything stands still for a while, as busy machines do. Then the program prints its last `bytes`, since nobody
  /// waits for whom nothing was heard of, and what is under way arrives.
  void stand_still(TimePoint::duration time, std::size_t bytes) {
    now_ += time;
    head_ += bytes;
    printed_[head_] = now_;
    for (const auto end = now_ + 1s; now_ < end; now_ += step_) step(false);
  }
  /// Ctrl-C is typed: how long until the prompt that the program ends with is there.
  TimePoint::duration time_to_prompt() {
    const auto typed = now_;
    run(link_.round_trip / 2);
    head_ += 20;
    prompt_ = head_;
    while (shown_ < prompt_ && now_ < typed + 60s) {
      step(false);
      now_ += step_;
    }
    return now_ - typed;
  }

  std::size_t resyncs() const { return resyncs_; }
  std::size_t delivered() const { return delivered_; }
  /// How old what was shown was at most when it came.
  TimePoint::duration oldest() const { return oldest_; }
  std::size_t window() const { return credit_.window(); }
  void set_round_trip(TimePoint::duration round_trip) { link_.round_trip = round_trip; }

 private:
  struct Frame {
    TimePoint arrives, told;  // told: when what it shows was so
    std::size_t bytes;
    Position shows;
  };

  void step(bool prints) {
    arrive();
    ack();
    if (prints) print();
    while (send()) {
    }
  }
  void print() {
    for (auto left = static_cast<std::size_t>(kPrinted * Seconds(step_).count()); left > 0;) {
      const bool counts = !credit_.starved_since() || now_ - *credit_.starved_since() < flow::kStalled;
      if (!pacer_.may_read(head_, counts ? std::optional(Pacer::Leader{cursor_, credit_.is_known()}) : std::nullopt,
                           now_))
        break;
      const auto read = std::min(left, kTurn);
      head_ += read;
      left -= read;
      while (send()) {
      }
    }
    printed_[head_] = now_;
  }
  bool send() {
    if (pending_ > 0) return send_pending();
    const auto waiting = static_cast<std::size_t>(head_ - cursor_);
    if (waiting == 0) return false;
    const auto most = credit_.room_for(waiting);
    if (most == 0) return false;
    if (credit_.is_overrun_by(waiting)) {
      resyncs_++;
      pending_ = kScreen + std::min(waiting, credit_.worth_of_skipped());
      cursor_ = head_;
      repainted_ = now_;
      return true;
    }
    const auto told = printed_.lower_bound(cursor_ + 1);
    const auto when = told == printed_.end() ? now_ : told->second;
    cursor_ += most;
    printed_.erase(printed_.begin(), printed_.lower_bound(cursor_));
    put(most, when, cursor_);
    return true;
  }
  bool send_pending() {
    const auto most = credit_.room_for(pending_);
    if (most == 0) return false;
    pending_ -= most;
    put(most, repainted_, pending_ == 0 ? cursor_ : 0);
    return true;
  }
  void put(std::size_t bytes, TimePoint told, Position shows) {
    credit_.on_sent(bytes, now_);
    in_flight_.on_sent(0, bytes, now_);
    const auto takes =
        std::chrono::duration_cast<TimePoint::duration>(Seconds(static_cast<double>(bytes) / link_.rate));
    free_at_ = std::max(free_at_, now_) + takes;
    under_way_.push_back({free_at_ + link_.round_trip / 2, told, bytes, shows});
    unasked_ += bytes;
    sent_ = now_;
    ask(ack_after_);
  }
  void ask(std::size_t after) {
    if (pongs_.size() == kMaxPings || unasked_ < after) return;
    const auto arrives = under_way_.empty() ? now_ + link_.round_trip / 2 : under_way_.back().arrives;
    pongs_.push_back({arrives + link_.round_trip / 2, std::exchange(unasked_, 0)});
  }
  void arrive() {
    for (; !under_way_.empty() && under_way_.front().arrives <= now_; under_way_.pop_front()) {
      const auto& frame = under_way_.front();
      delivered_ += frame.bytes;
      oldest_ = std::max(oldest_, frame.arrives - frame.told);
      shown_ = std::max(shown_, frame.shows);
    }
  }
  void ack() {
    while (!pongs_.empty() && pongs_.front().comes <= now_) {
      const auto bytes = pongs_.front().bytes;
      pongs_.pop_front();
      auto since = unasked_;
      for (const auto& each : pongs_) since += each.bytes;
      ack_after_ = std::clamp(since / 2, kMinAck, kMaxAck);
      credit_.on_returned(bytes, in_flight_.on_returned(bytes), now_);
      ask(ack_after_);
    }
    if (now_ - sent_ >= kQuiet) ask(kMinAck);
  }

  Wire link_;
  TimePoint::duration step_;
  TimePoint now_{1000s}, free_at_{}, sent_{}, repainted_{};
  Credit credit_;
  InFlight in_flight_;
  Pacer pacer_;
  Position head_ = 0, cursor_ = 0, shown_ = 0, prompt_ = 0;
  std::map<Position, TimePoint> printed_;
  std::deque<Frame> under_way_;
  struct Pong {
    TimePoint comes;
    std::size_t bytes;
  };
  std::deque<Pong> pongs_;
  std::size_t unasked_ = 0, ack_after_ = kMinAck, pending_ = 0;
  std::size_t resyncs_ = 0, delivered_ = 0;
  TimePoint::duration oldest_{};
};

class FlowLinkTest : public testing::TestWithParam<Wire> {
 protected:
  double rate() const { return GetParam().rate; }
  bool is_near() const { return GetParam().round_trip <= 100ms; }
  /// A link does not carry more than the largest window in a round trip.
  double carries() const {
    return std::min(rate(), static_cast<double>(flow::kMaxWindow) / Seconds(GetParam().round_trip).count());
  }
};

TEST_P(FlowLinkTest, WhoKeepsUpMissesNothing) {
  if (rate() < 512 << 10 || !is_near()) return;  // of others nothing is promised
  Flood flood(GetParam());
  flood.run(15s);
  EXPECT_EQ(flood.resyncs(), 0u);
}

TEST_P(FlowLinkTest, ALinkIsUsed) {
  constexpr auto kFound = 3s, kMeasured = 5s;
  Flood flood(GetParam());
  flood.run(kFound);
  const auto before = flood.delivered();
  flood.run(kMeasured);
  const auto delivered = static_cast<double>(flood.delivered() - before) / Seconds(kMeasured).count();
  EXPECT_GE(delivered, (is_near() ? 0.85 : 0.3) * std::min<double>(carries(), Flood::kPrinted));
}

TEST_P(FlowLinkTest, WhatIsShownIsNotOld) {
  if (!is_near()) return;
  Flood flood(GetParam());
  flood.run(6s);
  EXPECT_LT(flood.oldest(), 1s) << "from the first frame on";
}

TEST_P(FlowLinkTest, CtrlCIsFelt) {
  if (!is_near()) return;
  TimePoint::duration worst{};
  for (auto pressed = 1000ms; pressed < 3s; pressed += 211ms) {
    Flood flood(GetParam());
    flood.run(pressed);
    worst = std::max(worst, flood.time_to_prompt());
  }
  EXPECT_LT(worst, rate() < 100e3 ? 1s : 500ms);
}

std::vector<Wire> links() {
  std::vector<Wire> all;
  for (const auto rate : {20e3, 100e3, 512.0 * 1024, 2e6, 10e6, 100e6})
    for (const TimePoint::duration round_trip : {200us, 20'000us, 100'000us, 600'000us})
      all.push_back({rate, round_trip});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Links, FlowLinkTest, testing::ValuesIn(links()));

TEST(Wire, AViewerBesideTheServerIsAtFullSpeedAtOnce) {
  Flood flood({50e6, 200us});
  flood.run(30ms);
  EXPECT_EQ(flood.window(), flow::kMaxWindow);
}

TEST(Wire, AStopAtTheBeginningIsNoSlowLink) {
  for (const double rate : {0.6e6, 1e6, 2e6, 5e6, 20e6})
    for (const auto begun : {2ms, 5ms, 10ms, 15ms, 20ms, 25ms, 30ms, 50ms, 100ms})
      for (const auto time : {50ms, 100ms, 200ms, 500ms}) {
        Flood flood({rate, 1ms});
        flood.run(begun);
        flood.stand_still(time, 100 << 10);
        EXPECT_EQ(flood.resyncs(), 0u) << rate << " bytes per second, " << begun.count()
                                       << " ms after the beginning, for " << time.count();
      }
}

TEST(Wire, ALongPathIsNoSlowLink) {
  Flood flood({10e6, 600ms});
  flood.run(20s);
  EXPECT_GE(flood.window(), flow::kMaxWindow / 2);
}

TEST(Wire, APathThatBecameLongerIsNoticed) {
  Flood flood({2e6, 20ms});
  flood.run(12s);
  flood.set_round_trip(300ms);
  flood.run(30s);
  const auto before = flood.delivered();
  flood.run(10s);
  EXPECT_GE(flood.delivered() - before, 5'000'000u);
}

}  // namespace
}  // namespace ptyd
