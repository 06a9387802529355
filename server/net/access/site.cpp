#include "server/net/access/site.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cctype>

namespace ptyd {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string bracketed(const ListenAddress& address) {
  return address.is_ipv6() ? "[" + address.ip + "]" : address.ip;
}

/// The names that surely reach `address`. At the same port of any other address another user's server may be.
std::vector<std::string> names_of(const ListenAddress& address) {
  if (address.ip == "0.0.0.0") return {"127.0.0.1", "localhost"};
  if (address.ip == "::") return {"[::1]", "localhost"};
  if (address.ip == "127.0.0.1" || address.ip == "::1") return {bracketed(address), "localhost"};
  return {bracketed(address)};
}

/// "host" of "host:port"; a colon inside brackets is none of a port's.
std::string_view host_part(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(0, std::min(authority.find(']') + 1, authority.size()));
  return authority.substr(0, authority.find(':'));
}

bool is_ip(std::string_view host) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  boost::system::error_code error;
  boost::asio::ip::make_address(std::string(host), error);
  return !error;
}

/// Only an optional port follows the host part.
bool is_well_formed(std::string_view authority) {
  const auto rest = authority.substr(host_part(authority).size());
  return rest.empty() || (rest.front() == ':' && parse_port(rest.substr(1)).has_value());
}

/// A port that browsers leave out is put in, so that names compare.
std::string with_port(std::string_view authority, bool tls) {
  if (authority.size() > host_part(authority).size()) return std::string(authority);
  return std::string(authority) + (tls ? ":443" : ":80");
}

}  // namespace

Site::Site(Options options) : options_(std::move(options)) {
  if (options_.public_url) base_path_ = options_.public_url->base_path;
  for (const auto& address : options_.listening) {
    if (address.is_unix()) continue;
    const auto port = ":" + std::to_string(address.port);
    for (const auto& name : names_of(address)) names_.push_back(name + port);
  }
}

bool Site::is_ours(std::string_view host) const {
  const auto name = with_port(host, options_.tls);
  return std::find(names_.begin(), names_.end(), name) != names_.end();
}

/// Where we listen on every address we know neither all our numbers nor the port a container maps, but a name that an
/// attacker's DNS answers for is never a number, localhost or this machine's own name. On a unix socket
/// localhost counts, with any port.
bool Site::is_ours_by_number(std::string_view host) const {
  const auto name = host_part(host);
  for (const auto& address : options_.listening) {
    if (address.is_unix() && name == "localhost") return true;
    if (address.is_wildcard() && (is_ip(name) || name == "localhost" || name == lower(options_.machine))) return true;
  }
  return false;
}

bool Site::answers_to(std::string_view text) const {
  const auto host = lower(text);
  if (host.empty() || !is_well_formed(host)) return false;
  const auto& url = options_.public_url;
  if (url && (host == url->authority() || host == url->host + ":" + std::to_string(url->port))) return true;
  return is_ours(host) || is_ours_by_number(host);
}

bool Site::trusts(std::string_view origin, std::string_view host) const {
  if (options_.public_url && origin == options_.public_url->origin()) return true;
  const std::string_view scheme = options_.tls ? "https://" : "http://";
  if (!origin.starts_with(scheme)) return false;
  const auto authority = origin.substr(scheme.size());
  if (!is_well_formed(authority)) return false;
  return is_ours(authority) ||
         (is_ours_by_number(authority) && with_port(authority, options_.tls) == with_port(lower(host), options_.tls));
}

std::string_view Site::below_base(std::string_view path) const {
  if (base_path_.empty() || !path.starts_with(base_path_)) return path;
  const auto rest = path.substr(base_path_.size());
  return rest.starts_with('/') ? rest : path;
}

std::uint16_t Site::port() const {
  for (const auto& address : options_.listening) {
    if (!address.is_unix()) return address.port;
  }
  return options_.public_url ? options_.public_url->port : std::uint16_t{0};
}

bool Site::secure() const {
  return options_.tls || (options_.public_url && options_.public_url->scheme == "https");
}

std::string Site::url() const {
  if (options_.public_url) return options_.public_url->text();
  const auto& first = options_.listening.front();
  if (first.is_unix()) return to_string(first);
  const auto host = first.is_wildcard() ? std::string("127.0.0.1") : bracketed(first);
  return (options_.tls ? "https://" : "http://") + host + ":" + std::to_string(first.port) + "/";
}

}  // namespace ptyd
