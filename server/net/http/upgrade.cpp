#include "server/net/http/upgrade.hpp"

#include <algorithm>

#include "server/net/access/admission.hpp"
#include "server/net/access/secrets.hpp"

namespace ptyd {

namespace {

bool is_of_agents(const Spoken& spoken) {
  return spoken.front()->subprotocol == "acp";
}

/// Chosen of the subprotocols that the request offers; "" for none.
std::string_view chosen_subprotocol(const RequestFacts& facts, const Spoken& spoken) {
  const auto offered = listed(facts.subprotocols);
  for (const auto ours : {spoken.front()->subprotocol, kPageProtocol})
    if (std::find(offered.begin(), offered.end(), ours) != offered.end()) return ours;
  return {};
}

/// "" for this machine's own programs, which come without a proxy: an address that a
/// trusted proxy reports is always counted.
std::string counted_address(const TrustedProxies& proxies, const HttpRequest& request) {
  const auto client = proxies.client_of(request.peer.ip, request.facts.forwarded_chain);
  if (client) return describe_ip(*client).bucket;
  return request.peer.local ? "" : request.peer.bucket;
}

}  // namespace

/// Most clients end a connection where none of the subprotocols that they offer is chosen, and do not say why.
std::optional<HttpReply> refuse_agent(const RequestFacts& facts, Access access, const Spoken& spoken) {
  if (!is_of_agents(spoken)) return std::nullopt;
  if (access != Access::full) return refuse_viewer();
  if (facts.subprotocols.empty() || !chosen_subprotocol(facts, spoken).empty()) return std::nullopt;
  return refusal_reply(400, Refusal::unreadable,
                       "Sec-WebSocket-Protocol: the only subprotocol here is acp, and none is needed.");
}

ConnectionShares::ClientIds counted(const NetLoop& net, const HttpRequest& request, const Judgement& judgement) {
  const bool has_token = net.authenticator->mode() == AuthMode::token;
  return {counted_address(net.shared.options().trusted_proxies, request),
          has_token ? std::string(role_text(judgement.access)) : ""};
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
  options.subprotocol = chosen_subprotocol(request.facts, spoken);
  return options;
}

}  // namespace ptyd
