#include "server/net/socket/listen_address.hpp"

#include <gtest/gtest.h>

namespace ptyd {
namespace {

struct Case {
  const char* text;
  const char* ip;
  int port;
  const char* path;
  bool local;
};

TEST(ListenAddress, TakesWhatPeopleWrite) {
  for (const Case& c :
       {Case{"127.0.0.1:7681", "127.0.0.1", 7681, "", true}, Case{"7681", "127.0.0.1", 7681, "", true},
        Case{"localhost:80", "127.0.0.1", 80, "", true}, Case{"[::1]:0", "::1", 0, "", true},
        Case{"0.0.0.0:65535", "0.0.0.0", 65535, "", false}, Case{"*:1", "0.0.0.0", 1, "", false},
        Case{"[::]:1", "::", 1, "", false}, Case{"127.8.9.1:1", "127.8.9.1", 1, "", true},
        Case{"[::ffff:127.0.0.1]:1", "::ffff:127.0.0.1", 1, "", true},
        Case{"[::ffff:10.0.0.1]:1", "::ffff:10.0.0.1", 1, "", false},
        Case{"192.168.1.7:9", "192.168.1.7", 9, "", false}, Case{"unix:/run/p.sock", "", 0, "/run/p.sock", true}}) {
    const auto address = parse_listen_address(c.text);
    ASSERT_TRUE(address) << c.text << ": " << address.error().detail();
    EXPECT_EQ(address->ip, c.ip) << c.text;
    EXPECT_EQ(address->port, c.port) << c.text;
    EXPECT_EQ(address->path, c.path) << c.text;
    EXPECT_EQ(address->is_local(), c.local) << c.text;
  }
}

TEST(ListenAddress, RefusesEverythingElseWithAReason) {
  const std::string long_path = "unix:/" + std::string(107, 'x');
  for (const char* text : {"", ":", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "127.0.0.1:1x",
                           "::1:80", "example.com:80", "unix:", long_path.c_str(), "127.0.0.1:+1", "999.0.0.1:1"}) {
    const auto address = parse_listen_address(text);
    ASSERT_FALSE(address) << text;
    EXPECT_EQ(address.error().code(), Errc::bad_request);
    EXPECT_TRUE(address.error().detail().starts_with("listen: ")) << address.error().detail();
  }
}

TEST(ListenAddress, UnixPathMayBeAsLongAsTheKernelTakes) {
  EXPECT_TRUE(parse_listen_address("unix:/" + std::string(106, 'x')));
}

TEST(ListenAddress, IsWrittenAsItIsRead) {
  for (const char* text : {"127.0.0.1:7681", "[::1]:0", "unix:/run/p.sock"}) {
    EXPECT_EQ(to_string(*parse_listen_address(text)), text);
  }
}

}  // namespace
}  // namespace ptyd
