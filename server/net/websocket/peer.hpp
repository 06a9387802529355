// Peer: one connection as a speaker of languages, without its socket.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/language/languages.hpp"
#include "server/loop/loops.hpp"
#include "server/net/websocket/transport.hpp"
#include "server/policy/policy.hpp"

namespace ptyd {

class SessionManager;

/// Turns frames into Commands and Replies and Events into frames, for one connection on its loop.
///
/// Owns    its dialects, the calls that wait (CallQueue), and its outbox (replies, and at most one event per
///         subscription). Borrows the transport: on_closed() must be called before that goes, and nothing is asked of
///         it afterwards.
/// Thread  the connection's loop. Of a message that holds many calls some are decoded per turn, and a few carried out.
/// Order   replies and pongs go ahead of output, except replies that carry a snapshot, which take their place in it.
///         What happens in terminals that this peer does not hear is gathered for a moment and written together.
class Peer {
 public:
  /// Bytes that wait for a peer that does not read: calls, small answers and events other than output. Beyond it no
  /// call is carried out and nothing is read. One large answer may wait besides, and output is bounded by the cursors'
  /// credit.
  static constexpr std::size_t kMaxQueued = 1 << 20;
  /// Broadcasts about terminals that it is not subscribed to, which come whether or not a peer is read; beyond either
  /// the connection is closed and may come back. Bytes: more than that many events of the usual length.
  static constexpr std::size_t kMaxBroadcasts = 4096, kMaxBroadcastBytes = 4 << 20;

  struct Options {
    Access access = Access::full;
    bool all_events = false;  ///< ?events=all
    WelcomeFacts facts;
    std::string name;  ///< for the log: "c42"
    Spoken spoken = spoken_at(languages(), "/ws", {});
  };

  static std::shared_ptr<Peer> create(Loop& loop, SessionManager& sessions, Transport& transport, Options options);
  virtual ~Peer() = default;

  /// One whole text message, or a binary one holding text. Valid UTF-8 (the transport has checked).
  virtual void on_message(std::string_view text) = 0;
  virtual void on_pong(std::uint64_t number) = 0;
  /// False while too much waits for this peer, of calls or of bytes: the transport then stops reading, and is told by
  /// resume_reading() when it may go on. Nothing that makes it true again has to be read first.
  virtual bool may_read() = 0;
  /// Bytes of the last message that have not been decoded yet.
  virtual std::size_t undecoded() const = 0;
  /// The next frame to write, or nothing. The transport writes one at a time and calls on_written() after each.
  virtual std::optional<Frame> take_frame() = 0;
  /// More frames wait behind the one taken last, so the transport may put them into one packet.
  virtual bool has_more() const = 0;
  virtual void on_written() = 0;
  /// The transport says goodbye, or will once all that waits is written: calls that wait, and what is left of the last
  /// message, are dropped. Answers to those that are carried out already are made as before. No message follows.
  virtual void on_goodbye() = 0;
  virtual void on_closed() = 0;
  /// Those that were spoken, with commas: for the log.
  virtual std::string spoken_languages() const = 0;
};

}  // namespace ptyd
