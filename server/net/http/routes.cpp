#include "server/net/http/routes.hpp"

#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "protocol/messages.hpp"
#include "server/loop/await_value.hpp"
#include "server/net/access_log.hpp"
#include "server/net/http/connection_route.hpp"
#include "server/net/http/mcp_route.hpp"
#include "server/net/http/metrics.hpp"
#include "server/net/http/session_json.hpp"
#include "server/net/http/static_files.hpp"
#include "server/session/routing/session_manager.hpp"

namespace ptyd {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;

HttpReply access_reply(Access access) {
  return json_reply(200, json::serialize(json::object{{"access", role_text(access)}}));
}

asio::awaitable<HttpReply> health(NetLoop* net, std::shared_ptr<const HttpRequest>) {
  if (net->shared.is_closing()) co_return json_reply(503, R"({"status":"closing"})");
  if (net->shared.is_draining()) co_return json_reply(503, R"({"status":"draining"})");
  co_return json_reply(200, R"({"status":"ok","version":")" PTYD_VERSION R"("})");
}

asio::awaitable<HttpReply> metrics(NetLoop* net, std::shared_ptr<const HttpRequest>) {
  auto collect = [net](auto done) { net->shared.sessions().collect(net->loop, std::move(done)); };
  const auto sessions = co_await await_value<SessionMetrics>(net->loop.context().get_executor(), std::move(collect));
  auto reply = text_reply(200, metrics_text(sessions, net->shared.metrics(), measure_process(), net->shared.lags()));
  reply.type = "text/plain; version=0.0.4; charset=utf-8";
  co_return reply;
}

asio::awaitable<HttpReply> debug_sessions(NetLoop* net, std::shared_ptr<const HttpRequest>) {
  auto describe = [net](auto done) { net->shared.sessions().describe(net->loop, std::move(done)); };
  const auto sessions =
      co_await await_value<std::vector<SessionDebug>>(net->loop.context().get_executor(), std::move(describe));
  co_return json_reply(200, sessions_json(sessions));
}

/// The token in `{"token": ...}`; nothing when that is not what the body is.
std::optional<std::string> token_in(const std::string& body) {
  boost::system::error_code error;
  const auto value = json::parse(body, error);
  if (error || !value.is_object()) return std::nullopt;
  const auto* token = value.as_object().if_contains("token");
  if (token == nullptr || !token->is_string()) return std::nullopt;
  return std::string(token->as_string());
}

asio::awaitable<HttpReply> log_in(NetLoop* net, std::shared_ptr<const HttpRequest> request) {
  const auto authenticator = net->authenticator;
  if (authenticator->mode() == AuthMode::none) co_return access_reply(Access::full);
  const auto token = token_in(request->body);
  if (!token) co_return error_reply(400, "body: expected {\"token\": \"...\"}");
  const auto access = authenticator->access_of(*token);
  if (!access) {
    auto refusal = refusal_reply(401, Refusal::token, "Unauthorized request.");
    refusal.delayed = true;
    co_return refusal;
  }
  const auto login = authenticator->log_in(*access, now_in_seconds(*net));
  auto reply =
      json_reply(200, json::serialize(json::object{{"access", role_text(*access)}, {"pageKey", login.page_key}}));
  reply.headers.emplace_back("Set-Cookie", login.set_cookie);
  co_return reply;
}

/// Ends the login for all browsers with its cookie, where the page shows its key as well; else for this browser alone.
asio::awaitable<HttpReply> log_out(NetLoop* net, std::shared_ptr<const HttpRequest> request) {
  if (const auto judgement = judge(*net, request->facts); judgement.login) net->shared.end_login(*judgement.login);
  auto reply = json_reply(200, "{}");
  reply.headers.emplace_back("Set-Cookie", net->authenticator->clear_cookie());
  co_return reply;
}

/// Tells a page whether its cookie is still good, and for which access. Tells nothing else, so a browser on plain HTTP,
/// which sends neither Origin nor Sec-Fetch-Site, is answered as well.
asio::awaitable<HttpReply> session(NetLoop* net, std::shared_ptr<const HttpRequest> request) {
  auto facts = request->facts;
  if (facts.fetch_site.empty()) facts.fetch_site = "same-origin";
  const auto judgement = judge(*net, facts);
  if (judgement.verdict == Verdict::granted) co_return access_reply(judgement.access);
  auto refusal = refusal_reply(401, Refusal::token, "Authentication required.");
  refusal.delayed = judgement.verdict == Verdict::wrong;
  co_return refusal;
}

asio::awaitable<HttpReply> want_upgrade(NetLoop*, std::shared_ptr<const HttpRequest>) {
  auto reply = error_reply(426, "This is a WebSocket.");
  reply.headers = {{"Upgrade", "websocket"}, {"Connection", "Upgrade"}};
  co_return reply;
}

/// `/base` for `/base/`: what the page links to would else be looked for one step too high.
bool is_bare_base(const Site& site, std::string_view path) {
  return !site.base_path().empty() && path == site.base_path();
}

HttpReply redirect_reply(const Site& site) {
  HttpReply reply;
  reply.status = 308;
  reply.headers.emplace_back("Location", site.base_path() + "/");
  return reply;
}

constexpr std::array<Route, 12> kRoutes{{
    {"/healthz", "GET", Needs::nothing, true, health},
    {"/health", "GET", Needs::nothing, true, health},
    {"/metrics", "GET", Needs::token, false, metrics},
    {"/debug/sessions", "GET", Needs::token_nearby, false, debug_sessions},
    {kConnectionsPath, "GET", Needs::full_token_nearby, false, list_connections},
    {kConnectionPath, "DELETE", Needs::full_token_nearby, false, close_connection, kUsualBody, true},
    {"/api/login", "POST", Needs::nothing, false, log_in},
    {"/api/logout", "POST", Needs::nothing, false, log_out},
    {"/api/session", "GET", Needs::nothing, false, session},
    {"/ws", "GET", Needs::nothing, false, want_upgrade},
    {"/acp", "GET", Needs::nothing, false, want_upgrade},
    {"/mcp", "POST, DELETE", Needs::full_token, false, answer_mcp, limits::kMaxRequest, false, kMcpTime},
}};

}  // namespace

const Route* find_route(std::string_view path) {
  for (const auto& route : kRoutes) {
    if (route.path == path || (route.is_folder && path.starts_with(route.path))) return &route;
  }
  return nullptr;
}

std::string_view allowed_methods(const Route* route) {
  return route != nullptr && route->methods != "GET" ? route->methods : "GET, HEAD";
}

bool takes_method(const Route* route, std::string_view method) {
  const auto taken = listed(allowed_methods(route));
  return std::find(taken.begin(), taken.end(), method) != taken.end();
}

HttpReply file_reply(NetLoop& net, const HttpRequest& request) {
  if (is_bare_base(net.shared.site(), request.facts.path)) return redirect_reply(net.shared.site());
  const auto file = net.files->find(request.path, request.header("Accept-Encoding"));
  if (!file) return error_reply(404, "There is nothing here.");
  HttpReply reply;
  reply.type = file->type;
  reply.headers.emplace_back("ETag", file->tag);
  reply.headers.emplace_back("Vary", "Accept-Encoding");
  if (!file->coding.empty()) reply.headers.emplace_back("Content-Encoding", file->coding);
  reply.headers.emplace_back("Cache-Control", file->immutable ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.header("If-None-Match") == file->tag) {
    reply.status = 304;
  } else {
    reply.body = file->content;
  }
  return reply;
}

}  // namespace ptyd
