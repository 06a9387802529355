#include "server/net/access/admission.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

Site ours() {
  Site::Options options;
  options.listening.push_back(*parse_listen_address("127.0.0.1:7681"));
  return Site(std::move(options));
}

RequestFacts request(const char* host, const char* origin = nullptr) {
  RequestFacts facts;
  facts.method = "GET";
  if (host != nullptr) facts.host = host;
  if (origin != nullptr) facts.origin = origin;
  return facts;
}

unsigned status(const RequestFacts& facts, bool probe = false) {
  const auto refusal = refuse_stranger(facts, ours(), probe);
  return refusal ? refusal->status : 200;
}

TEST(Admission, StrangersAreRefusedBeforeAnythingElse) {
  EXPECT_EQ(status(request("127.0.0.1:7681")), 200U);
  EXPECT_EQ(status(request("127.0.0.1:7681", "http://localhost:7681")), 200U);
  EXPECT_EQ(status(request("evil.example")), 421U);
  EXPECT_EQ(status(request("127.0.0.1:7681", "http://evil.example")), 403U);
  EXPECT_EQ(status(request("127.0.0.1:7681", "null")), 403U);
  EXPECT_EQ(status(request("127.0.0.1:7681", "")), 403U);
  EXPECT_EQ(status(request(nullptr)), 400U);
}

TEST(Admission, AProbeMayLeaveTheHostOutButNotLie) {
  EXPECT_EQ(status(request(nullptr), true), 200U);
  EXPECT_EQ(status(request("evil.example"), true), 421U);
}

TEST(Admission, WhatIsSaidTwiceIsNotBelieved) {
  auto facts = request("127.0.0.1:7681");
  facts.ambiguous = true;
  EXPECT_EQ(status(facts), 400U);
  EXPECT_EQ(status(facts, true), 400U);
}

TEST(Admission, ABodyWhoseEndNobodyKnowsIsRefused) {
  auto facts = request("127.0.0.1:7681");
  facts.unknown_coding = true;
  EXPECT_EQ(status(facts), 501U);
  EXPECT_EQ(status(facts, true), 501U);
}

TEST(Admission, Security4VerdictsBecomeTheReferencesAnswers) {
  EXPECT_FALSE(refuse_verdict(Verdict::granted, true));
  const auto upgrade = refuse_verdict(Verdict::missing, true);
  EXPECT_EQ(upgrade->status, 401U);
  EXPECT_EQ(*upgrade->body, "Unauthorized WebSocket connection");
  EXPECT_FALSE(upgrade->delayed);
  const auto plain = refuse_verdict(Verdict::missing, false);
  EXPECT_EQ(*plain->body, R"({"error":"Authentication required."})");
  const auto wrong = refuse_verdict(Verdict::wrong, false);
  EXPECT_EQ(*wrong->body, R"({"error":"Unauthorized request."})");
  EXPECT_TRUE(wrong->delayed);
  EXPECT_EQ(refuse_verdict(Verdict::cookie_alone, true)->status, 403U);
}

TEST(Admission, WhoIsRefusedForNowIsToldWhenToComeAgain) {
  for (const auto& refusal : {refuse_crowd(Access::full), refuse_crowd(Access::view), refuse_while_draining()}) {
    EXPECT_EQ(refusal.status, 503U);
    ASSERT_EQ(refusal.headers.size(), 1U);
    EXPECT_EQ(refusal.headers.front().first, "Retry-After");
    EXPECT_GT(std::stoi(refusal.headers.front().second), 0);
  }
  EXPECT_NE(refuse_while_draining().body->find("draining"), std::string::npos);
  EXPECT_EQ(refuse_viewer().status, 403U);
}

TEST(HttpReply, Security9ThePolicyForbidsInlineScriptsAndStyles) {
  const std::string policy(content_policy());
  EXPECT_NE(policy.find("script-src 'self';"), std::string::npos) << policy;
  EXPECT_NE(policy.find("frame-ancestors 'none'"), std::string::npos) << policy;
  EXPECT_NE(policy.find("style-src 'self';"), std::string::npos) << policy;
  EXPECT_EQ(policy.find("unsafe"), std::string::npos) << policy;
}

}  // namespace
}  // namespace ptyd
