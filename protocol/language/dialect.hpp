// Dialect: a client language on one connection. frame -> Calls; Reply -> frame; Event -> frame or nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/messages.hpp"
#include "protocol/output.hpp"

namespace ptyd {

/// Names a call until its reply; made by the dialect, unique on the connection and dialect.
using CallToken = std::uint64_t;

struct Call {
  CallToken token = 0;
  Command command;
};

/// Meaning of one frame.
struct Decoded {
  std::vector<Call> calls;             ///< in the order of the frame
  std::vector<std::string> frames;     ///< answers that need no session: errors, pongs. They go ahead of output
  std::size_t acknowledged = 0;        ///< calls of wrap_event() (oldest first) whose frames the client confirmed
  std::vector<CallToken> given_up;     ///< calls without a waiting client: their replies are not encoded
  std::vector<CallToken> cancelled{};  ///< calls that are not to begin if they wait: their replies are encoded
  std::string_view refusal{};          ///< why the connection is to end now, "" when it goes on
  std::string_view rest = {};          ///< of the frame, for decode_rest(); "" when all of it has been decoded
};

/// Goes around an event's text: a frame is head + text + tail.
struct Wrap {
  std::string head;
  std::string tail;
};

/// One language spoken by one peer.
///
/// Thread  one. No I/O, no clock, no session. The only state is that of the language on this connection: ids, sequence
///         numbers, streams, subscriptions, tool calls.
/// Errors  decode() never fails: what is wrong with a frame is answered in its own language.
class Dialect {
 public:
  virtual ~Dialect() = default;

  /// Decodes a frame, or the first part of one that holds many.
  virtual Decoded decode(std::string_view frame) = 0;
  /// Decodes the next part of what decode() or decode_rest() left.
  virtual Decoded decode_rest(std::string_view /*rest*/) { return {}; }
  /// The reply to a call, or nothing when the language has none (an interrupted call, a stream that stays open).
  virtual std::optional<std::string> encode_reply(CallToken token, const Result<Reply>& reply) = 0;
  /// How an event travels to this peer now: one Wrap per stream that carries it, none when the peer cannot be told.
  /// Called once per event that is really sent (sequence numbers count). Where clients confirm, a
  /// Wrap may also go around several events, with commas between them.
  virtual std::vector<Wrap> wrap_event() = 0;
  /// Whether wrap_event() or tell() would give any.
  virtual bool wants_events() const = 0;
  /// The frame that tells of `event` in a language whose events are not event objects, or nothing. Called for each
  /// event, beside wrap_event(), where pongs ack.
  virtual std::optional<std::string> tell(const Event& /*event*/) { return std::nullopt; }
  /// A frame to be sent before the first frame in this language, or "". Where a language speaks first, this may be a
  /// request of ours: its answer comes to decode(), which may give the next request.
  virtual std::string welcome() { return {}; }
  /// Whether calls are carried out. A language that speaks first serves calls only after a valid answer to its
  /// handshake. A peer that never gives one is disconnected.
  virtual bool is_ready() const { return true; }
};

/// Facts about the server and the connection that a Dialect needs.
struct WelcomeFacts {
  std::string cwd;
  std::string home;
  std::string project_name;
  /// Makes a name for `scope`, any text, that cannot be guessed: 32 digits of lower-case hex.
  std::function<std::string(std::string_view scope)> make_name{};
  /// Whether make_name() has made `name` for `scope`, on whatever connection.
  std::function<bool(std::string_view scope, std::string_view name)> has_made_name{};
  /// Whether a variable of this name is left out of the environment of agents' programs, also when a client sets it.
  std::function<bool(std::string_view name)> drops_variable{};
  /// Whether an ACP connection is from the client of agents, which names sessions as it likes. Else it is from an agent
  /// that dials in: the server is its client, and begins the handshake.
  bool delegate = false;
  /// A name for the credential that the client showed, without blanks; it does not reveal the credential. "" for the
  /// token.
  std::string credential{};
};

}  // namespace ptyd
