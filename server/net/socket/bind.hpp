// Listening sockets: made close-on-exec and with the right modes from the first moment; and the way to one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>

#include "pty/result.hpp"
#include "pty/unique_fd.hpp"
#include "server/net/socket/listen_address.hpp"

namespace ptyd {

/// Binds and listens; `address.port` becomes the port really bound. Errors as Listener::bind.
Result<UniqueFd> bind_tcp(ListenAddress& address);
Result<UniqueFd> bind_unix(const ListenAddress& address);
/// Identity of the file of a unix socket, whatever its name.
struct SocketFile {
  dev_t device;
  ino_t number;
  bool operator==(const SocketFile&) const = default;
};
/// Identity of the socket's file now; nothing where there is none, and for TCP addresses.
std::optional<SocketFile> socket_file(const ListenAddress& address);
/// A connection from this machine to a server that listens there. It blocks; the wait for it, and each wait on it, ends
/// after `patience`.
Result<UniqueFd> connect_to(const ListenAddress& address, std::chrono::seconds patience);

}  // namespace ptyd
