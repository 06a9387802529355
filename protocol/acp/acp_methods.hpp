// The methods for agents, one row each: the terminal methods of the Agent Client Protocol, and extensions. agents.md
// describes them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/language/jsonrpc.hpp"
#include "protocol/messages.hpp"

namespace ptyd {

/// Kinds of a method's answer.
enum class AcpKind : std::uint8_t { create, output, wait, release, screen, subscribe, unsubscribe, done };

struct AcpMethod {
  std::string_view name;
  AcpKind kind;
  bool is_ours;  ///< no method of the protocol: a client finds it in acp_extension()
  Problem (*decode)(const boost::json::object& params, Command& command);
  SessionKey& (*key)(Command& command);  ///< of the decoded command; its thread is the agent's name of the session
};

/// Null when there is none of this name.
const AcpMethod* find_acp_method(std::string_view name);

/// Reads what `method` is to do; the path of a problem begins at the frame.
Problem read_acp_command(const jsonrpc::Request& request, const AcpMethod& method, Command& command);

/// Further content of `_meta.ptyd` in a result.
struct AcpMeta {
  bool is_wanted = false;            ///< the call has an object `_meta.ptyd` too
  std::vector<std::string> dropped;  ///< names of variables that the call asked for and that are not set
};

/// Whether `params._meta.ptyd` is an object.
bool has_acp_extension(const boost::json::value* params);
/// Our own `_meta.ptyd`, as JSON text: the fields that `_meta.ptyd` of a terminal/create may have, with their defaults,
/// and our methods and notifications.
std::string acp_extension();

/// The result of a call of this kind, as JSON text; `meta` counts for a create only.
std::string acp_result(AcpKind kind, const SessionKey& key, const Reply& reply, const AcpMeta& meta);

/// `{"name":"text"}`.
std::string acp_object(std::string_view name, std::string_view text);

}  // namespace ptyd
