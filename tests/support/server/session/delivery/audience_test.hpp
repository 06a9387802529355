// AudienceTest: what the tests of audiences, and of what they are sent, have in common.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/session/delivery/audience.hpp"
#include "tests/support/server/loop/manual_clock.hpp"
#include "tests/support/server/session/session_bench.hpp"

namespace ptyd {

class AudienceTest : public testing::Test {
 protected:
  /// One that holds each event until take().
  Subscription& join(const std::shared_ptr<FakeViewer>& viewer) {
    viewer->takes = false;
    return audience_.add(++last_, viewer);
  }
  std::shared_ptr<FakeViewer> viewer() { return std::make_shared<FakeViewer>(loop_, "viewer"); }
  /// Sends what may be sent, and lets viewers hear it.
  void pump() {
    journal_.commit();
    audience_.pump(now_);
    loop_.context().restart();
    loop_.context().poll();
  }
  void print(std::string_view text) {
    journal_.append(text);
    pump();
  }
  void take(const Subscription& subscription) {
    EXPECT_TRUE(audience_.on_taken(subscription.id));
    pump();
  }
  void take_all(const Subscription& subscription) {
    pump();
    while (subscription.event_in_flight) take(subscription);
  }
  /// More than is sent to a viewer that holds an event.
  void print_too_much() { print(std::string(flow::kBudget + 1, 'x')); }
  /// Its credit is used up.
  void ack_nothing(Subscription& subscription) {
    print(std::string(2 * flow::kMinWindow, 'x'));
    take_all(subscription);
    EXPECT_EQ(subscription.credit.room_for(flow::kMaxFrame), 0u);
  }
  /// Output has come to a subscriber, which has acked it.
  void take_and_ack(const std::shared_ptr<FakeViewer>& someone, const Subscription& subscription) {
    take_all(subscription);
    EXPECT_TRUE(audience_.on_returned(subscription.id, someone->output.size(), now_));
  }
  std::string here() const { return format_cursor({journal_.incarnation(), journal_.head()}); }
  void answer_in_place(Subscription& subscription) {
    audience_.answer_in_place(subscription, [this](Subscription::Barrier::Reached how) { reached_.push_back(how); });
  }

  ManualClock clock_;
  Loop loop_{0, clock_};
  Journal journal_ = *Journal::create({}, "test");
  EventSource source_{{"thread", "terminal"}, journal_, clock_};
  Audience audience_{loop_, journal_, source_, [this](Position, std::size_t lines, std::size_t bytes) {
                       lines_ = lines;
                       bytes_ = bytes;
                       return Repaint{present_, missing_};
                     }};
  std::string present_ = "the present";
  std::size_t lines_ = 0, bytes_ = 0;  // that were asked for of what was skipped
  std::uint64_t missing_ = 0;          // lines that are in neither
  TimePoint now_ = clock_.now();
  std::vector<Subscription::Barrier::Reached> reached_;

 private:
  SubscriptionId last_ = 0;
};

}  // namespace ptyd
