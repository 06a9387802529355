// Listeners that are told when a viewer leaves.
#include "server/session/context/departures.hpp"
#include "tests/support/server/loop/manual_clock.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace ptyd {
namespace {

/// Somebody of whom nothing is asked but who he is.
class Somebody final : public Viewer {
 public:
  Loop& loop() override { return loop_; }
  const std::string& name() const override { return name_; }
  Access access() const override { return Access::full; }
  const std::string& credential() const override { return name_; }
  void on_subscribed(const Feed&) override {}
  void on_unsubscribed(SubscriptionId) override {}
  void on_event(SubscriptionId, std::shared_ptr<const Publication>) override {}
  void on_lifecycle(std::shared_ptr<const Publication>) override {}

 private:
  ManualClock clock_;
  Loop loop_{0, clock_};
  std::string name_;
};

class DeparturesTest : public testing::Test {
 protected:
  std::shared_ptr<const Departures::Told> adds(const std::string& word) {
    return std::make_shared<const Departures::Told>([this, word] { told_ += word + " "; });
  }

  Departures departures_;
  std::shared_ptr<Viewer> one_ = std::make_shared<Somebody>(), other_ = std::make_shared<Somebody>();
  std::string told_;
};

TEST_F(DeparturesTest, EverybodyWhoWaitsForHimIsToldOnceAndInOrder) {
  const auto first = adds("first"), second = adds("second"), others = adds("other's");
  departures_.await(one_, first);
  departures_.await(other_, others);
  departures_.await(one_, second);
  departures_.left(one_);
  EXPECT_EQ(told_, "first second ");
  departures_.left(one_);
  EXPECT_EQ(told_, "first second ");
  departures_.left(other_);
  EXPECT_EQ(told_, "first second other's ");
}

TEST_F(DeparturesTest, WhoHasGoneHimselfIsNotTold) {
  auto first = adds("first");
  const auto second = adds("second");
  departures_.await(one_, first);
  departures_.await(one_, second);
  first.reset();
  departures_.left(one_);
  EXPECT_EQ(told_, "second ");
}

TEST_F(DeparturesTest, WhoIsToldMayWaitForAnother) {
  const auto then = adds("then");
  const auto first = std::make_shared<const Departures::Told>([this, then] { departures_.await(other_, then); });
  departures_.await(one_, first);
  departures_.left(one_);
  departures_.left(other_);
  EXPECT_EQ(told_, "then ");
}

TEST_F(DeparturesTest, NobodyIsKeptByWhoWaitsForHim) {
  const auto first = adds("first");
  departures_.await(one_, first);
  departures_.left(one_);
  EXPECT_EQ(one_.use_count(), 1);
}

}  // namespace
}  // namespace ptyd
