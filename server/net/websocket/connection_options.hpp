// ConnectionOptions: facts about a WebSocket from its request.
#pragma once

#include <optional>
#include <string>

#include "protocol/language/languages.hpp"
#include "server/net/access_log.hpp"
#include "server/net/net_shared.hpp"
#include "server/policy/policy.hpp"

namespace ptyd {

struct ConnectionOptions {
  Access access = Access::view;
  std::optional<Login> login;  ///< that opened it; none for a token
  bool all_events = false;
  bool delegate = false;  ///< the peer is the agents' client
  bool local = false;     ///< the peer is on this machine
  AccessRecord record;
  NetShared::Share share;   ///< of its address and its token
  Spoken spoken;            ///< not empty
  std::string subprotocol;  ///< chosen of those that were offered, "" for none
  std::string agent_id;     ///< name of an agent's connection, "" for others
};

}  // namespace ptyd
