#include "server/net/access/connection_shares.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

class ConnectionSharesTest : public testing::Test {
 protected:
  /// "" where it is counted.
  std::string enter(const std::string& address, const std::string& token = "") {
    const auto refusal = shares_.enter({address, token});
    return refusal ? std::to_string(refusal->status) + " " + *refusal->body : "";
  }

  ConnectionShares shares_{{.of_address = 2, .of_token = 3}};
};

TEST_F(ConnectionSharesTest, AnAddressHasSoManyAndNotOneMore) {
  EXPECT_EQ(enter("a"), "");
  EXPECT_EQ(enter("a"), "");
  EXPECT_EQ(
      enter("a"),
      R"(429 {"error":"Too many connections: 2 WebSockets of this address are open, the limit is 2 (--max-per-address)."})");
  EXPECT_EQ(enter("b"), "");
  shares_.leave({"a", ""});
  EXPECT_EQ(enter("a"), "");
}

TEST_F(ConnectionSharesTest, RolesOfOneAddressTakeNoPlaceOfEachOther) {
  for (int i = 0; i < 2; i++) EXPECT_EQ(enter("a", "view"), "");
  EXPECT_NE(enter("a", "view"), "");
  for (int i = 0; i < 2; i++) EXPECT_EQ(enter("a", "full"), "");
  EXPECT_NE(enter("a", "full"), "");
  shares_.leave({"a", "view"});
  EXPECT_NE(enter("a", "full"), "") << "the place of another role";
  EXPECT_EQ(enter("a", "view"), "");
}

TEST_F(ConnectionSharesTest, ATokenHasSoManyFromAllAddressesAndNotOneMore) {
  for (const char* address : {"a", "b", "c"}) EXPECT_EQ(enter(address, "full"), "");
  EXPECT_EQ(
      enter("d", "full"),
      R"(429 {"error":"Too many connections: 3 WebSockets of this token are open, the limit is 3 (--max-per-token)."})");
  EXPECT_EQ(enter("d", "view"), "");
  EXPECT_EQ(enter("d"), "") << "what was refused took no share of its address";
  shares_.leave({"a", "full"});
  EXPECT_EQ(enter("a", "full"), "");
}

TEST_F(ConnectionSharesTest, WhatHasNoNameIsNotCounted) {
  for (int i = 0; i < 10; i++) EXPECT_EQ(enter("", ""), "");
  shares_.leave({"", ""});
  EXPECT_EQ(enter("", "full"), "");
}

TEST_F(ConnectionSharesTest, SaysWhyAndWhenToComeAgain) {
  for (int i = 0; i < 2; i++) static_cast<void>(enter("a", "full"));
  EXPECT_EQ(shares_.enter({"a", "full"})->refusal, Refusal::address);
  EXPECT_EQ(enter("b", "full"), "");
  const auto refusal = shares_.enter({"b", "full"});
  EXPECT_EQ(refusal->refusal, Refusal::bearer);
  EXPECT_EQ(refusal->headers.front().first, "Retry-After");
}

}  // namespace
}  // namespace ptyd
