#include "server/net/http/mcp_route.hpp"

#include <functional>
#include <string>
#include <utility>

#include "server/loop/await_value.hpp"
#include "server/session/routing/session_manager.hpp"

namespace ptyd {
namespace {

namespace asio = boost::asio;

constexpr std::string_view kSessionHeader = "Mcp-Session-Id";

HttpReply reply_of(const mcp::Answer& answer) {
  if (!answer.body.empty()) return json_reply(answer.status, answer.body);
  HttpReply reply;
  reply.status = answer.status;
  return reply;
}

template <class T>
using SessionsWork = std::function<T(McpSessions& sessions)>;

/// The result of `work`, which is done on loop 0.
template <class T>
asio::awaitable<T> ask_sessions(NetLoop* net, SessionsWork<T> work) {
  auto ask = [net, work = std::move(work)](auto done) {
    net->shared.with_mcp_sessions([work, done](McpSessions& sessions) { done(work(sessions)); });
  };
  co_return co_await await_value<T>(net->loop.context().get_executor(), std::move(ask));
}

asio::awaitable<HttpReply> end_session(NetLoop* net, std::string name) {
  if (name.empty()) co_return reply_of(mcp::no_session_named("null"));
  SessionsWork<bool> end = [name](McpSessions& sessions) { return sessions.end(name); };
  const bool ended = co_await ask_sessions<bool>(net, std::move(end));
  co_return ended ? HttpReply{} : reply_of(mcp::no_such_session("null"));
}

asio::awaitable<HttpReply> begin_session(NetLoop* net, mcp::Handshake handshake) {
  SessionsWork<std::string> begin = [](McpSessions& sessions) { return sessions.begin(); };
  auto name = co_await ask_sessions<std::string>(net, std::move(begin));
  auto reply = json_reply(200, std::move(handshake.body));
  reply.headers.emplace_back(kSessionHeader, std::move(name));
  co_return reply;
}

/// A client that vanishes ends nothing: the command goes on, and so does the wait for it.
asio::awaitable<HttpReply> carry_out(NetLoop* net, mcp::Call call) {
  auto submit = [net, request = Request(call.command)](auto done) {
    net->shared.sessions().submit(Caller(net->loop, nullptr, done), request);
  };
  const auto reply = co_await await_value<Result<Reply>>(net->loop.context().get_executor(), std::move(submit));
  co_return json_reply(200, mcp::result_frame(call, reply));
}

asio::awaitable<bool> has_session(NetLoop* net, std::string name) {
  SessionsWork<bool> use = [name](McpSessions& sessions) { return sessions.use(name); };
  co_return co_await ask_sessions<bool>(net, std::move(use));
}

}  // namespace

asio::awaitable<HttpReply> answer_mcp(NetLoop* net, std::shared_ptr<const HttpRequest> request) {
  const mcp::Headers headers{request->header("Content-Type"), request->header("Accept"),
                             request->header("MCP-Protocol-Version"), request->header(kSessionHeader)};
  if (request->facts.method == "DELETE") co_return co_await end_session(net, headers.session);
  const auto begun = net->loop.clock().now();
  auto meaning = mcp::read(headers, request->body);
  request->worked(begun);
  if (meaning.needs_session) {
    const bool is_there = co_await has_session(net, headers.session);
    if (!is_there) co_return reply_of(mcp::no_such_session(meaning.id));
  }
  if (auto* call = std::get_if<mcp::Call>(&meaning.outcome)) co_return co_await carry_out(net, std::move(*call));
  if (auto* handshake = std::get_if<mcp::Handshake>(&meaning.outcome))
    co_return co_await begin_session(net, std::move(*handshake));
  co_return reply_of(std::get<mcp::Answer>(meaning.outcome));
}

}  // namespace ptyd
