// Handshake of an agents' client with an agent that dials in: `initialize`, then `session/load` of a lost session or
// `session/new`, as version 1 of the Agent Client Protocol has it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/language/jsonrpc.hpp"

namespace ptyd {

/// The requests of ours, one after the other: agents refuse the second before they have answered the first.
///
/// Owns    the ids of our direction.
/// Errors  another version than 1, or an error to session/new, ends the handshake without a session. After an error to
///         session/load the next session is offered.
class AcpHandshake {
 public:
  /// Outcome of an answer.
  struct Step {
    std::string frame = {};         ///< to be sent, "" for none
    std::string_view refusal = {};  ///< why the connection is of no use, "" when it may be
    bool wants_offers = false;      ///< offer() is to be called next
  };

  /// `cwd` is the absolute working directory of the session.
  explicit AcpHandshake(std::string cwd) : cwd_(std::move(cwd)) {}

  /// The frame that begins the handshake: `initialize`.
  std::string begin();
  /// Takes an answer; one to no request of ours is ignored.
  Step take(const jsonrpc::Response& response);
  /// The frame that offers the first of `sessions`, which the agent may have lost, or asks for a new one. Where the
  /// agent refuses one, take() gives the frame that offers the next.
  std::string offer(std::vector<std::string> sessions);
  /// The agent's name of the session, as soon as it has said it.
  const std::optional<std::string>& session() const { return session_; }
  /// The session that the agent is loading: it was offered, and the agent has not answered.
  std::optional<std::string_view> loading() const;

 private:
  enum class Awaits { nothing, version, loaded, session };

  std::string ask(Awaits answer, std::string_view method, std::string_view params);
  Step take_version(const boost::json::object* result);
  std::string ask_for_session();
  void take_session(const boost::json::value* session);

  std::string cwd_;
  Awaits awaits_ = Awaits::nothing;
  int asked_ = 0;                    // requests so far
  std::string id_;                   // of the one that is not answered
  std::vector<std::string> offers_;  // the next one last
  std::optional<std::string> session_;
};

}  // namespace ptyd
