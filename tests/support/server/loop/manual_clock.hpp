// ManualClock: time that passes only when a test says so.
#pragma once

#include <boost/asio/post.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <utility>

#include "server/loop/clock.hpp"

namespace ptyd {

/// Begins somewhere, and stands still. Work whose time has come is posted to its loop, in the order in which it was
/// due.
///
/// Owns    nothing; it outlives its timers.
/// Thread  one: that of the test, which runs the loop as well.
class ManualClock final : public Clock {
 public:
  TimePoint now() const override { return now_; }
  UnixMillis unix_now() const override {
    return kUnixBegin + std::chrono::duration_cast<std::chrono::milliseconds>(now_ - kBegin + jumped_).count();
  }
  std::unique_ptr<Timer> make_timer(boost::asio::io_context& context) override {
    return std::make_unique<ManualTimer>(*this, context);
  }

  /// The calendar alone is put forward, or back.
  void jump(std::chrono::milliseconds by) { jumped_ += by; }
  /// Whether anything waits for its time.
  bool has_waiting() const { return !waiting_.empty(); }
  void advance(std::chrono::milliseconds by) {
    now_ += by;
    while (!waiting_.empty() && waiting_.begin()->first <= now_) waiting_.begin()->second->fire();
  }

 private:
  class ManualTimer final : public Timer {
   public:
    ManualTimer(ManualClock& clock, boost::asio::io_context& context)
        : clock_(clock), context_(context), place_(clock.waiting_.end()) {}
    ~ManualTimer() override { cancel(); }
    ManualTimer(const ManualTimer&) = delete;
    ManualTimer& operator=(const ManualTimer&) = delete;

    void wait_until(TimePoint when, Work work) override {
      cancel();
      work_ = std::make_shared<Work>(std::move(work));
      place_ = clock_.waiting_.emplace(when, this);
      if (when <= clock_.now()) fire();
    }
    void cancel() override {
      work_.reset();
      stop_waiting();
    }
    /// A posted call is still dropped by cancel().
    void fire() {
      stop_waiting();
      boost::asio::post(context_, [due = std::weak_ptr<Work>(work_)] {
        const auto held = due.lock();
        if (const auto work = held ? std::exchange(*held, nullptr) : nullptr) work();
      });
    }

   private:
    void stop_waiting() {
      if (place_ != clock_.waiting_.end()) clock_.waiting_.erase(place_);
      place_ = clock_.waiting_.end();
    }

    ManualClock& clock_;
    boost::asio::io_context& context_;
    std::shared_ptr<Work> work_;
    std::multimap<TimePoint, ManualTimer*>::iterator place_;
  };

  static constexpr TimePoint kBegin{std::chrono::hours(1)};
  static constexpr UnixMillis kUnixBegin = 1'750'000'000'000;

  TimePoint now_ = kBegin;
  std::chrono::milliseconds jumped_{};
  std::multimap<TimePoint, ManualTimer*> waiting_;
};

}  // namespace ptyd
