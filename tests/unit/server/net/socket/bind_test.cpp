#include "server/net/socket/bind.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "tests/support/temporary_directory.hpp"

namespace ptyd {
namespace {

namespace fs = std::filesystem;
using test::TemporaryDirectory;

ListenAddress unix_at(const fs::path& path) {
  return *parse_listen_address("unix:" + path.string());
}

TEST(Bind, PortZeroPicksOneAndSaysWhich) {
  auto address = *parse_listen_address("127.0.0.1:0");
  const auto socket = bind_tcp(address);
  ASSERT_TRUE(socket) << socket.error().detail();
  EXPECT_NE(address.port, 0);
  EXPECT_EQ(::fcntl(socket->get(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
  auto again = address;
  const auto taken = bind_tcp(again);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code(), Errc::busy);
  EXPECT_NE(taken.error().detail().find(std::to_string(address.port)), std::string::npos);
}

/// The kernel's answer to binding `::1`: 0, or why this machine has no IPv6.
int error_of_ipv6_loopback() {
  const UniqueFd probe(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in6 name{};
  name.sin6_family = AF_INET6;
  name.sin6_addr = in6addr_loopback;
  return probe && ::bind(probe.get(), reinterpret_cast<sockaddr*>(&name), sizeof(name)) == 0 ? 0 : errno;
}

TEST(Bind, TakesIPv6WhereTheMachineHasItAndElseSaysWhyNot) {
  auto address = *parse_listen_address("[::1]:0");
  const int error = error_of_ipv6_loopback();
  const auto socket = bind_tcp(address);
  if (error == 0) {
    ASSERT_TRUE(socket) << socket.error().detail();
    EXPECT_NE(address.port, 0);
  } else {
    ASSERT_FALSE(socket);
    EXPECT_EQ(socket.error().detail(), "[::1]:0: " + std::string(std::strerror(error)));
  }
}

TEST(Bind, IsReachedFromThisMachineUnderAnyOfItsAddresses) {
  const TemporaryDirectory temporary;
  const auto path = unix_at(temporary.path() / "made" / "p.sock");
  const auto by_path = bind_unix(path);
  ASSERT_TRUE(by_path) << by_path.error().detail();
  auto everywhere = *parse_listen_address("0.0.0.0:0");
  auto by_number = bind_tcp(everywhere);
  ASSERT_TRUE(by_number) << by_number.error().detail();
  for (const auto& address : {path, everywhere})
    EXPECT_TRUE(connect_to(address, std::chrono::seconds(60))) << to_string(address);
  by_number->reset();
  const auto refused = connect_to(everywhere, std::chrono::seconds(60));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().detail(), to_string(everywhere) + ": " + std::strerror(ECONNREFUSED));
}

TEST(Bind, Security35UnixSocketsArePrivate) {
  const TemporaryDirectory temporary;
  const auto path = temporary.path() / "made" / "p.sock";
  const auto socket = bind_unix(unix_at(path));
  ASSERT_TRUE(socket) << socket.error().detail();
  struct stat status {};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
  ASSERT_EQ(::stat(path.parent_path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700U);
}

TEST(Bind, Security35FoldersOfOthersAndLinksAreRefused) {
  const TemporaryDirectory temporary;
  fs::create_directory(temporary.path() / "open");
  ::chmod((temporary.path() / "open").c_str(), 0755);
  EXPECT_FALSE(bind_unix(unix_at(temporary.path() / "open/p.sock")));
  fs::create_directory(temporary.path() / "real");
  ::chmod((temporary.path() / "real").c_str(), 0700);
  fs::create_directory_symlink(temporary.path() / "real", temporary.path() / "link");
  EXPECT_FALSE(bind_unix(unix_at(temporary.path() / "link/p.sock")));
  fs::create_symlink("/nowhere", temporary.path() / "real/p.sock");
  EXPECT_FALSE(bind_unix(unix_at(temporary.path() / "real/p.sock")));
  temporary.write("real/file", "precious");
  EXPECT_FALSE(bind_unix(unix_at(temporary.path() / "real/file")));
  EXPECT_TRUE(fs::exists(temporary.path() / "real/file"));
}

TEST(Bind, ASocketThatHasTakenThePlaceOfAnotherIsAnother) {
  const TemporaryDirectory temporary;
  const auto address = unix_at(temporary.path() / "p.sock");
  EXPECT_FALSE(socket_file(address)) << "nobody has bound";
  const auto first = bind_unix(address);
  const auto own = socket_file(address);
  EXPECT_TRUE(own);
  EXPECT_EQ(socket_file(address), own);
  fs::rename(address.path, temporary.path() / "kept");  // so that its number is not given again
  const auto second = bind_unix(address);
  ASSERT_TRUE(second) << second.error().detail();
  EXPECT_NE(socket_file(address), own);
}

TEST(Bind, AFolderThatAnotherHasLockedIsRefused) {
  const TemporaryDirectory temporary;
  const auto address = unix_at(temporary.path() / "p.sock");
  const UniqueFd locked(::open(temporary.path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::flock(locked.get(), LOCK_EX), 0);
  const auto refused = bind_unix(address);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Errc::busy);
  EXPECT_NE(refused.error().detail().find(temporary.path().string()), std::string::npos) << refused.error().detail();
}

TEST(Bind, ADeadServersSocketIsReplacedALiveOnesIsNot) {
  const TemporaryDirectory temporary;
  const auto address = unix_at(temporary.path() / "p.sock");
  {
    const auto alive = bind_unix(address);
    ASSERT_TRUE(alive) << alive.error().detail();
    const auto second = bind_unix(address);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code(), Errc::busy);
  }
  EXPECT_TRUE(fs::exists(address.path)) << "left behind";
  EXPECT_TRUE(bind_unix(address));
}

}  // namespace
}  // namespace ptyd
