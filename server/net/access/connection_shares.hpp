// ConnectionShares: limits the open WebSockets of one address and of one token.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "server/net/access/http_reply.hpp"

namespace ptyd {

/// Thread  one.
class ConnectionShares {
 public:
  /// WebSockets, each with what it costs; so that one client that opens them without end leaves places for others.
  struct Limits {
    std::size_t of_address = 256;  ///< an office behind one address has some hundred people with a tab or two
    std::size_t of_token = 1024;   ///< all places there are, unless an operator knows better
  };
  /// The client that opens one. An empty part is not counted: this machine's own programs, a server without tokens.
  /// `token` is the role that it gives. Each role of an address is counted by itself, so that clients that may only
  /// view take no place of others behind the same address.
  struct ClientIds {
    std::string address, token;
  };

  explicit ConnectionShares(Limits limits) : limits_(limits) {}

  /// Counts one more, until leave(); or gives the refusal, which names the bound: 429.
  std::optional<HttpReply> enter(const ClientIds& client);
  void leave(const ClientIds& client);

 private:
  using Counts = std::unordered_map<std::string, std::size_t>;
  static std::string role_at_address(const ClientIds& client);
  static std::size_t count(const Counts& counts, const std::string& of);
  static void subtract(Counts& counts, const std::string& of);

  Limits limits_;
  Counts addresses_, tokens_;  // none is 0; addresses_ by role_at_address
};

}  // namespace ptyd
