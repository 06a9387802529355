#include "server/net/socket/peer_address.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

namespace ptyd {
namespace {

sockaddr_storage v6(const char* ip) {
  sockaddr_storage storage{};
  auto& address = reinterpret_cast<sockaddr_in6&>(storage);
  address.sin6_family = AF_INET6;
  address.sin6_port = htons(4711);
  EXPECT_EQ(::inet_pton(AF_INET6, ip, &address.sin6_addr), 1);
  return storage;
}

TEST(PeerAddress, AnAddressOfIPv4CountsForItselfAndOneOfIPv6ForItsNetwork) {
  EXPECT_EQ(describe_ip("203.0.113.7").bucket, "203.0.113.7");
  EXPECT_EQ(describe_ip("2001:db8:1:2:3:4:5:6").bucket, "2001:db8:1:2::/64");
  EXPECT_FALSE(describe_ip("203.0.113.7").local);
  for (const char* ip : {"127.0.0.1", "::1"}) {
    EXPECT_EQ(describe_ip(ip).bucket, ip);
    EXPECT_TRUE(describe_ip(ip).local);
  }
  EXPECT_EQ(describe_ip("::ffff:203.0.113.7").bucket, "203.0.113.7") << "as proxies write it whose sockets take both";
  EXPECT_TRUE(describe_ip("::ffff:127.0.0.1").local);
  EXPECT_FALSE(describe_ip("nonsense").local);
}

TEST(PeerAddress, OfASocketHasItsPortInTheLogAlone) {
  const auto peer = describe_peer(v6("2001:db8::1"));
  EXPECT_EQ(peer.text, "[2001:db8::1]:4711");
  EXPECT_EQ(peer.ip, "2001:db8::1");
  EXPECT_EQ(peer.bucket, "2001:db8::/64");
  const auto mapped = describe_peer(v6("::ffff:203.0.113.7"));
  EXPECT_EQ(mapped.text, "203.0.113.7:4711") << "a socket that takes both gives it so";
  EXPECT_EQ(mapped.bucket, "203.0.113.7");
  EXPECT_TRUE(describe_peer(v6("::ffff:127.0.0.1")).local);
  EXPECT_EQ(describe_unix_peer(7).ip, "");
  EXPECT_TRUE(describe_unix_peer(7).local);
}

}  // namespace
}  // namespace ptyd
