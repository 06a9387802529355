// Connection: one WebSocket.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/languages.hpp"
#include "server/net/access_log.hpp"
#include "server/net/net_shared.hpp"
#include "server/net/socket/web_socket_stream.hpp"
#include "server/policy/policy.hpp"

namespace ptyd {

/// What is known of a WebSocket from its request.
struct ConnectionOptions {
  Access access = Access::view;
  std::optional<Login> login;  ///< that opened it; none for a token
  bool all_events = false;
  bool delegate = false;  ///< who asks for agents' terminals is the agents' client
  bool local = false;     ///< the peer is on this machine
  AccessRecord record;
  NetShared::Share share;   ///< of its address and its token
  Spoken spoken;            ///< not empty
  std::string subprotocol;  ///< chosen of those that were offered, "" for none
  std::string agent_id;     ///< what an agent's connection is called, "" for others
};

/// One WebSocket, from its upgrade to its end: a Transport for a Peer.
///
/// Owns    the channel and the Peer; itself while something is under way.
/// Thread  its loop.
class Connection {
 public:
  using Request = WebSocketStream::Request;

  /// Answers the upgrade `request`, which has been allowed.
  static void start(NetLoop& net, Channel channel, const Request& request, ConnectionOptions options);

  /// Says goodbye with a WebSocket code, then ends; at once for who does not answer.
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
