#include "server/net/socket/bind.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "pty/file_lock.hpp"

namespace ptyd {
namespace {

Error failure(const ListenAddress& address, const std::string& why, Errc code = Errc::denied) {
  return Error(code, to_string(address) + ": " + why);
}

Error system_failure(const ListenAddress& address) {
  const int error = errno;
  return failure(address, std::strerror(error), error == EADDRINUSE ? Errc::busy : Errc::denied);
}

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress tcp_address(const ListenAddress& address) {
  SocketAddress result;
  if (address.is_ipv6()) {
    auto& v6 = reinterpret_cast<sockaddr_in6&>(result.storage);
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(address.port);
    ::inet_pton(AF_INET6, address.ip.c_str(), &v6.sin6_addr);
    result.length = sizeof(v6);
  } else {
    auto& v4 = reinterpret_cast<sockaddr_in&>(result.storage);
    v4.sin_family = AF_INET;
    v4.sin_port = htons(address.port);
    ::inet_pton(AF_INET, address.ip.c_str(), &v4.sin_addr);
    result.length = sizeof(v4);
  }
  return result;
}

SocketAddress unix_address(const ListenAddress& address) {
  SocketAddress result;
  auto& name = reinterpret_cast<sockaddr_un&>(result.storage);
  name.sun_family = AF_UNIX;
  std::copy(address.path.begin(), address.path.end(), name.sun_path);
  result.length = sizeof(name);
  return result;
}

Result<std::uint16_t> bound_port(int fd, const ListenAddress& address) {
  SocketAddress bound;
  bound.length = sizeof(bound.storage);
  if (::getsockname(fd, bound.get(), &bound.length) != 0) return system_failure(address);
  // The port is at the same place in both families.
  return ntohs(reinterpret_cast<const sockaddr_in&>(bound.storage).sin_port);
}

std::filesystem::path directory_of(const ListenAddress& address) {
  const auto directory = std::filesystem::path(address.path).parent_path();
  return directory.empty() ? "." : directory;
}

/// The directory is what keeps others away between bind and chmod, and from planting a socket of theirs.
Result<void> check_directory(const ListenAddress& address) {
  const auto directory = directory_of(address);
  if (::mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST) return system_failure(address);
  struct stat status {};
  if (::lstat(directory.c_str(), &status) != 0) return system_failure(address);
  if (!S_ISDIR(status.st_mode)) return failure(address, directory.string() + " is a link or no directory");
  if (status.st_uid != ::geteuid()) return failure(address, directory.string() + " belongs to another user");
  if ((status.st_mode & 077) != 0) {
    return failure(address, directory.string() + " is open to other users; use a directory with mode 700");
  }
  return {};
}

bool somebody_answers(const ListenAddress& address) {
  const UniqueFd probe(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  auto name = unix_address(address);
  return ::connect(probe.get(), name.get(), name.length) == 0 || errno == EAGAIN;
}

/// While it lives no other server removes or makes a socket there. Where directories cannot be locked it is worth
/// nothing.
Result<UniqueFd> only_one(const ListenAddress& address) {
  constexpr std::chrono::milliseconds kOfOthers{1000};  // servers hold it for a moment only
  const auto name = directory_of(address);
  UniqueFd directory(::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory && !lock_within(directory.get(), kOfOthers) && errno == EWOULDBLOCK)
    return failure(address, "another process holds the lock of " + name.string(), Errc::busy);
  return directory;
}

/// Removes the socket of a server that is gone, and nothing else.
Result<void> make_room(const ListenAddress& address) {
  struct stat status {};
  if (::lstat(address.path.c_str(), &status) != 0) {
    if (errno == ENOENT) return {};
    return system_failure(address);
  }
  if (!S_ISSOCK(status.st_mode)) return failure(address, "it is not a socket");
  if (status.st_uid != ::geteuid()) return failure(address, "the socket there belongs to another user");
  if (somebody_answers(address)) return failure(address, "another program listens there already", Errc::busy);
  if (::unlink(address.path.c_str()) != 0) return system_failure(address);
  return {};
}

}  // namespace

Result<UniqueFd> bind_tcp(ListenAddress& address) {
  auto name = tcp_address(address);
  UniqueFd fd(::socket(name.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return system_failure(address);
  const int on = 1;
  ::setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (address.is_ipv6()) ::setsockopt(fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
  if (::bind(fd.get(), name.get(), name.length) != 0) return system_failure(address);
  if (::listen(fd.get(), SOMAXCONN) != 0) return system_failure(address);
  const auto port = bound_port(fd.get(), address);
  if (!port) return port.error();
  address.port = *port;
  return fd;
}

Result<UniqueFd> bind_unix(const ListenAddress& address) {
  if (const auto good = check_directory(address); !good) return good.error();
  const auto turn = only_one(address);
  if (!turn) return turn.error();
  if (const auto room = make_room(address); !room) return room.error();
  UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!fd) return system_failure(address);
  auto name = unix_address(address);
  const auto mask = ::umask(0177);
  const int bound = ::bind(fd.get(), name.get(), name.length);
  ::umask(mask);
  if (bound != 0 || ::listen(fd.get(), SOMAXCONN) != 0) return system_failure(address);
  return fd;
}

std::optional<SocketFile> socket_file(const ListenAddress& address) {
  struct stat status {};
  if (!address.is_unix() || ::lstat(address.path.c_str(), &status) != 0) return std::nullopt;
  return SocketFile{status.st_dev, status.st_ino};
}

/// Linux takes 0.0.0.0 and [::] for this machine.
Result<UniqueFd> connect_to(const ListenAddress& address, std::chrono::seconds patience) {
  auto name = address.is_unix() ? unix_address(address) : tcp_address(address);
  UniqueFd fd(::socket(name.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!fd) return system_failure(address);
  const timeval limit{patience.count(), 0};
  for (const int each : {SO_SNDTIMEO, SO_RCVTIMEO}) ::setsockopt(fd.get(), SOL_SOCKET, each, &limit, sizeof(limit));
  if (::connect(fd.get(), name.get(), name.length) != 0) return system_failure(address);
  return fd;
}

}  // namespace ptyd
