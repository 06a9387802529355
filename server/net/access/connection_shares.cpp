#include "server/net/access/connection_shares.hpp"

namespace ptyd {
namespace {

constexpr unsigned kTooManyOf = 429;
constexpr const char* kSecondsOfShare = "5";

HttpReply refuse_share(Refusal why, const std::string& of, std::size_t open, std::size_t limit,
                       const std::string& option) {
  auto refusal = refusal_reply(kTooManyOf, why,
                               "Too many connections: " + std::to_string(open) + " WebSockets of this " + of +
                                   " are open, the limit is " + std::to_string(limit) + " (" + option + ").");
  refusal.headers.emplace_back("Retry-After", kSecondsOfShare);
  return refusal;
}

}  // namespace

/// No address holds a blank.
std::string ConnectionShares::role_at_address(const ClientIds& client) {
  return client.address.empty() ? "" : client.address + " " + client.token;
}

std::size_t ConnectionShares::count(const Counts& counts, const std::string& of) {
  const auto found = counts.find(of);
  return found == counts.end() ? 0 : found->second;
}

void ConnectionShares::subtract(Counts& counts, const std::string& of) {
  const auto found = counts.find(of);
  if (found != counts.end() && --found->second == 0) counts.erase(found);
}

std::optional<HttpReply> ConnectionShares::enter(const ClientIds& client) {
  const auto at_address = role_at_address(client);
  const auto of_address = count(addresses_, at_address), of_token = count(tokens_, client.token);
  if (of_address >= limits_.of_address)
    return refuse_share(Refusal::address, "address", of_address, limits_.of_address, "--max-per-address");
  if (of_token >= limits_.of_token)
    return refuse_share(Refusal::bearer, "token", of_token, limits_.of_token, "--max-per-token");
  if (!at_address.empty()) addresses_[at_address]++;
  if (!client.token.empty()) tokens_[client.token]++;
  return std::nullopt;
}

void ConnectionShares::leave(const ClientIds& client) {
  subtract(addresses_, role_at_address(client));
  subtract(tokens_, client.token);
}

}  // namespace ptyd
