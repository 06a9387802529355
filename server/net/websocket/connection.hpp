// Connection: one WebSocket, as the rest of the house sees it.
#pragma once

#include <cstdint>
#include <string_view>

#include "server/net/access_log.hpp"
#include "server/policy/access.hpp"

namespace ptyd {

/// One WebSocket, from its upgrade to its end: a Transport for a Peer.
///
/// Owns    the channel and the Peer; itself while something is under way.
/// Thread  its loop.
class Connection {
 public:
  /// Says goodbye with a WebSocket code behind all that waits, then ends; after 5 s where the peer does not take it.
  /// Hears nothing of the peer meanwhile.
  virtual void say_goodbye(std::uint16_t code, std::string_view reason) = 0;
  virtual Access access() const = 0;
  /// The number of the login that opened it; "" for a token.
  virtual std::string_view login() const = 0;
  virtual ConnectionDebug debug() const = 0;
  /// Ends now.
  virtual void cut() = 0;

 protected:
  ~Connection() = default;
};

}  // namespace ptyd
