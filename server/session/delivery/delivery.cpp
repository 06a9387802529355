#include "server/session/delivery/delivery.hpp"

#include <algorithm>
#include <utility>

#include "pty/text/utf8.hpp"
#include "server/session/recording/mark_rows.hpp"

namespace ptyd {

namespace {

using Reached = Subscription::Barrier::Reached;

/// A frame cut by its limit must not end inside a character.
std::string_view whole_characters(std::string_view bytes) {
  const auto tail = utf8::unfinished_tail(bytes);
  return tail < bytes.size() ? bytes.substr(0, bytes.size() - tail) : bytes;
}

/// How many of `waiting` bytes may go into the next frame.
std::size_t allowance(const Subscription& to, std::size_t waiting) {
  // A viewer that waits for a reply behind them has asked for them; an ack may be behind that reply.
  if (!to.stream_output || !to.barriers.empty()) return std::min(waiting, flow::kMaxFrame);
  return to.credit.room_for(waiting);
}

void send(Subscription& to, EventSource::Shared encoded, TimePoint now) {
  to.event_in_flight = now;
  to.viewer->loop().dispatch([viewer = to.viewer, id = to.id, encoded = std::move(encoded)]() mutable {
    viewer->on_event(id, std::move(encoded));
  });
}

/// Resume position of a client that was sent such a mark. A client that has cleared its emulator needs the program's
/// modes, which follow: when it disconnects before it has them, it clears once more.
Position shown_behind(const Subscription& to, const Mark& mark) {
  const auto& row = row_of(mark.kind);
  if (row.payload_is_output && !mark.payload.empty()) return mark.position;
  return row.resets_client || to.shown == mark.position ? mark.position + 1 : to.shown;
}

bool owes_beginning(const Subscription& to) {
  for (std::size_t i = 0; i < to.owed.size(); i++)
    if (row_of(to.owed[i].kind).resets_client) return true;
  return false;
}

}  // namespace

Delivery::Delivery(const Journal& journal, EventSource& source, Resync resync)
    : journal_(journal), source_(source), resync_(std::move(resync)), noted_(journal.head()) {}

void Delivery::advance(Subscription& to, TimePoint now) {
  while (step(to, now)) {
  }
}

bool Delivery::step(Subscription& to, TimePoint now) {
  if (fire_barrier(to)) return true;
  if (to.event_in_flight) return false;
  if (!to.owed.empty()) return tell_owed(to, now);
  if (!to.injected.empty()) return send_injected(to, now);
  if (is_overrun(to)) return resync(to);
  if (to.cursor == journal_.head()) return send_aside(to, now);
  const auto slice = journal_.read(to.cursor, 1);
  if (slice.mark) return pass_mark(to, *slice.mark, now);
  return send_output(to, now);
}

/// Cursors only pass a barrier without stopping at it when they jump. Its reply is a snapshot of the journal's head
/// then: output up to there is not sent again, and marks that reset the client are sent before it.
bool Delivery::fire_barrier(Subscription& to) {
  if (to.barriers.empty() || to.barriers.front().at > to.cursor) return false;
  if (!to.owed.empty() || !to.injected.empty()) return false;
  const bool is_jumped = to.barriers.front().at != to.cursor;
  if (is_jumped && to.barriers.front().shows && to.cursor < journal_.head()) {
    jump(to, journal_.head());
    if (owes_beginning(to)) return false;
  }
  auto barrier = std::move(to.barriers.front());
  to.barriers.pop_front();
  to.reset_credit();  // the peer does the same when it has written the reply
  if (barrier.shows) {
    to.shown = to.cursor;
    to.awaits_present = false;
  }
  barrier.answer(is_jumped ? Reached::by_jump : Reached::in_order);
  return true;
}

bool Delivery::is_overrun(const Subscription& to) const {
  if (to.cursor < journal_.tail()) return true;
  const auto waiting = static_cast<std::size_t>(journal_.head() - to.cursor);
  const auto since_it_came = waiting - to.missed;
  return to.policy == DeliveryPolicy::latest && since_it_came > 0 && to.credit.is_overrun_by(since_it_came) &&
         to.credit.room_for(waiting) > 0;
}

bool Delivery::resync(Subscription& to) {
  // A snapshot that waits for this cursor takes the place of a repaint.
  const bool is_shown = to.stream_output && to.barriers.empty();
  // Not before it can be sent: it would be out of date.
  if (is_shown && to.credit.room_for(flow::kMaxFrame) == 0) return false;
  auto shown = is_shown ? resync_(to.cursor, to.scrollback, to.credit.worth_of_skipped()) : Repaint{};
  if (!shown) return false;
  jump(to, is_shown ? end_of_output() : journal_.head());
  resyncs_++;
  if (is_shown) to.injected = {std::move(shown->text), 0, {}, shown->missing_lines};
  return true;
}

/// The journal's head, or the exit among the marks there: it follows the repaint.
Position Delivery::end_of_output() const {
  auto end = journal_.head();
  for (auto at = end; at > journal_.tail(); --at) {
    const auto mark = journal_.read(at - 1, 1).mark;
    if (!mark) break;
    if (row_of(mark->kind).ends_output) end = at - 1;
  }
  return end;
}

bool Delivery::send_aside(Subscription& to, TimePoint now) {
  if (!to.aside) return false;
  auto aside = *std::exchange(to.aside, std::nullopt);
  if (auto* text = std::get_if<std::string>(&aside)) {
    to.injected = {std::move(*text), 0, {}, {}};
  } else {
    send(to, source_.event(to.shown, std::get<Clipboard>(std::move(aside))), now);
  }
  return true;
}

/// Copies what is owed: the journal forgets marks together with the text around them.
void Delivery::jump(Subscription& to, Position position) const {
  const auto held = std::max(to.cursor, journal_.tail());
  for (std::size_t i = 0; i < recent_.size(); i++)
    if (const auto mark = recent_[i]; mark.position >= to.cursor && mark.position < held) to.owed.keep(mark);
  for (auto at = held; at < position;) {
    const auto slice = journal_.read(at, static_cast<std::size_t>(position - at));
    if (slice.mark) to.owed.keep(*slice.mark);
    at = slice.end();
  }
  to.move(position, journal_.head());
}

void Delivery::note_marks(Position hindmost) {
  const auto head = journal_.head();
  if (noted_ == head) return;
  for (auto at = std::max(journal_.tail(), noted_); at < head;) {
    const auto slice = journal_.read(at, static_cast<std::size_t>(head - at));
    if (slice.mark) recent_.keep(*slice.mark);
    at = slice.end();
  }
  recent_.forget_before(hindmost);
  noted_ = head;
}

void Delivery::look_back(Position position) {
  if (position >= noted_) return;
  recent_.forget_from(position);
  noted_ = position;
}

bool Delivery::tell_owed(Subscription& to, TimePoint now) {
  const auto mark = to.owed[0];
  if (row_of(mark.kind).resets_client) to.shown = shown_behind(to, mark);
  auto encoded = source_.mark_of_the_past(mark, to.shown);
  to.owed.drop_oldest();
  // The output between has been taken back, or a reply shows it.
  if (to.owed.empty() && to.injected.empty() && to.stream_output) to.shown = to.cursor;
  if (encoded) send(to, std::move(encoded), now);
  return true;
}

bool Delivery::pass_mark(Subscription& to, const Mark& mark, TimePoint now) {
  to.move(mark.position + 1, journal_.head());
  to.shown = shown_behind(to, mark);
  if (row_of(mark.kind).payload_is_output && to.stream_output)
    to.injected = {std::string(mark.payload), 0, mark.position, {}};
  auto encoded = to.shown == to.cursor ? source_.mark(mark) : source_.mark_of_the_past(mark, to.shown);
  if (encoded) send(to, std::move(encoded), now);
  return true;
}

/// A piece may end inside a sequence: the next one goes on with it, and anything sent instead begins with CAN. A text
/// that has begun is sent to its end also when the cursor is overrun meanwhile: else a slow link would see beginnings
/// only.
bool Delivery::send_injected(Subscription& to, TimePoint now) {
  auto& injected = to.injected;
  if (injected.skipped_lines) return tell_skipped(to, now);
  const auto most = allowance(to, injected.rest().size());
  if (most == 0) return false;
  const auto piece = whole_characters(injected.rest().substr(0, most));
  injected.sent += piece.size();
  const auto again_from = injected.empty() ? to.cursor : injected.again_from;
  auto encoded = again_from ? source_.text(*again_from, piece) : source_.piece(piece);
  to.on_sent(injected.again_from.value_or(to.cursor), encoded->text.byte_length, now);
  if (injected.empty()) {
    injected = {};
    to.shown = to.cursor;
  }
  send(to, std::move(encoded), now);
  return true;
}

/// Goes before the repaint: a client that disconnects behind this is resynced and told once more.
bool Delivery::tell_skipped(Subscription& to, TimePoint now) {
  const Resynced told{*std::exchange(to.injected.skipped_lines, std::nullopt)};
  send(to, source_.event(to.shown, told), now);
  return true;
}

bool Delivery::send_output(Subscription& to, TimePoint now) {
  const auto end = to.barriers.empty() ? journal_.head() : to.barriers.front().at;
  const auto most = allowance(to, static_cast<std::size_t>(end - to.cursor));
  if (most == 0) return false;
  const auto bytes = whole_characters(journal_.read(to.cursor, most).bytes);
  auto encoded = to.stream_output ? source_.output(to.cursor, bytes) : nullptr;
  if (encoded) to.on_sent(to.cursor, encoded->text.byte_length, now);
  to.move(to.cursor + bytes.size(), journal_.head());
  if (to.stream_output) to.shown = to.cursor;
  if (encoded) send(to, std::move(encoded), now);
  return true;
}

}  // namespace ptyd
