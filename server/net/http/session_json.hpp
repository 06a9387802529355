// Session JSON: the server's reports of itself.
#pragma once

#include <string>
#include <vector>

#include "server/net/access_log.hpp"
#include "server/session/context/session_facts.hpp"

namespace ptyd {

/// /debug/sessions: state and positions, never content.
std::string sessions_json(const std::vector<SessionDebug>& sessions);

/// /debug/connections: addresses and numbers, by the number of each, never content.
std::string connections_json(std::vector<ConnectionDebug> open, TimePoint now);

/// Content of --ready-file once the server accepts connections.
struct ReadyFacts {
  std::string url;
  int port = 0;  ///< 0 on unix sockets alone, without --public-url
  int pid = 0;
  std::string token;  ///< "" without auth
};
std::string ready_json(const ReadyFacts& facts);

}  // namespace ptyd
