// Sets the stream of a WebSocket up for its request.
#pragma once

#include <chrono>

#include "server/net/net_shared.hpp"
#include "server/net/socket/web_socket_stream.hpp"
#include "server/net/websocket/connection_options.hpp"

namespace ptyd {

/// For the upgrade's answer, and for a peer to answer a goodbye.
inline constexpr std::chrono::seconds kHandshakeTime{5};

WebSocketStream::Options stream_options(const NetLoop& net, const ConnectionOptions& options);

}  // namespace ptyd
