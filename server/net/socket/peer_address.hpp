// PeerAddress: the origin of a connection.
#pragma once

#include <sys/socket.h>

#include <string>

namespace ptyd {

struct PeerAddress {
  std::string text;    ///< for the log: "127.0.0.1:51234", "unix, uid 1000"
  std::string bucket;  ///< unit of counting: an IPv4 address, an IPv6 /64, a uid
  std::string ip;      ///< numeric; "" on a unix socket
  bool local = false;  ///< on this machine (which proves nothing about whose page it is)
};

PeerAddress describe_peer(const sockaddr_storage& address);
PeerAddress describe_unix_peer(unsigned uid);
/// Of a numeric address without a port.
PeerAddress describe_ip(const std::string& ip);

}  // namespace ptyd
