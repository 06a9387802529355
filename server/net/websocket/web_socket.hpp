// WebSocket: the handshake that begins a Connection.
#pragma once

#include "server/net/net_shared.hpp"
#include "server/net/socket/web_socket_stream.hpp"
#include "server/net/websocket/connection.hpp"
#include "server/net/websocket/connection_options.hpp"

namespace ptyd {

/// Answers the upgrade `request`, which has been allowed. The connection owns itself from then on.
void start_web_socket(NetLoop& net, Channel channel, const WebSocketStream::Request& request,
                      ConnectionOptions options);

}  // namespace ptyd
