#include "server/loop/memory_return.hpp"

#include "tests/support/server/loop/loop_test.hpp"

namespace ptyd {
namespace {

class MemoryReturnTest : public LoopTest {
 protected:
  int given_back_ = 0;
  MemoryReturn memory_{loop_, [this] { given_back_++; }};
};

TEST_F(MemoryReturnTest, GivesBackOnceAndLaterWhatWasFreedInABurst) {
  for (int i = 0; i < 100; i++) memory_.freed(MemoryReturn::kWorth);
  EXPECT_EQ(given_back_, 0);
  pass(MemoryReturn::kLater);
  EXPECT_EQ(given_back_, 1);
  pass(MemoryReturn::kLater);
  EXPECT_EQ(given_back_, 1);
  memory_.freed(MemoryReturn::kWorth);
  pass(MemoryReturn::kLater);
  EXPECT_EQ(given_back_, 2);
}

TEST_F(MemoryReturnTest, LittleIsNotWorthIt) {
  memory_.freed(MemoryReturn::kWorth - 1);
  pass(MemoryReturn::kLater);
  EXPECT_EQ(given_back_, 0);
  memory_.freed(1);
  pass(MemoryReturn::kLater);
  EXPECT_EQ(given_back_, 1) << "little and little is much";
}

}  // namespace
}  // namespace ptyd
