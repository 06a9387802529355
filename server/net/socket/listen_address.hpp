// ListenAddress: an address or a path to listen on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pty/result.hpp"

namespace ptyd {

/// A numeric TCP address with port, or the path of a unix socket.
struct ListenAddress {
  std::string ip;          ///< numeric, without brackets; "" for a unix socket
  std::uint16_t port = 0;  ///< 0 lets the kernel pick one
  std::string path;        ///< of a unix socket; "" for TCP

  bool is_unix() const { return !path.empty(); }
  bool is_ipv6() const { return ip.find(':') != std::string::npos; }
  /// Only this machine can reach it: a loopback address or a unix socket.
  bool is_local() const;
  /// Every address of the machine: 0.0.0.0 or [::].
  bool is_wildcard() const;
  bool operator==(const ListenAddress&) const = default;
};

/// `127.0.0.1:7681`, `[::1]:0`, `localhost:80`, `*:80`, `7681` (on 127.0.0.1) or `unix:PATH`.
Result<ListenAddress> parse_listen_address(std::string_view text);
/// As parse_listen_address takes it.
std::string to_string(const ListenAddress& address);

/// A decimal TCP port without sign or blank.
Result<std::uint16_t> parse_port(std::string_view text);

}  // namespace ptyd
