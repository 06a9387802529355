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
/// Thread  one. No I/O, no clock, no session; the only state is what the language itself numbers (ids, sequence, streams).
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
  /// Called once per event that is really sent (sequence numbers count). Where a language proves by confirmation, a
  /// Wrap goes around several as well, with commas between them.
  virtual std::vector<Wrap> wrap_event() = 0;
  /// Whether wrap_event() or tell() would give any.
  virtual bool wants_events() const = 0;
  /// The frame that tells of `event` in a language that has another form for it than an event object, or nothing.
  /// Called instead of wrap_event() giving any, where receipt is proved by pongs.
  virtual std::optional<std::string> tell(const Event& /*event*/) { return std::nullopt; }
  /// A frame to be sent before the first frame in this language, or "". Where a language speaks first it may be a
  /// request of ours: its answer comes to decode(), whose frames may be the next.
  virtual std::string welcome() { return {}; }
  /// Whether calls are carried out. A language that speaks first serves calls only after a valid answer to its
  /// handshake. A peer that never gives one is disconnected.
  virtual bool is_ready() const { return true; }
};

/// Facts about the server that a welcome needs.
struct WelcomeFacts {
  std::string cwd;
  std::string home;
  std::string project_name;
  /// Makes a name in the thread `scope` that cannot be guessed: 32 digits of lower-case hex.
  std::function<std::string(std::string_view scope)> make_name{};
  /// Whether make_name() has made `name` for `scope`, on whatever connection.
  std::function<bool(std::string_view scope, std::string_view name)> has_made_name{};
  /// Whether a variable of this name is left out of the environment of agents' programs, also when a client sets it.
  std::function<bool(std::string_view name)> drops_variable{};
  /// The client that asks for agents' terminals is the agents' client: sessions are its own, any name will do. Else it
  /// is an agent that dials in: we are its client, and shake hands first.
  bool delegate = false;
  /// A name of the credential that the client showed, without blanks, which tells nothing of it; "" for the token.
  std::string credential{};
};

}  // namespace ptyd
