#include "server/net/access/mcp_sessions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace ptyd {
namespace {

TEST(McpSessions, HaveNamesThatCannotBeGuessed) {
  McpSessions sessions;
  std::set<std::string> names;
  for (int i = 0; i < 100; i++) names.insert(sessions.begin());
  EXPECT_EQ(names.size(), 100u);
  const auto& name = *names.begin();
  EXPECT_EQ(name.size(), 43u) << "256 bits in base64url";
  EXPECT_TRUE(std::all_of(name.begin(), name.end(), [](char c) { return c >= '!' && c <= '~'; })) << name;
}

TEST(McpSessions, AreThereUntilTheyEnd) {
  McpSessions sessions;
  const auto name = sessions.begin();
  EXPECT_TRUE(sessions.use(name));
  EXPECT_TRUE(sessions.use(name));
  EXPECT_TRUE(sessions.end(name));
  EXPECT_FALSE(sessions.use(name));
  EXPECT_FALSE(sessions.end(name));
}

TEST(McpSessions, AreNoneThatNeverBegan) {
  McpSessions sessions;
  EXPECT_FALSE(sessions.use(""));
  EXPECT_FALSE(sessions.use("abc"));
  EXPECT_FALSE(sessions.end("abc"));
  EXPECT_EQ(sessions.size(), 0u);
}

TEST(McpSessions, BeyondTheMostTheLongestUnusedEnds) {
  McpSessions sessions;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < McpSessions::kMost; i++) names.push_back(sessions.begin());
  EXPECT_TRUE(sessions.use(names[0]));
  const auto newest = sessions.begin();
  EXPECT_EQ(sessions.size(), McpSessions::kMost);
  EXPECT_TRUE(sessions.use(names[0])) << "it was used since";
  EXPECT_FALSE(sessions.use(names[1]));
  EXPECT_TRUE(sessions.use(names[2]));
  EXPECT_TRUE(sessions.use(newest));
}

}  // namespace
}  // namespace ptyd
