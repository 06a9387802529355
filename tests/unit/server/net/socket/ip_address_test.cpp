#include "server/net/socket/ip_address.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(IpAddress, OneOfIPv4ThatIsMappedIsItself) {
  EXPECT_EQ(parse_ip("::ffff:203.0.113.7"), parse_ip("203.0.113.7"));
  EXPECT_TRUE(parse_ip("::ffff:203.0.113.7")->is_v4());
  EXPECT_TRUE(parse_ip("2001:db8::1")->is_v6());
  EXPECT_TRUE(parse_ip("::203.0.113.7")->is_v6()) << "a form that RFC 4291 deprecates maps nothing";
}

TEST(IpAddress, WhatIsNoneIsNothing) {
  for (const char* text : {"", "localhost", "1.2.3", "1.2.3.4.5", "1.2.3.4:80", "[::1]", "1.2.3.4/8"})
    EXPECT_FALSE(parse_ip(text)) << text;
}

TEST(IpAddress, LoopbackIsOfThisMachineAlone) {
  for (const char* text : {"127.0.0.1", "127.255.255.254", "::1", "::ffff:127.0.0.1"})
    EXPECT_TRUE(is_loopback_ip(text)) << text;
  for (const char* text : {"128.0.0.1", "0.0.0.0", "::", "::ffff:10.0.0.1", "localhost", ""})
    EXPECT_FALSE(is_loopback_ip(text)) << text;
}

}  // namespace
}  // namespace ptyd
