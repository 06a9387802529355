#include "server/net/access/public_url.hpp"

#include <algorithm>
#include <cctype>

#include "server/net/socket/listen_address.hpp"

namespace ptyd {
namespace {

Error bad(std::string_view text, const std::string& why) {
  return Error(Errc::bad_request, "public-url: " + std::string(text) + ": " + why);
}

bool is_host_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == '_' || c == '[' || c == ']' ||
         c == ':';
}

bool is_path_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("/._~-").find(c) != std::string_view::npos;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

/// Splits `host[:port]`; the colon inside an IPv6 bracket is none.
std::pair<std::string_view, std::string_view> split_port(std::string_view authority) {
  const auto colon = authority.rfind(':');
  const auto bracket = authority.rfind(']');
  if (colon == std::string_view::npos || (bracket != std::string_view::npos && bracket > colon)) return {authority, {}};
  return {authority.substr(0, colon), authority.substr(colon + 1)};
}

}  // namespace

std::string PublicUrl::authority() const {
  return has_default_port() ? host : host + ":" + std::to_string(port);
}

Result<PublicUrl> parse_public_url(std::string_view text) {
  PublicUrl url;
  const auto separator = text.find("://");
  if (separator == std::string_view::npos) return bad(text, "expected http://HOST/ or https://HOST/");
  url.scheme = lower(text.substr(0, separator));
  if (url.scheme != "http" && url.scheme != "https") return bad(text, "the scheme must be http or https");
  const auto rest = text.substr(separator + 3);
  const auto slash = std::min(rest.find('/'), rest.size());
  const auto [host, port] = split_port(rest.substr(0, slash));
  if (host.empty() || !std::all_of(host.begin(), host.end(), is_host_character))
    return bad(text, "the host is not valid");
  url.host = lower(host);
  url.port = url.scheme == "https" ? 443 : 80;
  if (host.data() + host.size() != rest.data() + slash) {
    const auto number = parse_port(port);
    if (!number || *number == 0) return bad(text, "the port must be a number from 1 to 65535");
    url.port = *number;
  }
  url.base_path = rest.substr(slash);
  if (!std::all_of(url.base_path.begin(), url.base_path.end(), is_path_character) ||
      url.base_path.find("//") != std::string::npos || url.base_path.find("/.") != std::string::npos) {
    return bad(text, "the path may have letters, digits and ._~- between single slashes only");
  }
  if (url.base_path.ends_with('/')) url.base_path.pop_back();
  return url;
}

}  // namespace ptyd
