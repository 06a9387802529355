#include "server/net/http/connection_route.hpp"

#include <utility>
#include <vector>

#include "server/loop/await_value.hpp"
#include "server/net/http/session_json.hpp"
#include "server/net/log_text.hpp"

namespace ptyd {

namespace asio = boost::asio;

asio::awaitable<HttpReply> list_connections(NetLoop* net, std::shared_ptr<const HttpRequest>) {
  auto describe = [net](auto done) { net->shared.describe(net->loop, std::move(done)); };
  const auto open =
      co_await await_value<std::vector<ConnectionDebug>>(net->loop.context().get_executor(), std::move(describe));
  co_return json_reply(200, connections_json(open, net->loop.clock().now()));
}

asio::awaitable<HttpReply> close_connection(NetLoop* net, std::shared_ptr<const HttpRequest> request) {
  const auto number = request->path.substr(kConnectionPath.size());
  auto close = [net, name = "c" + number](auto done) {
    net->shared.close_connection(net->loop, name, std::move(done));
  };
  const bool was_there = co_await await_value<bool>(net->loop.context().get_executor(), std::move(close));
  if (!was_there) co_return error_reply(404, "There is no WebSocket of the number " + log_text(number) + ".");
  co_return json_reply(200, "{}");
}

}  // namespace ptyd
