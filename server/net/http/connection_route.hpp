// /debug/connections: the WebSockets that are open, and their end.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <memory>
#include <string_view>

#include "server/net/access/http_reply.hpp"
#include "server/net/http/http_request.hpp"
#include "server/net/net_shared.hpp"

namespace ptyd {

/// The path of the list, and the path below which each WebSocket stands by its number.
inline constexpr std::string_view kConnectionsPath = "/debug/connections", kConnectionPath = "/debug/connections/";

boost::asio::awaitable<HttpReply> list_connections(NetLoop* net, std::shared_ptr<const HttpRequest> request);
/// Says goodbye to the one that the path names: 404 where there is none.
boost::asio::awaitable<HttpReply> close_connection(NetLoop* net, std::shared_ptr<const HttpRequest> request);

}  // namespace ptyd
