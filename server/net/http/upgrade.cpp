#include "server/net/http/upgrade.hpp"

#include <algorithm>

#include "server/net/access/secrets.hpp"

namespace ptyd {

bool is_of_agents(const Spoken& spoken) {
  return spoken.front()->subprotocol == "acp";
}

ConnectionOptions upgrade_options(const HttpRequest& request, const Judgement& judgement, const Spoken& spoken) {
  ConnectionOptions options;
  options.access = judgement.access;
  options.login = judgement.login;
  if (is_of_agents(spoken)) options.agent_id = random_uuid();
  options.delegate = query_value(request.facts.query, "role") == "delegate";
  options.all_events = query_value(request.facts.query, "events") == "all";
  options.local = request.peer.local && !request.facts.forwarded;
  options.spoken = spoken;
  const auto offered = listed(request.facts.subprotocols);
  for (const auto chosen : {spoken.front()->subprotocol, kPageProtocol})
    if (options.subprotocol.empty() && std::find(offered.begin(), offered.end(), chosen) != offered.end())
      options.subprotocol = chosen;
  return options;
}

}  // namespace ptyd
