// The Model Context Protocol over HTTP: a POST's headers and body -> its meaning; a reply -> the answer's body.
//
// Source: protocol/mcp.md. Revisions 2025-03-26 to 2025-11-25, with answers as one JSON object each.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "protocol/mcp/mcp_terminals.hpp"
#include "protocol/messages.hpp"

namespace ptyd::mcp {

/// Headers of a request; "" for one that is absent.
struct Headers {
  std::string content_type, accept;
  std::string version;  ///< MCP-Protocol-Version
  std::string session;  ///< Mcp-Session-Id
};

struct Answer {
  unsigned status = 200;
  std::string body;  ///< JSON, or "" for none
};
/// With this answer a session begins.
struct Handshake {
  std::string body;
};
/// A tool is called.
struct Call {
  std::string id;  ///< JSON text
  Command command;
};

struct Meaning {
  using Outcome = std::variant<Answer, Handshake, Call>;
  bool needs_session = false;  ///< the outcome counts only if the session that the headers name exists
  std::string id;              ///< of the answer where it does not exist; JSON text
  Outcome outcome;
};

/// Never fails: a fault is an Answer.
Meaning read(const Headers& headers, std::string_view body);

Answer no_session_named(std::string_view id);
Answer no_such_session(std::string_view id);

/// The body that answers `call`.
std::string result_frame(const Call& call, const Result<Reply>& reply);

}  // namespace ptyd::mcp
