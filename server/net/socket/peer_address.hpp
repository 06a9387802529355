// PeerAddress: where a connection comes from.
#pragma once

#include <sys/socket.h>

#include <string>

namespace ptyd {

struct PeerAddress {
  std::string text;    ///< for the log: "127.0.0.1:51234", "unix, uid 1000"
  std::string bucket;  ///< what is counted together: an IPv4 address, an IPv6 /64, a uid
  bool local = false;  ///< on this machine (which proves nothing about whose page it is)
};

PeerAddress describe_peer(const sockaddr_storage& address);
PeerAddress describe_unix_peer(unsigned uid);

}  // namespace ptyd
