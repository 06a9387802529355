// upgrade: from a request for a WebSocket to the options of its connection.
#pragma once

#include "protocol/languages.hpp"
#include "server/net/access/auth.hpp"
#include "server/net/access/connection_shares.hpp"
#include "server/net/http/routes.hpp"
#include "server/net/net_shared.hpp"
#include "server/net/websocket/connection.hpp"

namespace ptyd {

/// The language of agents, and no other.
bool is_of_agents(const Spoken& spoken);

/// Whose share a WebSocket takes: not that of this machine, where strangers are not and proxies may be that say
/// nothing.
ConnectionShares::Who counted(const NetLoop& net, const HttpRequest& request, const Judgement& judgement);

/// All but its record and its share. The request has been allowed.
ConnectionOptions upgrade_options(const HttpRequest& request, const Judgement& judgement, const Spoken& spoken);

}  // namespace ptyd
