#include "server/net/access/address_rate_limiter.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

using namespace std::chrono_literals;

constexpr AddressRateLimiter::Clock::time_point kPaceBegin{std::chrono::hours(1)};

TEST(AddressRateLimiter, ABurstGoesAtOnceAndMoreWaitsForItsTurn) {
  AddressRateLimiter pace({3, 100ms, 250ms});
  for (int i = 0; i < 3; i++) EXPECT_EQ(pace.take("a", kPaceBegin), 0ms) << i;
  EXPECT_EQ(pace.take("a", kPaceBegin), 100ms);
  EXPECT_EQ(pace.take("a", kPaceBegin), 200ms);
  EXPECT_EQ(pace.take("a", kPaceBegin), std::nullopt) << "longer than the patience";
  EXPECT_EQ(pace.take("b", kPaceBegin), 0ms) << "others are not held for it";
}

TEST(AddressRateLimiter, ATurnThatIsTooFarAwayIsNotTaken) {
  AddressRateLimiter pace({1, 100ms, 100ms});
  EXPECT_EQ(pace.take("a", kPaceBegin), 0ms);
  EXPECT_EQ(pace.take("a", kPaceBegin), 100ms);
  for (int i = 0; i < 5; i++) EXPECT_EQ(pace.take("a", kPaceBegin), std::nullopt);
  EXPECT_EQ(pace.take("a", kPaceBegin + 100ms), 100ms);
}

TEST(AddressRateLimiter, ForgivesOneAfterEachInterval) {
  AddressRateLimiter pace({2, 100ms, 0ms});
  EXPECT_EQ(pace.take("a", kPaceBegin), 0ms);
  EXPECT_EQ(pace.take("a", kPaceBegin), 0ms);
  EXPECT_EQ(pace.take("a", kPaceBegin + 99ms), std::nullopt);
  EXPECT_EQ(pace.take("a", kPaceBegin + 100ms), 0ms);
  EXPECT_EQ(pace.take("a", kPaceBegin + 100ms), std::nullopt);
}

TEST(AddressRateLimiter, RemembersABoundedNumberOfAddresses) {
  AddressRateLimiter pace({2, 100ms, 0ms});
  auto now = kPaceBegin;
  for (std::size_t i = 0; i < 3 * AddressRateLimiter::kMaxAddresses; i++) {
    now += 1us;
    (void)pace.take("address " + std::to_string(i), now);
    ASSERT_LE(pace.size(), AddressRateLimiter::kMaxAddresses);
  }
}

TEST(AddressRateLimiter, ForgetsFirstWhatIsForgiven) {
  AddressRateLimiter pace({1, 100ms, 200ms});
  for (std::size_t i = 0; i + 1 < AddressRateLimiter::kMaxAddresses; i++)
    (void)pace.take(std::to_string(i), kPaceBegin);
  for (int i = 0; i < 2; i++) (void)pace.take("worst", kPaceBegin);
  (void)pace.take("new", kPaceBegin + 100ms);
  EXPECT_EQ(pace.size(), 2U);
}

}  // namespace
}  // namespace ptyd
