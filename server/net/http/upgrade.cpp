#include "server/net/http/upgrade.hpp"

#include <algorithm>

#include "server/net/access/secrets.hpp"

namespace ptyd {

bool is_of_agents(const Spoken& spoken) {
  return spoken.front()->subprotocol == "acp";
}

ConnectionShares::Who counted(const NetLoop& net, const HttpRequest& request, const Judgement& judgement) {
  const auto& proxies = net.shared.options().trusted_proxies;
  const auto client = proxies.client_of(request.peer.ip, request.facts.forwarded_chain);
  const auto address = client == request.peer.ip ? request.peer : describe_ip(client);
  const bool has_token = net.authenticator->mode() == AuthMode::token;
  return {address.local ? "" : address.bucket, has_token ? std::string(role_text(judgement.access)) : ""};
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
