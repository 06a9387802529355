#include "server/net/socket/listen_address.hpp"

#include <sys/un.h>

#include <boost/asio/ip/address.hpp>
#include <charconv>

#include "server/net/socket/ip_address.hpp"

namespace ptyd {
namespace {

namespace ip = boost::asio::ip;

constexpr std::string_view kUnixPrefix = "unix:";
/// Length that the kernel takes in sockaddr_un, less the closing NUL.
constexpr std::size_t kMaxUnixPath = sizeof(sockaddr_un::sun_path) - 1;

Error bad(std::string_view text, const std::string& why) {
  return Error(Errc::bad_request, "listen: " + std::string(text) + ": " + why);
}

Result<ListenAddress> parse_unix(std::string_view text) {
  ListenAddress address;
  address.path = text.substr(kUnixPrefix.size());
  if (address.path.empty()) return bad(text, "the path of the unix socket is missing");
  if (address.path.size() > kMaxUnixPath) {
    return bad(text, "the path is longer than the " + std::to_string(kMaxUnixPath) + " bytes the kernel takes");
  }
  return address;
}

/// The part before the port, as a numeric address.
std::string numeric(std::string_view host) {
  if (host.empty() || host == "localhost") return "127.0.0.1";
  if (host == "*") return "0.0.0.0";
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  return std::string(host);
}

}  // namespace

Result<std::uint16_t> parse_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) {
    return Error(Errc::bad_request, "port: " + std::string(text) + " is not a number from 0 to 65535");
  }
  return port;
}

bool ListenAddress::is_local() const {
  return is_unix() || is_loopback_ip(ip);
}

bool ListenAddress::is_wildcard() const {
  return ip == "0.0.0.0" || ip == "::";
}

Result<ListenAddress> parse_listen_address(std::string_view text) {
  if (text.starts_with(kUnixPrefix)) return parse_unix(text);
  const auto colon = text.rfind(':');
  const bool port_only = colon == std::string_view::npos;
  const auto host = port_only ? std::string_view() : text.substr(0, colon);
  const auto port = parse_port(port_only ? text : text.substr(colon + 1));
  if (!port) return bad(text, port.error().detail());
  if (host.find(':') != std::string_view::npos && host.front() != '[') return bad(text, "write IPv6 as [ADDRESS]:PORT");
  boost::system::error_code error;
  const auto address = ip::make_address(numeric(host), error);
  if (error) return bad(text, "expected IP:PORT, [IPv6]:PORT, localhost:PORT, *:PORT or unix:PATH");
  ListenAddress result;
  result.ip = address.to_string();
  result.port = *port;
  return result;
}

std::string to_string(const ListenAddress& address) {
  if (address.is_unix()) return std::string(kUnixPrefix) + address.path;
  const auto host = address.is_ipv6() ? "[" + address.ip + "]" : address.ip;
  return host + ":" + std::to_string(address.port);
}

}  // namespace ptyd
