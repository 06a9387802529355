// Which pings go out, and which pongs are answers to them.
#include "server/net/websocket/pings.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(Pings, OfNumbersThatWaitTheLastGoesAndOnce) {
  Pings pings;
  EXPECT_EQ(pings.next(), std::nullopt);
  pings.ask(1);
  pings.ask(2);
  EXPECT_EQ(pings.next(), "2");
  EXPECT_EQ(pings.next(), std::nullopt);
}

TEST(Pings, ANumberKeepsTheConnectionAliveAsWell) {
  Pings pings;
  pings.keep_alive(true);
  pings.ask(7);
  EXPECT_EQ(pings.next(), "7");
  EXPECT_EQ(pings.next(), std::nullopt);
  pings.keep_alive(true);
  EXPECT_EQ(pings.next(), Pings::kKeepAlive);
}

TEST(Pings, OnlyThePongOfTheLastNumberAcksIt) {
  Pings pings;
  EXPECT_FALSE(pings.take("1").is_expected) << "nobody asked";
  pings.ask(18446744073709551615U);
  (void)pings.next();
  for (const auto* text : {"", "1", " 18446744073709551615", "18446744073709551616", "18446744073709551615x"})
    EXPECT_FALSE(pings.take(text).is_expected) << text;
  const auto pong = pings.take("18446744073709551615");
  EXPECT_TRUE(pong.is_expected);
  EXPECT_EQ(pong.number, 18446744073709551615U);
  EXPECT_FALSE(pings.take("18446744073709551615").is_expected) << "it has been answered";
}

TEST(Pings, APongAnswersAllNumbersUpToItsOwn) {
  Pings pings;
  for (const auto number : {1U, 2U, 3U}) {
    pings.ask(number);
    (void)pings.next();
  }
  EXPECT_EQ(pings.take("2").number, 2U);
  EXPECT_FALSE(pings.take("1").is_expected) << "it has been answered";
  EXPECT_EQ(pings.take("3").number, 3U);
}

TEST(Pings, APongThatKeepsAliveAcksNothing) {
  Pings pings;
  pings.keep_alive(true);
  EXPECT_EQ(pings.next(), Pings::kKeepAlive);
  const auto pong = pings.take(Pings::kKeepAlive);
  EXPECT_TRUE(pong.is_expected);
  EXPECT_EQ(pong.number, std::nullopt);
}

TEST(Pings, APongThatKeepsAliveIsExpectedOnceAndOnlyIfAsked) {
  Pings pings;
  EXPECT_FALSE(pings.take(Pings::kKeepAlive).is_expected) << "no ping asked for it";
  for (int asked = 0; asked < 2; asked++) {
    pings.keep_alive(true);
    (void)pings.next();
  }
  EXPECT_TRUE(pings.take(Pings::kKeepAlive).is_expected);
  EXPECT_FALSE(pings.take(Pings::kKeepAlive).is_expected) << "one pong may answer both";
}

}  // namespace
}  // namespace ptyd
