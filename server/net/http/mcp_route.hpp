// /mcp: one message of the Model Context Protocol per POST.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <memory>

#include "protocol/mcp/mcp.hpp"
#include "server/net/access/http_reply.hpp"
#include "server/net/http/http_request.hpp"
#include "server/net/net_shared.hpp"

namespace ptyd {

/// From the end of a request to its answer: the longest wait for a command, and the start of its shell.
inline constexpr std::chrono::seconds kMcpTime{70};
static_assert(kMcpTime > limits::kMaxToolWait);

/// Answers a POST, or ends the session of a DELETE.
boost::asio::awaitable<HttpReply> answer_mcp(NetLoop* net, std::shared_ptr<const HttpRequest> request);

}  // namespace ptyd
