// Listening sockets: made close-on-exec and with the right modes from the first moment.
#pragma once

#include "pty/result.hpp"
#include "pty/unique_fd.hpp"
#include "server/net/socket/listen_address.hpp"

namespace ptyd {

/// Binds and listens; `address.port` becomes the port really bound. Errors as Listener::bind.
Result<UniqueFd> bind_tcp(ListenAddress& address);
Result<UniqueFd> bind_unix(const ListenAddress& address);

}  // namespace ptyd
