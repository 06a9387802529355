#include "server/net/access/site.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

Site site(std::vector<std::string> listen, bool tls = false, const char* public_url = nullptr) {
  Site::Options options;
  for (const auto& text : listen) options.listening.push_back(*parse_listen_address(text));
  options.tls = tls;
  options.machine = "Box";
  if (public_url != nullptr) options.public_url = *parse_public_url(public_url);
  return Site(std::move(options));
}

// security 3: a name that resolves to loopback is not us.
TEST(Site, Security3AnswersToItsOwnNamesOnly) {
  const auto ours = site({"127.0.0.1:7681"});
  for (const char* host : {"127.0.0.1:7681", "localhost:7681", "LocalHost:7681"}) {
    EXPECT_TRUE(ours.answers_to(host)) << host;
  }
  for (const char* host : {"", "evil.example:7681", "localhost", "localhost:80", "localhost.:7681", "127.0.0.1:7682",
                           "127.0.0.2:7681", "localhost:7681.evil.example", "user@localhost:7681",
                           "localhost:7681:7681", "box:7681", "[::1]", "[::1]:7681", "localhost:+7681", "::1:7681"}) {
    EXPECT_FALSE(ours.answers_to(host)) << host;
  }
}

TEST(Site, Security3AnswersToNoNameThatMayReachAnother) {
  const auto other = site({"127.0.0.2:7681"});
  EXPECT_TRUE(other.answers_to("127.0.0.2:7681"));
  EXPECT_TRUE(other.trusts("http://127.0.0.2:7681", "127.0.0.2:7681"));
  for (const std::string name : {"127.0.0.1:7681", "[::1]:7681", "localhost:7681"}) {
    EXPECT_FALSE(other.answers_to(name)) << name;
    EXPECT_FALSE(other.trusts("http://" + name, "127.0.0.2:7681")) << name;
  }
  const auto six = site({"[::1]:7681"});
  EXPECT_TRUE(six.trusts("http://[::1]:7681", "[::1]:7681"));
  EXPECT_TRUE(six.trusts("http://localhost:7681", "localhost:7681"));
  EXPECT_FALSE(six.trusts("http://127.0.0.1:7681", "[::1]:7681"));
  const auto both = site({"127.0.0.1:7681", "[::1]:7681"});
  for (const char* origin : {"http://127.0.0.1:7681", "http://[::1]:7681", "http://localhost:7681"})
    EXPECT_TRUE(both.trusts(origin, "127.0.0.1:7681")) << origin;
}

TEST(Site, LeavesOutAPortThatBrowsersLeaveOut) {
  EXPECT_TRUE(site({"127.0.0.1:80"}).answers_to("localhost"));
  EXPECT_FALSE(site({"127.0.0.1:80"}, true).answers_to("localhost"));
  EXPECT_TRUE(site({"127.0.0.1:443"}, true).answers_to("localhost"));
  EXPECT_TRUE(site({"127.0.0.1:443"}, true).trusts("https://localhost", "localhost"));
}

TEST(Site, ListeningOnEveryAddressKnowsNumbersAndItsOwnNameOnAnyPort) {
  const auto everywhere = site({"0.0.0.0:7681"});
  for (const char* host : {"10.0.0.5:7681", "localhost:8080", "[fe80::1]:7681", "box:7681", "BOX"}) {
    EXPECT_TRUE(everywhere.answers_to(host)) << host;
  }
  EXPECT_FALSE(everywhere.answers_to("evil.example:7681"));
  EXPECT_TRUE(everywhere.trusts("http://10.0.0.5:7681", "10.0.0.5:7681"));
  EXPECT_TRUE(everywhere.trusts("http://localhost:8080", "localhost:8080"));
  // A page of another machine, or of another server on a mapped port, is not ours.
  EXPECT_FALSE(everywhere.trusts("http://10.0.0.6:7681", "10.0.0.5:7681"));
  EXPECT_FALSE(everywhere.trusts("http://localhost:3000", "localhost:8080"));
}

// security 1: foreign, null, other port, other scheme, other case, dot at the end.
TEST(Site, Security1TrustsItsOwnPagesOnly) {
  const auto ours = site({"127.0.0.1:7681"});
  for (const char* origin : {"http://127.0.0.1:7681", "http://localhost:7681"}) {
    EXPECT_TRUE(ours.trusts(origin, "127.0.0.1:7681")) << origin;
  }
  for (const char* origin :
       {"", "null", "http://evil.example", "http://127.0.0.1:7682", "http://127.0.0.1", "https://127.0.0.1:7681",
        "HTTP://127.0.0.1:7681", "http://LOCALHOST:7681", "http://localhost.:7681", "http://localhost:7681/",
        "http://[::1]:7681", "http://localhost:7681.evil.example", "file://", "http://user@localhost:7681"}) {
    EXPECT_FALSE(ours.trusts(origin, "127.0.0.1:7681")) << origin;
  }
}

TEST(Site, ThePublicUrlIsUsToo) {
  const auto proxied = site({"127.0.0.1:7681"}, false, "https://term.example/tools/");
  EXPECT_TRUE(proxied.answers_to("term.example"));
  EXPECT_TRUE(proxied.answers_to("term.example:443"));
  EXPECT_FALSE(proxied.answers_to("term.example:7681"));
  EXPECT_TRUE(proxied.trusts("https://term.example", "term.example"));
  EXPECT_TRUE(proxied.trusts("https://term.example", "127.0.0.1:7681")) << "the proxy may rewrite Host";
  EXPECT_FALSE(proxied.trusts("http://term.example", "term.example"));
  EXPECT_TRUE(proxied.secure());
  EXPECT_EQ(proxied.url(), "https://term.example/tools/");
}

TEST(Site, TakesTheBasePathAway) {
  const auto proxied = site({"127.0.0.1:7681"}, false, "https://term.example/tools");
  EXPECT_EQ(proxied.below_base("/tools/ws"), "/ws");
  EXPECT_EQ(proxied.below_base("/tools/"), "/");
  EXPECT_EQ(proxied.below_base("/ws"), "/ws") << "the proxy may have taken it away";
  EXPECT_EQ(proxied.below_base("/toolshed/ws"), "/toolshed/ws");
  EXPECT_EQ(proxied.below_base("/tools"), "/tools");
}

TEST(Site, UnixSocketsAnswerToLocalhost) {
  const auto socket = site({"unix:/run/p.sock"});
  EXPECT_TRUE(socket.answers_to("localhost"));
  EXPECT_FALSE(socket.answers_to("evil.example"));
  EXPECT_EQ(socket.port(), 0);
}

TEST(Site, UrlIsWhatAPersonOpens) {
  EXPECT_EQ(site({"127.0.0.1:7681"}).url(), "http://127.0.0.1:7681/");
  EXPECT_EQ(site({"[::1]:1"}, true).url(), "https://[::1]:1/");
  EXPECT_EQ(site({"0.0.0.0:5"}).url(), "http://127.0.0.1:5/");
}

}  // namespace
}  // namespace ptyd
