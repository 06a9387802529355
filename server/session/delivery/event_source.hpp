// EventSource: bytes and marks of the journal as events that are encoded once.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "pty/journal/journal.hpp"
#include "server/loop/clock.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// Makes one session's bytes and marks into EncodedEvents, each once for all cursors that stand at the same place.
///
/// Owns    nothing; the journal and the clock must outlive it.
/// Thread  the session's loop.
class EventSource {
 public:
  using Shared = std::shared_ptr<const EncodedEvent>;

  EventSource(SessionKey key, const Journal& journal, const Clock& clock);

  const SessionKey& key() const { return key_; }
  /// Output is published with the bytes as they were written too (Output::data), from now on.
  void keep_bytes() { keeps_bytes_ = true; }
  /// `bytes` stand at `from` in the journal.
  Shared output(Position from, std::string_view bytes);
  /// Output of the server that is in no journal, for a cursor at `at`.
  Shared text(Position at, std::string_view text) const;
  /// A piece of such text that is not its last: a client that disconnects behind it cannot resume there and gets a new
  /// snapshot.
  Shared piece(std::string_view text) const;
  /// Nothing for marks without an event.
  Shared mark(const Mark& mark);
  /// The same, sent late. A client that disconnects behind it resumes at `shown`.
  Shared mark_of_the_past(const Mark& mark, Position shown) const;
  /// The same for clients that are not subscribed to the session. It has no cursor: a cursor promises that everything
  /// before it was sent. It has no history: none of these clients shows it.
  Shared broadcasts(const Mark& mark) const;
  /// An event that is not in the journal.
  Shared event(Position at, EventBody body) const;

 private:
  Shared make(const Mark& mark, const Cursor& at) const;
  Shared injected_output(const Cursor& at, std::string_view text) const;
  std::shared_ptr<EncodedEvent> write_output(const Cursor& at, std::string_view bytes) const;
  /// `is_heard`: for subscribers of the session.
  Snapshot start_snapshot(const Mark& mark, bool is_heard) const;
  Cursor cursor(Position position) const { return {journal_.incarnation(), position}; }

  SessionKey key_;
  const Journal& journal_;
  const Clock& clock_;
  OutputWriter writer_;
  // The last ones made, while they are in use: cursors at the same place share them, an idle session holds none.
  std::weak_ptr<const EncodedEvent> last_output_, last_mark_;
  Position last_from_ = 0, last_to_ = 0;
  bool keeps_bytes_ = false;
};

/// An event for everybody, of a terminal or (with an empty key) of the server, that is in no journal.
EventSource::Shared make_broadcast(const SessionKey& key, UnixMillis now, EventBody body);

}  // namespace ptyd
