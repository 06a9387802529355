// Output that was printed while a client was away, on a slow link.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>

#include "tests/support/server/session/delivery/audience_test.hpp"

namespace ptyd {
namespace {

using namespace std::chrono_literals;

class MissedTest : public AudienceTest {
 protected:
  static constexpr std::size_t kBytesPerMs = 64, kTooMuch = 64 << 10;

  Subscription& join_slow(const std::shared_ptr<FakeViewer>& viewer) {
    auto& subscription = join(viewer);
    subscription.credit = slow();
    EXPECT_TRUE(subscription.credit.is_overrun_by(kTooMuch));
    EXPECT_FALSE(subscription.credit.is_overrun_by(flow::kMinBudget));
    return subscription;
  }
  /// It takes and acks all there is, as fast as its line is.
  void catch_up(const Subscription& subscription) {
    do {
      take_all(subscription);
      pass(subscription.credit.in_flight());
      EXPECT_TRUE(audience_.on_returned(subscription.id, subscription.credit.in_flight(), now_));
      pump();
    } while (subscription.event_in_flight);
  }

 private:
  void pass(std::size_t bytes) { now_ += std::chrono::milliseconds(bytes / kBytesPerMs); }
  /// Of a line that is known.
  Credit slow() {
    Credit credit;
    credit.on_sent(1, now_);
    credit.on_returned(1, now_, now_ + 1ms);
    for (int frame = 0; frame < 20; frame++) {
      const auto sent = now_;
      const auto bytes = credit.room_for(flow::kMaxFrame);
      credit.on_sent(bytes, sent);
      pass(bytes);
      credit.on_returned(bytes, sent, now_);
    }
    return credit;
  }
};

TEST_F(MissedTest, IsSentToItsEndHoweverMuchItIsForTheLine) {
  const auto someone = viewer();
  auto& subscription = join_slow(someone);
  const auto at = journal_.head();
  std::string text;
  while (text.size() < journal_.capacity() - 1000) text += std::to_string(text.size()) + "\n";
  journal_.append(text);
  audience_.go_on(subscription, at);
  catch_up(subscription);
  EXPECT_TRUE(someone->output == text);
  EXPECT_EQ(audience_.resyncs(), 0u);
}

TEST_F(MissedTest, CostsNoMoreThanThatOfWhatIsPrintedSince) {
  const auto someone = viewer();
  auto& subscription = join_slow(someone);
  const auto at = journal_.head();
  journal_.append(std::string(kTooMuch, 'm'));
  audience_.go_on(subscription, at);
  print(std::string(flow::kMinBudget / 2, 's'));
  catch_up(subscription);
  EXPECT_EQ(audience_.resyncs(), 0u);
  EXPECT_EQ(someone->output.size(), kTooMuch + flow::kMinBudget / 2);
}

TEST_F(MissedTest, IsSkippedWhereMoreIsPrintedSinceThanTheLineCarries) {
  const auto someone = viewer();
  auto& subscription = join_slow(someone);
  const auto at = journal_.head();
  journal_.append(std::string(kTooMuch, 'm'));
  audience_.go_on(subscription, at);
  print(std::string(kTooMuch, 's'));
  catch_up(subscription);
  EXPECT_EQ(audience_.resyncs(), 1u);
}

TEST_F(MissedTest, OnceItHasCaughtUpCountsForNothing) {
  const auto someone = viewer();
  auto& subscription = join_slow(someone);
  const auto at = journal_.head();
  journal_.append(std::string(kTooMuch, 'm'));
  audience_.go_on(subscription, at);
  catch_up(subscription);
  EXPECT_EQ(subscription.missed, 0u);
  print("held");
  print(std::string(kTooMuch, 's'));
  catch_up(subscription);
  EXPECT_EQ(audience_.resyncs(), 1u);
}

}  // namespace
}  // namespace ptyd
