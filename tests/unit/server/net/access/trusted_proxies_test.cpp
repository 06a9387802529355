#include "server/net/access/trusted_proxies.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "server/net/access/request_facts.hpp"

namespace ptyd {
namespace {

TrustedProxies trusting(const std::vector<std::string>& networks) {
  auto proxies = TrustedProxies::parse(networks);
  EXPECT_TRUE(proxies) << proxies.error().detail();
  return *proxies;
}

TEST(TrustedProxies, AreAddressesAndNetworksToTheirLastBit) {
  const auto proxies = trusting({"192.0.2.1", "10.128.0.0/9", "2001:db8::/33", "unix"});
  for (const char* ip : {"192.0.2.1", "10.128.0.0", "10.255.255.255", "2001:db8::1", "2001:db8:7fff::1", ""})
    EXPECT_TRUE(proxies.has(ip)) << ip;
  for (const char* ip :
       {"192.0.2.2", "10.127.255.255", "11.128.0.0", "2001:db8:8000::1", "::1", "127.0.0.1", "nonsense"})
    EXPECT_FALSE(proxies.has(ip)) << ip;
  EXPECT_TRUE(proxies.has("::ffff:192.0.2.1"));
  EXPECT_TRUE(trusting({"0.0.0.0/0"}).has("203.0.113.9"));
  EXPECT_FALSE(trusting({"0.0.0.0/0"}).has("2001:db8::1"));
}

TEST(TrustedProxies, WhatIsNoneIsRefusedByName) {
  for (const char* text :
       {"", "proxy", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x", "::/129", "10.0.0/8"}) {
    const auto parsed = TrustedProxies::parse({"127.0.0.1", text});
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code(), Errc::bad_request);
    EXPECT_EQ(parsed.error().detail().find(text), 0u) << parsed.error().detail();
  }
}

TEST(TrustedProxies, NearbyAreThisMachineAndPrivateNetworks) {
  const auto nearby = TrustedProxies::nearby();
  for (const char* ip : {"", "127.0.0.1", "::1", "10.1.2.3", "172.17.0.1", "172.31.255.255", "192.168.1.1", "fd00::1"})
    EXPECT_TRUE(nearby.has(ip)) << ip;
  for (const char* ip : {"172.32.0.1", "203.0.113.7", "2001:db8::1"}) EXPECT_FALSE(nearby.has(ip)) << ip;
}

TEST(TrustedProxies, AreBelievedFromTheNearestOnAndNobodyElseIs) {
  const auto proxies = trusting({"10.0.0.0/8"});
  const std::optional<std::string> itself;
  EXPECT_EQ(proxies.client_of("203.0.113.7", {"192.0.2.1"}), itself) << "it is no proxy of ours";
  EXPECT_EQ(proxies.client_of("10.0.0.1", {}), itself);
  EXPECT_EQ(proxies.client_of("10.0.0.1", {"203.0.113.7"}), "203.0.113.7");
  EXPECT_EQ(proxies.client_of("10.0.0.1", {"1.2.3.4", "203.0.113.7", "10.0.0.2"}), "203.0.113.7")
      << "what stands before that the client may have written";
  EXPECT_EQ(proxies.client_of("10.0.0.1", {"10.0.0.3", "10.0.0.2"}), "10.0.0.3");
  EXPECT_EQ(proxies.client_of("10.0.0.1", {"203.0.113.7", "unknown"}), itself);
  EXPECT_EQ(proxies.client_of("10.0.0.1", {"10.0.0.1"}), "10.0.0.1") << "a proxy of its own machine said so";
  EXPECT_EQ(TrustedProxies().client_of("127.0.0.1", {"203.0.113.7"}), itself);
}

TEST(TrustedProxies, NearbyAreBelievedForOneHopSinceTheirClientsAreNearbyToo) {
  const auto nearby = TrustedProxies::nearby();
  EXPECT_EQ(nearby.client_of("127.0.0.1", {"203.0.113.7"}), "203.0.113.7");
  EXPECT_EQ(nearby.client_of("127.0.0.1", {"203.0.113.7", "192.168.1.9"}), "192.168.1.9") << "its own invention";
  EXPECT_EQ(nearby.client_of("", {"127.0.0.1", "10.0.0.2"}), "10.0.0.2");
}

TEST(TrustedProxies, NodesComeWithPortsQuotesAndParameters) {
  const std::vector<std::pair<std::string, std::string>> nodes{
      {"203.0.113.7", "203.0.113.7"},
      {"203.0.113.7:4711", "203.0.113.7"},
      {"2001:db8::1", "2001:db8::1"},
      {"[2001:db8::1]:4711", "2001:db8::1"},
      {"for=203.0.113.7;proto=https", "203.0.113.7"},
      {"proto=https; For=\"[2001:db8::1]:4711\"", "2001:db8::1"},
      {"for=_hidden", "_hidden"},
      {"proto=https", ""},
      {"[", ""},
      {"\"", "\""},
      {"", ""}};
  for (const auto& [node, address] : nodes) EXPECT_EQ(forwarded_address(node), address) << node;
}

}  // namespace
}  // namespace ptyd
