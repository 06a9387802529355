#include "server/net/socket/peer_address.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <boost/asio/ip/address.hpp>
#include <cstring>

#include "server/net/socket/listen_address.hpp"

namespace ptyd {
namespace {

namespace ip = boost::asio::ip;

PeerAddress describe_v4(const sockaddr_in& address) {
  const auto text = ip::address_v4(ntohl(address.sin_addr.s_addr)).to_string();
  return {text + ":" + std::to_string(ntohs(address.sin_port)), text, is_loopback_ip(text)};
}

PeerAddress describe_v6(const sockaddr_in6& address) {
  ip::address_v6::bytes_type bytes;
  std::memcpy(bytes.data(), &address.sin6_addr, bytes.size());
  const auto text = ip::address_v6(bytes).to_string();
  // One customer has a whole /64.
  std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
  const bool local = is_loopback_ip(text);
  return {"[" + text + "]:" + std::to_string(ntohs(address.sin6_port)),
          local ? text : ip::address_v6(bytes).to_string() + "/64", local};
}

}  // namespace

PeerAddress describe_peer(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET) return describe_v4(reinterpret_cast<const sockaddr_in&>(address));
  if (address.ss_family == AF_INET6) return describe_v6(reinterpret_cast<const sockaddr_in6&>(address));
  return {"unknown", "unknown", false};
}

PeerAddress describe_unix_peer(unsigned uid) {
  const auto text = "unix, uid " + std::to_string(uid);
  return {text, text, true};
}

}  // namespace ptyd
