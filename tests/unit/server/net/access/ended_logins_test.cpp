// Which logins were ended before their time.
#include "server/net/access/ended_logins.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

constexpr UnixSeconds kToday = 1'800'000'000;

Login numbered(std::size_t number) {
  return {Access::full, kToday + static_cast<UnixSeconds>(number), std::to_string(number)};
}

TEST(EndedLogins, AreKnownByTheirNumber) {
  EndedLogins ended;
  ended.end(numbered(1), kToday);
  ended.end(numbered(1), kToday);
  EXPECT_TRUE(ended.has(numbered(1)));
  EXPECT_FALSE(ended.has(numbered(2)));
  EXPECT_EQ(ended.size(Access::full), 1u);
}

TEST(EndedLogins, AreForgottenWhenTheyWouldHaveEnded) {
  EndedLogins ended;
  ended.end(numbered(1), kToday);
  ended.end(numbered(3), kToday + 1);
  EXPECT_TRUE(ended.has(numbered(1))) << "in its last second";
  ended.end(numbered(4), kToday + 2);
  EXPECT_FALSE(ended.has(numbered(1)));
  EXPECT_EQ(ended.size(Access::full), 2u);
}

TEST(EndedLogins, AreSoManyAndNotOneMore) {
  EndedLogins ended;
  for (std::size_t number = 1; number <= EndedLogins::kMost; number++) ended.end(numbered(number), kToday);
  EXPECT_TRUE(ended.has(numbered(1)));
  ended.end(numbered(EndedLogins::kMost + 1), kToday);
  EXPECT_EQ(ended.size(Access::full), EndedLogins::kMost);
  EXPECT_FALSE(ended.has(numbered(1))) << "it would have ended first";
}

TEST(EndedLogins, OfViewersPushOutNoneOfOthers) {
  EndedLogins ended;
  ended.end(numbered(1), kToday);
  for (std::size_t number = 2; number <= EndedLogins::kMost + 2; number++) {
    auto login = numbered(number);
    login.access = Access::view;
    ended.end(login, kToday);
  }
  EXPECT_EQ(ended.size(Access::view), EndedLogins::kMost);
  EXPECT_TRUE(ended.has(numbered(1)));
}

}  // namespace
}  // namespace ptyd
