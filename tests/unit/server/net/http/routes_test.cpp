#include "server/net/http/routes.hpp"

#include <gtest/gtest.h>

#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include "server/net/http/header_facts.hpp"

namespace ptyd {
namespace {

namespace http = boost::beast::http;

/// The facts of a request as it comes over the wire.
RequestFacts facts(const std::string& text) {
  http::request_parser<http::string_body> parser;
  boost::system::error_code error;
  parser.put(boost::asio::buffer(text), error);
  EXPECT_FALSE(error) << error.message();
  return facts_of(parser.get(), "ptyd_7681");
}

TEST(RequestFacts, AreTakenFromTheHeader) {
  const auto got = facts(
      "GET /ws?token=x&events=all HTTP/1.1\r\nHost: a:1\r\nOrigin: http://a:1\r\nAuthorization: bearer secret\r\n"
      "Cookie: other=1; ptyd_7681=mine\r\nCookie: ptyd_7681=other\r\nSec-Fetch-Site: same-origin\r\nUpgrade: "
      "WebSocket\r\nConnection: Upgrade\r\n"
      "X-Forwarded-For: 10.0.0.1\r\n\r\n");
  EXPECT_EQ(got.method, "GET");
  EXPECT_EQ(got.path, "/ws");
  EXPECT_EQ(got.query, "token=x&events=all");
  EXPECT_EQ(got.host, "a:1");
  EXPECT_EQ(got.origin, "http://a:1");
  EXPECT_EQ(got.bearer, "secret");
  EXPECT_EQ(got.cookies, (std::vector<std::string>{"mine", "other"}));
  EXPECT_EQ(got.fetch_site, "same-origin");
  EXPECT_TRUE(got.upgrade);
  EXPECT_TRUE(got.forwarded);
  EXPECT_FALSE(got.ambiguous);
}

TEST(RequestFacts, EachProxyMayAddALineForWhomItConnects) {
  const auto got = facts(
      "GET / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1.2.3.4, 10.0.0.1\r\nX-Forwarded-For: 203.0.113.7\r\n"
      "Forwarded: for=9.9.9.9\r\n\r\n");
  EXPECT_EQ(got.forwarded_for, "1.2.3.4, 10.0.0.1, 203.0.113.7");
  EXPECT_EQ(got.forwarded_chain, (std::vector<std::string>{"1.2.3.4", "10.0.0.1", "203.0.113.7"}));
  EXPECT_EQ(
      facts("GET / HTTP/1.1\r\nHost: a\r\nForwarded: for=\"[2001:db8::1]:4\";proto=https\r\n\r\n").forwarded_chain,
      std::vector<std::string>{"2001:db8::1"});
}

TEST(RequestFacts, ThePagesKeyComesInAHeaderOrAmongTheSubprotocols) {
  EXPECT_EQ(facts("GET / HTTP/1.1\r\nHost: a\r\nPtyd-Page-Key: a-key\r\n\r\n").page_key, "a-key");
  EXPECT_EQ(facts("GET /ws HTTP/1.1\r\nHost: a\r\nSec-WebSocket-Protocol: ptyd, ptyd.key.a-key\r\n\r\n").page_key,
            "a-key");
  EXPECT_EQ(facts("GET /ws HTTP/1.1\r\nHost: a\r\nSec-WebSocket-Protocol: ptyd\r\n\r\n").page_key, std::nullopt);
}

TEST(RequestFacts, ListsComeWithCommasAndBlanks) {
  EXPECT_EQ(listed("chat, acp ,,v2"), (std::vector<std::string_view>{"chat", "acp", "v2"}));
  EXPECT_TRUE(listed(" , ").empty());
  EXPECT_EQ(facts("GET /ws HTTP/1.1\r\nHost: a\r\nSec-WebSocket-Protocol: chat, acp\r\n\r\n").subprotocols,
            "chat, acp");
}

TEST(RequestFacts, WhatDecidesMayComeOnce) {
  for (const char* twice : {"Host: a\r\nHost: b\r\n", "Host: a\r\nOrigin: http://a\r\nOrigin: http://b\r\n",
                            "Host: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n"}) {
    EXPECT_TRUE(facts(std::string("GET / HTTP/1.1\r\n") + twice + "\r\n").ambiguous) << twice;
  }
}

TEST(RequestFacts, OtherSchemesAreNoBearer) {
  EXPECT_FALSE(facts("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Basic abc\r\n\r\n").bearer);
  EXPECT_FALSE(facts("GET / HTTP/1.1\r\nHost: a\r\n\r\n").bearer);
  EXPECT_EQ(facts("GET / HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \r\n\r\n").bearer, std::nullopt)
      << "nothing was shown";
}

TEST(Routes, PlacesAreFoundByTheirWholePath) {
  for (const char* path : {"/healthz", "/health", "/metrics", "/debug/sessions", "/api/login", "/api/logout",
                           "/api/session", "/ws", "/acp", "/mcp", "/debug/connections"}) {
    ASSERT_NE(find_route(path), nullptr) << path;
    EXPECT_EQ(find_route(path)->path, path);
  }
  for (const char* path : {"/", "/healthz/", "/HEALTHZ", "/api", "/metrics2", ""})
    EXPECT_EQ(find_route(path), nullptr) << path;
}

TEST(Routes, AConnectionIsFoundByItsPlaceBelowAllOfThem) {
  for (const char* path : {"/debug/connections/42", "/debug/connections/", "/debug/connections/a/b"}) {
    ASSERT_NE(find_route(path), nullptr) << path;
    EXPECT_EQ(allowed_methods(find_route(path)), "DELETE");
    EXPECT_EQ(find_route(path)->needs, Needs::full_token_nearby);
  }
  EXPECT_EQ(allowed_methods(find_route("/debug/connections")), "GET, HEAD");
  EXPECT_EQ(find_route("/debug/connections")->needs, Needs::full_token_nearby);
  EXPECT_EQ(find_route("/debug/connections2"), nullptr);
  EXPECT_EQ(find_route("/metrics/42"), nullptr);
}

TEST(Routes, NumbersNeedTheTokenAndSessionsAPeerNearby) {
  EXPECT_EQ(find_route("/metrics")->needs, Needs::token);
  EXPECT_EQ(find_route("/debug/sessions")->needs, Needs::token_nearby);
  EXPECT_EQ(find_route("/healthz")->needs, Needs::nothing);
  EXPECT_EQ(find_route("/mcp")->needs, Needs::full_token);
}

TEST(Routes, MethodsBelongToPlaces) {
  EXPECT_TRUE(takes_method(find_route("/healthz"), "HEAD"));
  EXPECT_FALSE(takes_method(find_route("/healthz"), "POST"));
  EXPECT_TRUE(takes_method(find_route("/api/login"), "POST"));
  EXPECT_FALSE(takes_method(find_route("/api/login"), "GET")) << "a link must not log anybody in";
  EXPECT_TRUE(takes_method(nullptr, "GET"));
  EXPECT_FALSE(takes_method(nullptr, "DELETE"));
  EXPECT_TRUE(takes_method(find_route("/mcp"), "POST"));
  EXPECT_TRUE(takes_method(find_route("/mcp"), "DELETE"));
  for (const char* other : {"GET", "HEAD", "PUT", "POST, DELETE", ""})
    EXPECT_FALSE(takes_method(find_route("/mcp"), other)) << other;
  EXPECT_EQ(allowed_methods(find_route("/mcp")), "POST, DELETE");
  EXPECT_EQ(allowed_methods(find_route("/api/login")), "POST");
  EXPECT_EQ(allowed_methods(nullptr), "GET, HEAD");
}

}  // namespace
}  // namespace ptyd
