#include "server/net/websocket/stream_setup.hpp"

#include <string>
#include <utility>
#include <vector>

#include "protocol/messages.hpp"
#include "server/net/access/http_reply.hpp"

namespace ptyd {
namespace {

/// Smaller messages are not worth compressing: keys and their echoes.
constexpr std::size_t kDeflateFrom = 1024;

/// The answer to the upgrade, besides what the protocol wants.
std::vector<std::pair<std::string, std::string>> answer_headers(const ConnectionOptions& options) {
  std::vector<std::pair<std::string, std::string>> headers;
  if (!options.subprotocol.empty()) headers.emplace_back("Sec-WebSocket-Protocol", options.subprotocol);
  if (!options.agent_id.empty()) headers.emplace_back("Acp-Connection-Id", options.agent_id);
  for (const auto& [name, value] : security_headers()) headers.emplace_back(name, value);
  headers.emplace_back("Content-Security-Policy", content_policy());
  return headers;
}

}  // namespace

WebSocketStream::Options stream_options(const NetLoop& net, const ConnectionOptions& options) {
  WebSocketStream::Options made;
  made.headers = answer_headers(options);
  made.handshake_time = kHandshakeTime;
  made.max_message = options.access == Access::full ? limits::kMaxRequest : limits::kMaxViewRequest;
  made.deflate = net.shared.options().deflate && !options.local;
  made.deflate_from = kDeflateFrom;
  return made;
}

}  // namespace ptyd
