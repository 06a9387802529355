// TrustedProxies: proxies whose word on their client's address counts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/result.hpp"

namespace ptyd {

/// Networks of proxies. The client address that such a proxy reports is believed, for counting. A report from any other
/// peer is not, since it costs nothing to write one.
///
/// Thread  any; never changes.
class TrustedProxies {
 public:
  /// None is trusted.
  TrustedProxies() = default;
  /// Each is an address, a network as `10.0.0.0/8`, or `unix`. Errc::bad_request names the one that is none of these.
  static Result<TrustedProxies> parse(const std::vector<std::string>& texts);
  /// This machine and private networks, where containers and their proxies are; and so are many clients. One proxy is
  /// believed, and no chain: a client in such a network would be taken for a second one, and write its own address.
  static TrustedProxies nearby();

  /// `ip` is numeric; "" is a unix socket.
  bool has(std::string_view ip) const;
  /// The address at the end of the chain that can be believed; nothing: that of `peer` itself. `forwarded` is the chain
  /// as proxies wrote it, the nearest last.
  std::optional<std::string> client_of(const std::string& peer, const std::vector<std::string>& forwarded) const;

 private:
  struct Network {
    std::string base;  ///< 4 or 16 bytes
    std::size_t bits;
  };
  static Result<Network> parse_network(const std::string& text);

  std::vector<Network> networks_;
  bool unix_ = false, believes_chains_ = true;
};

}  // namespace ptyd
