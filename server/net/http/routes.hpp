// Routes: the answers to plain HTTP.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string_view>

#include "server/net/access/http_reply.hpp"
#include "server/net/http/http_request.hpp"
#include "server/net/net_shared.hpp"

namespace ptyd {

/// Credential that a route asks for.
enum class Needs : std::uint8_t {
  nothing,
  token,
  full_token,    ///< and not the one for viewing
  token_nearby,  ///< and a peer on this machine
  full_token_nearby,
};
constexpr bool needs_full(Needs needs) {
  return needs == Needs::full_token || needs == Needs::full_token_nearby;
}
constexpr bool needs_nearness(Needs needs) {
  return needs == Needs::token_nearby || needs == Needs::full_token_nearby;
}

/// Bytes of a request's body, and the time from its end to the answer, of most places: a login is the longest thing
/// that is posted, and almost everything is answered at once.
inline constexpr std::size_t kUsualBody = 16 * 1024;
inline constexpr std::chrono::seconds kUsualTime{10};

struct Route {
  using Handle = boost::asio::awaitable<HttpReply> (*)(NetLoop* net, std::shared_ptr<const HttpRequest> request);
  std::string_view path;
  std::string_view methods;  ///< with commas; GET takes HEAD as well
  Needs needs = Needs::nothing;
  bool probe = false;  ///< health checks come without a Host
  Handle handle = nullptr;
  std::size_t max_body = kUsualBody;
  bool is_folder = false;                  ///< it takes all paths below it
  std::chrono::seconds time = kUsualTime;  ///< for a handler that waits: as long as that may take
};

/// The route at `path`, whatever the method; null when there is none but perhaps a file.
const Route* find_route(std::string_view path);

/// Methods that `route` takes, as Allow wants them: "GET, HEAD". Null: a file of the page.
std::string_view allowed_methods(const Route* route);
bool takes_method(const Route* route, std::string_view method);

/// The page's file at the request's path, the way to the page where that lacks a slash at its end, or 404.
HttpReply file_reply(NetLoop& net, const HttpRequest& request);

}  // namespace ptyd
