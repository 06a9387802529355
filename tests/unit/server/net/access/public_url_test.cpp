#include "server/net/access/public_url.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

TEST(PublicUrl, IsTakenApart) {
  const auto url = parse_public_url("HTTPS://Example.COM:8443/tools/ptyd/");
  ASSERT_TRUE(url);
  EXPECT_EQ(*url, (PublicUrl{"https", "example.com", 8443, "/tools/ptyd"}));
  EXPECT_EQ(url->origin(), "https://example.com:8443");
  EXPECT_EQ(url->text(), "https://example.com:8443/tools/ptyd/");
}

TEST(PublicUrl, LeavesTheSchemesOwnPortOut) {
  EXPECT_EQ(parse_public_url("https://a.b")->origin(), "https://a.b");
  EXPECT_EQ(parse_public_url("https://a.b:443")->origin(), "https://a.b");
  EXPECT_EQ(parse_public_url("http://a.b:443/")->origin(), "http://a.b:443");
  EXPECT_EQ(parse_public_url("http://[::1]:80/x")->origin(), "http://[::1]");
}

TEST(PublicUrl, RefusesWhatIsNoneWithAReason) {
  for (const char* text :
       {"", "example.com", "ftp://a", "http://", "http:///x", "http://a:0", "http://a:x", "http://a:70000",
        "http://a/b?c", "http://a/b#c", "http://a//b", "http://a/../b", "http://u@a", "http://a/ b", "http://a:"}) {
    EXPECT_FALSE(parse_public_url(text)) << text;
  }
}

}  // namespace
}  // namespace ptyd
