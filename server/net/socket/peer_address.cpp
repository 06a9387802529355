#include "server/net/socket/peer_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <cstring>

#include "server/net/socket/ip_address.hpp"

namespace ptyd {
namespace {

namespace ip = boost::asio::ip;

/// One customer has a whole /64 of IPv6.
std::string bucket_of(const ip::address& address) {
  if (address.is_v4() || address.is_loopback()) return address.to_string();
  auto bytes = address.to_v6().to_bytes();
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  return ip::address_v6(bytes).to_string() + "/64";
}

PeerAddress describe(const ip::address& address, const std::string& port) {
  const auto text = address.to_string();
  return {(address.is_v6() ? "[" + text + "]" : text) + port, bucket_of(address), text, address.is_loopback()};
}

std::string port_text(in_port_t port) {
  return ":" + std::to_string(ntohs(port));
}

}  // namespace

PeerAddress describe_peer(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    return describe(ip::address_v4(ntohl(v4.sin_addr.s_addr)), port_text(v4.sin_port));
  }
  if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    ip::address_v6::bytes_type bytes;
    std::memcpy(bytes.data(), &v6.sin6_addr, bytes.size());
    return describe(unmapped(ip::address_v6(bytes)), port_text(v6.sin6_port));
  }
  return {"unknown", "unknown", "unknown", false};
}

PeerAddress describe_ip(const std::string& ip) {
  const auto address = parse_ip(ip);
  return address ? describe(*address, "") : PeerAddress{ip, ip, ip, false};
}

PeerAddress describe_unix_peer(unsigned uid) {
  const auto text = "unix, uid " + std::to_string(uid);
  return {text, text, "", true};
}

}  // namespace ptyd
