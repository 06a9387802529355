#include "server/session/delivery/event_source.hpp"

#include "pty/journal/history.hpp"
#include "server/session/recording/mark_payload.hpp"
#include "server/session/recording/mark_rows.hpp"

namespace ptyd {
namespace {

/// Not make_shared: a weak_ptr to such a one would keep its memory.
std::shared_ptr<EncodedEvent> encode_event() {
  return std::shared_ptr<EncodedEvent>(new EncodedEvent);
}

std::shared_ptr<const EncodedEvent> publish(Event event) {
  auto made = encode_event();
  made->text = event_text(event);
  made->event = std::move(event);
  return made;
}

}  // namespace

EventSource::EventSource(SessionKey key, const Journal& journal, const Clock& clock)
    : key_(std::move(key)), journal_(journal), clock_(clock), writer_(key_) {}

EventSource::Shared EventSource::output(Position from, std::string_view bytes) {
  const Position to = from + bytes.size();
  if (from == last_from_ && to == last_to_)
    if (auto made = last_output_.lock()) return made;
  last_from_ = from;
  last_to_ = to;
  auto made = write_output(cursor(to), bytes);
  last_output_ = made;
  return made;
}

EventSource::Shared EventSource::text(Position at, std::string_view text) const {
  return injected_output(cursor(at), text);
}

/// Its cursor is one of no journal.
EventSource::Shared EventSource::piece(std::string_view text) const {
  return injected_output({~journal_.incarnation(), journal_.head()}, text);
}

EventSource::Shared EventSource::injected_output(const Cursor& at, std::string_view text) const {
  return write_output(at, text);
}

std::shared_ptr<EncodedEvent> EventSource::write_output(const Cursor& at, std::string_view bytes) const {
  const auto now = clock_.unix_now();
  auto made = encode_event();
  made->event = {key_, now, at, Output{keeps_bytes_ ? std::string(bytes) : std::string(), 0}};
  made->text = writer_.write(now, at, bytes);
  return made;
}

EventSource::Shared EventSource::mark(const Mark& mark) {
  const auto at = cursor(mark.position + 1);
  if (auto made = last_mark_.lock(); made && made->event.cursor == at) return made;
  auto made = make(mark, at);
  last_mark_ = made;
  return made;
}

EventSource::Shared EventSource::broadcasts(const Mark& mark) const {
  return make(mark, {});
}

EventSource::Shared EventSource::mark_of_the_past(const Mark& mark, Position shown) const {
  return make(mark, cursor(shown));
}

EventSource::Shared EventSource::make(const Mark& mark, const Cursor& at) const {
  const auto body = row_of(mark.kind).body;
  if (!body) return nullptr;
  const bool is_heard = at != Cursor{};
  const auto start = [this, is_heard](const Mark& of) { return start_snapshot(of, is_heard); };
  return publish({key_, mark.time, at, body(mark, start)});
}

EventSource::Shared EventSource::event(Position at, EventBody body) const {
  return publish({key_, clock_.unix_now(), cursor(at), std::move(body)});
}

EventSource::Shared make_broadcast(const SessionKey& key, UnixMillis now, EventBody body) {
  return publish({key, now, {}, std::move(body)});
}

Snapshot EventSource::start_snapshot(const Mark& mark, bool is_heard) const {
  const auto facts = decode_start(mark.payload).value_or(StartFacts{});
  Snapshot snapshot;
  snapshot.key = key_;
  snapshot.cwd = facts.cwd;
  snapshot.status = Status::running;
  if (facts.pid > 0) snapshot.pid = facts.pid;
  snapshot.size = facts.size;
  snapshot.updated_at = mark.time;
  snapshot.cursor = cursor(mark.position + 1);
  if (is_heard && mark.position > journal_.tail())
    snapshot.history =
        history_text(journal_, journal_.tail(), mark.position, limits::kMaxHistoryLines, limits::kMaxHistoryBytes);
  return snapshot;
}

}  // namespace ptyd
