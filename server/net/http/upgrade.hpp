// upgrade: from a request for a WebSocket to the options of its connection.
#pragma once

#include <optional>

#include "protocol/language/languages.hpp"
#include "server/net/access/auth.hpp"
#include "server/net/access/connection_shares.hpp"
#include "server/net/http/routes.hpp"
#include "server/net/net_shared.hpp"
#include "server/net/websocket/connection_options.hpp"

namespace ptyd {

/// The refusal of what an agent asks for, where nothing but its language is `spoken`; nothing if it may.
std::optional<HttpReply> refuse_agent(const RequestFacts& facts, Access access, const Spoken& spoken);

/// The address and the token that a WebSocket counts for. This machine's own address does not count: no stranger is
/// there, and a proxy there may not say for whom it connects.
ConnectionShares::ClientIds counted(const NetLoop& net, const HttpRequest& request, const Judgement& judgement);

/// All but its record and its share. The request has been allowed.
ConnectionOptions upgrade_options(const HttpRequest& request, const Judgement& judgement, const Spoken& spoken);

}  // namespace ptyd
