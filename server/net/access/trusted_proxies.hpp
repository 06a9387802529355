// TrustedProxies: whose word counts for whom a connection is made.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pty/result.hpp"

namespace ptyd {

/// Networks of proxies. What a proxy of these says of its client's address is believed, for counting; what anybody else
/// says is not, since it costs nothing to say.
///
/// Thread  any; never changes.
class TrustedProxies {
 public:
  /// None is trusted.
  TrustedProxies() = default;
  /// Each is an address, a network as `10.0.0.0/8`, or `unix`. Errc::bad_request names the one that is none of these.
  static Result<TrustedProxies> parse(const std::vector<std::string>& texts);
  /// This machine and private networks, where containers and their proxies are.
  static TrustedProxies nearby();

  /// `ip` is numeric; "" is a unix socket.
  bool has(std::string_view ip) const;
  /// The address at the end of the chain that can be believed: `peer`, or what trusted proxies say. `forwarded` is the
  /// chain as they wrote it, the nearest last.
  std::string client_of(const std::string& peer, const std::vector<std::string>& forwarded) const;

 private:
  struct Network {
    std::string base;  ///< 4 or 16 bytes
    std::size_t bits;
  };
  static Result<Network> parse_network(const std::string& text);

  std::vector<Network> networks_;
  bool unix_ = false;
};

}  // namespace ptyd
