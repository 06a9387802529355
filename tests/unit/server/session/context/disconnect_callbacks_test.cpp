// Listeners that are told when a viewer leaves.
#include "server/session/context/disconnect_callbacks.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ptyd {
namespace {

/// A viewer that is only compared.
class Somebody final : public Viewer {
 public:
  Loop& loop() override { return loop_; }
  const std::string& name() const override { return name_; }
  Access access() const override { return Access::full; }
  const std::string& credential() const override { return name_; }
  void on_subscribed(const SubscriptionHandle&) override {}
  void on_unsubscribed(SubscriptionId) override {}
  void on_event(SubscriptionId, std::shared_ptr<const EncodedEvent>) override {}
  void on_lifecycle(std::shared_ptr<const EncodedEvent>) override {}

 private:
  ManualClock clock_;
  Loop loop_{0, clock_};
  std::string name_;
};

class DisconnectCallbacksTest : public testing::Test {
 protected:
  std::shared_ptr<const DisconnectCallbacks::Callback> adds(const std::string& word) {
    return std::make_shared<const DisconnectCallbacks::Callback>([this, word] { told_ += word + " "; });
  }

  DisconnectCallbacks disconnect_callbacks_;
  std::shared_ptr<Viewer> one_ = std::make_shared<Somebody>(), other_ = std::make_shared<Somebody>();
  std::string told_;
};

TEST_F(DisconnectCallbacksTest, EverybodyWhoWaitsForHimIsToldOnceAndInOrder) {
  const auto first = adds("first"), second = adds("second"), others = adds("other's");
  disconnect_callbacks_.await(one_, first);
  disconnect_callbacks_.await(other_, others);
  disconnect_callbacks_.await(one_, second);
  disconnect_callbacks_.left(one_);
  EXPECT_EQ(told_, "first second ");
  disconnect_callbacks_.left(one_);
  EXPECT_EQ(told_, "first second ");
  disconnect_callbacks_.left(other_);
  EXPECT_EQ(told_, "first second other's ");
}

TEST_F(DisconnectCallbacksTest, WhoHasGoneHimselfIsNotTold) {
  auto first = adds("first");
  const auto second = adds("second");
  disconnect_callbacks_.await(one_, first);
  disconnect_callbacks_.await(one_, second);
  first.reset();
  disconnect_callbacks_.left(one_);
  EXPECT_EQ(told_, "second ");
}

TEST_F(DisconnectCallbacksTest, WhoIsToldMayWaitForAnother) {
  const auto then = adds("then");
  const auto first = std::make_shared<const DisconnectCallbacks::Callback>(
      [this, then] { disconnect_callbacks_.await(other_, then); });
  disconnect_callbacks_.await(one_, first);
  disconnect_callbacks_.left(one_);
  disconnect_callbacks_.left(other_);
  EXPECT_EQ(told_, "then ");
}

TEST_F(DisconnectCallbacksTest, NobodyIsKeptByWhoWaitsForHim) {
  const auto first = adds("first");
  disconnect_callbacks_.await(one_, first);
  disconnect_callbacks_.left(one_);
  EXPECT_EQ(one_.use_count(), 1);
}

}  // namespace
}  // namespace ptyd
