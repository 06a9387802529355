#include "server/session/audience.hpp"

#include <algorithm>

#include "pty/screen/told/queries.hpp"
#include "pty/text/utf8.hpp"
#include "server/session/base64.hpp"

namespace ptyd {

namespace {

using Reached = Subscription::Barrier::Reached;

/// A mark is put before an unfinished character at the journal's head, which is not longer.
constexpr Position kUnfinished = 3;

/// Not worth waiting for: the line takes nothing, or the client proves nothing.
bool is_stalled(const Subscription& to, TimePoint now) {
  const auto long_since = [now](std::optional<TimePoint> since) { return since && now - *since >= flow::kStalled; };
  return long_since(to.credit.starved_since()) || long_since(to.event_in_flight);
}

/// A frame cut by its limit must not end inside a character.
std::string_view whole_characters(std::string_view bytes) {
  const auto tail = utf8::unfinished_tail(bytes);
  return tail < bytes.size() ? bytes.substr(0, bytes.size() - tail) : bytes;
}

/// Whoever is told of such a mark needs nothing of what was before it.
bool begins_afresh(MarkKind kind) {
  return kind == MarkKind::started || kind == MarkKind::restarted || kind == MarkKind::cleared;
}

}  // namespace

Audience::Audience(Journal& journal, EventSource& source, Resync resync, std::chrono::milliseconds linger)
    : journal_(journal), source_(source), resync_(std::move(resync)), linger_(linger), noted_(journal.head()) {}

/// What they proved and what they were sent is known of none of them: anything from the place held may be missing.
void Audience::await_left_behind(TimePoint now) {
  const auto held = journal_.held();
  for (std::uint32_t i = 0; i < held.readers; ++i) {
    auto& left = add(0, nullptr);
    left.policy = DeliveryPolicy::lossless;
    left.unproved.on_sent(held.from, static_cast<std::size_t>(journal_.head() - held.from), now);
    left.gone_since = now;
  }
}

/// A viewer that is sent no output loses none.
void Audience::note_held() {
  Journal::Held held{journal_.head(), 0};
  for (const auto& each : subscriptions_) {
    if (each->policy != DeliveryPolicy::lossless || !each->stream_output) continue;
    held.from = std::min(held.from, std::max(each->held_from(), journal_.tail()));
    held.readers = std::min(held.readers + 1, Journal::kMaxHeld);
  }
  journal_.hold(held.readers > 0 ? held : Journal::Held{});
}

Subscription& Audience::add(SubscriptionId id, std::shared_ptr<Viewer> viewer) {
  auto made = std::make_unique<Subscription>();
  made->id = id;
  made->viewer = std::move(viewer);
  made->cursor = journal_.head();
  return *subscriptions_.emplace_back(std::move(made));
}

Subscription* Audience::find(SubscriptionId id) {
  for (auto& each : subscriptions_)
    if (each->id == id) return each.get();
  return nullptr;
}

Subscription* Audience::find(const Viewer& viewer) {
  for (auto& each : subscriptions_)
    if (each->viewer.get() == &viewer) return each.get();
  return nullptr;
}

void Audience::remove(SubscriptionId id, TimePoint now) {
  auto* found = find(id);
  if (!found) return;
  if (writer_ == id) writer_ = 0;
  give_up_barriers(*found);
  if (found->policy == DeliveryPolicy::lossless) {
    found->viewer.reset();
    found->gone_since = now;
    return;
  }
  std::erase_if(subscriptions_, [id](const auto& each) { return each->id == id; });
}

/// Of those that may be the one that came back, the one that holds least: what another holds, which may be yet to come
/// back, stays held.
void Audience::forget_lingering(Position at) {
  auto left = subscriptions_.end();
  for (auto each = subscriptions_.begin(); each != subscriptions_.end(); ++each) {
    const auto& lingering = **each;
    if (lingering.viewer || lingering.cursor < at || lingering.held_from() > at) continue;
    if (left == subscriptions_.end() || (*left)->held_from() < lingering.held_from()) left = each;
  }
  if (left != subscriptions_.end()) subscriptions_.erase(left);
}

std::optional<Position> Audience::still_here(std::string_view after) const {
  const auto cursor = parse_cursor(after);
  if (!cursor || cursor->incarnation != journal_.incarnation()) return std::nullopt;
  if (cursor->position < journal_.tail() || cursor->position > journal_.head()) return std::nullopt;
  return cursor->position;
}

void Audience::go_on(Subscription& subscription, Position at) {
  forget_lingering(at);
  subscription.cursor = at;
  subscription.owed.forget_all();
  subscription.give_up_own();
  subscription.start_afresh();
}

void Audience::answer_in_place(Subscription& subscription, std::function<void(Reached)> answer) {
  subscription.barriers.push_back({journal_.head(), std::move(answer)});
}

bool Audience::on_taken(SubscriptionId id) {
  auto* subscription = find(id);
  if (!subscription) return false;
  subscription->event_in_flight.reset();
  subscription->passes_output_over = false;
  return true;
}

bool Audience::on_passed_over(SubscriptionId id, std::size_t bytes) {
  auto* subscription = find(id);
  if (!subscription) return false;
  subscription->event_in_flight.reset();
  if (bytes == 0) return true;
  subscription->on_passed_over(bytes);
  subscription->passes_output_over = true;
  return true;
}

bool Audience::on_returned(SubscriptionId id, std::size_t bytes, TimePoint now) {
  auto* subscription = find(id);
  if (subscription) subscription->on_returned(bytes, now);
  return subscription != nullptr;
}

void Audience::on_written(const Viewer* by) {
  const auto* subscription = by ? find(*by) : nullptr;
  writer_ = subscription ? subscription->id : 0;
  if (!subscription) return;
  was_written_to_ = true;
  traits_ = subscription->traits;
}

const ViewerTraits& Audience::traits() const {
  const auto is_there = [](const auto& each) { return each->viewer != nullptr; };
  if (was_written_to_ || viewers() != 1) return traits_;
  return (*std::find_if(subscriptions_.begin(), subscriptions_.end(), is_there))->traits;
}

void Audience::give_to_clipboard(const std::string& selections, const std::string& base64) {
  if (auto* taker = clipboard_taker()) {
    taker->aside = source_.event(taker->cursor, Clipboard{selections, decoded_base64(base64)});
    return;
  }
  auto* writer = find(writer_);
  if (writer && writer->stream_output) writer->aside = clipboard_sequence(selections, base64);
}

void Audience::clear() {
  for (const auto& each : std::exchange(subscriptions_, {})) end(*each);
  note_held();
}

void Audience::end(Subscription& ended) {
  give_up_barriers(ended);
  if (!ended.viewer) return;
  ended.viewer->loop().dispatch([viewer = ended.viewer, id = ended.id] { viewer->on_unsubscribed(id); });
}

void Audience::give_up_barriers(Subscription& ended) {
  for (const auto& barrier : std::exchange(ended.barriers, {})) barrier.answer(Reached::never);
}

void Audience::pump(TimePoint now) {
  note_marks();
  for (std::size_t next = 0; next < subscriptions_.size(); ++next) {
    Subscription& each = *subscriptions_[next];
    while (each.viewer && step(each, now)) {
    }
  }
  note_held();
}

Subscription* Audience::clipboard_taker() {
  Subscription* taker = nullptr;
  for (auto& each : subscriptions_) {
    if (!each->viewer || !each->takes_clipboard) continue;
    taker = each.get();
    if (each->id == writer_) break;
  }
  return taker;
}

void Audience::skip_to(Position position) {
  for (auto& each : subscriptions_) {
    jump(*each, std::max(each->cursor, position));
    each->give_up_own();
  }
}

bool Audience::step(Subscription& to, TimePoint now) {
  if (fire_barrier(to)) return true;
  if (to.event_in_flight) return false;
  if (!to.owed.empty()) return tell_owed(to, now);
  if (!to.own.empty()) return send_own(to, now);
  if (is_overrun(to)) return resync(to);
  if (to.cursor == journal_.head()) return send_aside(to, now);
  const auto slice = journal_.read(to.cursor, 1);
  if (slice.mark) return pass_mark(to, *slice.mark, now);
  return send_output(to, now);
}

bool Audience::fire_barrier(Subscription& to) {
  if (to.barriers.empty() || to.barriers.front().at > to.cursor) return false;
  if (!to.owed.empty() || !to.own.empty()) return false;
  // Cursors only pass a barrier without stopping at it when they jump.
  auto barrier = std::move(to.barriers.front());
  to.barriers.pop_front();
  to.start_afresh();  // the peer does the same when it has written the reply
  barrier.answer(barrier.at == to.cursor ? Reached::in_order : Reached::by_jump);
  return true;
}

bool Audience::is_overrun(const Subscription& to) const {
  if (to.cursor < journal_.tail()) return true;
  const auto waiting = static_cast<std::size_t>(journal_.head() - to.cursor);
  return to.policy == DeliveryPolicy::latest && to.credit.is_overrun_by(waiting) && to.credit.room_for(waiting) > 0;
}

bool Audience::resync(Subscription& to) {
  // A snapshot that waits for this cursor shows the present by itself.
  const bool is_shown = to.stream_output && to.barriers.empty();
  // Not before it can be sent: it would be the present no longer.
  if (is_shown && to.credit.room_for(flow::kMaxFrame) == 0) return false;
  auto shown = is_shown ? resync_(to.cursor, to.scrollback, to.credit.worth_of_skipped()) : std::string();
  if (!shown) return false;
  jump(to, journal_.head());
  resyncs_++;
  if (is_shown) to.own = {std::move(*shown), 0, {}};
  return true;
}

/// Forward. What is owed is copied: the journal forgets marks together with the text around them.
void Audience::jump(Subscription& to, Position position) const {
  if (to.owed.empty()) to.owed_from = to.cursor;
  const auto held = std::max(to.cursor, journal_.tail());
  for (std::size_t i = 0; i < recent_.size(); i++)
    if (const auto mark = recent_[i]; mark.position >= to.cursor && mark.position < held) to.owed.keep(mark);
  for (auto at = held; at < position;) {
    const auto slice = journal_.read(at, static_cast<std::size_t>(position - at));
    if (slice.mark) to.owed.keep(*slice.mark);
    at = slice.end();
  }
  to.cursor = position;
}

void Audience::note_marks() {
  const auto head = journal_.head();
  if (noted_ == head) return;
  for (auto at = std::max(journal_.tail(), noted_ - std::min(noted_, kUnfinished)); at < head;) {
    const auto slice = journal_.read(at, static_cast<std::size_t>(head - at));
    if (slice.mark) recent_.keep(*slice.mark);
    at = slice.end();
  }
  auto hindmost = head;
  for (const auto& each : subscriptions_) hindmost = std::min(hindmost, each->cursor);
  recent_.forget_before(hindmost);
  noted_ = head;
}

bool Audience::tell_owed(Subscription& to, TimePoint now) {
  const auto mark = to.owed[0];
  if (begins_afresh(mark.kind)) to.owed_from = mark.position + 1;
  auto publication = source_.mark_of_the_past(mark, to.owed_from);
  to.owed.drop_oldest();
  if (publication) send(to, std::move(publication), now);
  return true;
}

bool Audience::pass_mark(Subscription& to, const Mark& mark, TimePoint now) {
  to.cursor = mark.position + 1;
  // Who cleared his emulator needs the program's modes again. Who is cut before he has them clears it once more.
  const bool is_followed = mark.kind == MarkKind::cleared && to.stream_output && !mark.payload.empty();
  if (is_followed) to.own = {std::string(mark.payload), 0, mark.position};
  auto publication = is_followed ? source_.mark_of_the_past(mark, mark.position) : source_.mark(mark);
  if (publication) send(to, std::move(publication), now);
  return true;
}

/// A piece may end inside a sequence: the next one goes on with it, and what comes instead begins with CAN. What has
/// begun is sent to its end also when the cursor is overrun meanwhile: else a slow line would see beginnings only.
bool Audience::send_own(Subscription& to, TimePoint now) {
  auto& own = to.own;
  const auto most = allowance(to, own.rest().size());
  if (most == 0) return false;
  const auto piece = whole_characters(own.rest().substr(0, most));
  own.sent += piece.size();
  const auto again_from = own.empty() ? to.cursor : own.again_from;
  auto publication = again_from ? source_.text(*again_from, piece) : source_.piece(piece);
  to.on_sent(own.again_from.value_or(to.cursor), publication->text.byte_length, now);
  if (own.empty()) own = {};
  send(to, std::move(publication), now);
  return true;
}

bool Audience::send_aside(Subscription& to, TimePoint now) {
  if (!to.aside) return false;
  auto aside = *std::exchange(to.aside, std::nullopt);
  if (auto* text = std::get_if<std::string>(&aside)) {
    to.own = {std::move(*text), 0, {}};
    return true;
  }
  send(to, std::get<EventSource::Shared>(std::move(aside)), now);
  return true;
}

/// How many of `waiting` bytes may go into the next frame.
std::size_t Audience::allowance(const Subscription& to, std::size_t waiting) {
  // Whoever waits for a reply behind them has asked for them; a proof may be behind that reply.
  if (!to.stream_output || !to.barriers.empty()) return std::min(waiting, flow::kMaxFrame);
  return to.credit.room_for(waiting);
}

bool Audience::send_output(Subscription& to, TimePoint now) {
  const auto end = to.barriers.empty() ? journal_.head() : to.barriers.front().at;
  const auto most = allowance(to, static_cast<std::size_t>(end - to.cursor));
  if (most == 0) return false;
  const auto bytes = whole_characters(journal_.read(to.cursor, most).bytes);
  auto publication = to.stream_output ? source_.output(to.cursor, bytes) : nullptr;
  if (publication) to.on_sent(to.cursor, publication->text.byte_length, now);
  to.cursor += bytes.size();
  if (publication) send(to, std::move(publication), now);
  return true;
}

void Audience::send(Subscription& to, EventSource::Shared publication, TimePoint now) {
  to.event_in_flight = now;
  to.viewer->loop().dispatch([viewer = to.viewer, id = to.id, publication = std::move(publication)]() mutable {
    viewer->on_event(id, std::move(publication));
  });
}

std::optional<Pace::Leader> Audience::fastest(TimePoint now) const {
  std::optional<Pace::Leader> foremost;
  for (const auto& each : subscriptions_) {
    if (!each->viewer || !each->stream_output || each->policy != DeliveryPolicy::latest) continue;
    if (each->passes_output_over || is_stalled(*each, now)) continue;
    if (!foremost || foremost->cursor < each->cursor) foremost = {each->cursor, each->credit.is_known()};
  }
  return foremost;
}

void Audience::end_lingering(TimePoint now) {
  const auto is_over = [this, now](const auto& each) { return !each->viewer && now - each->gone_since >= linger_; };
  if (std::erase_if(subscriptions_, is_over) > 0) note_held();
}

bool Audience::would_overrun_lossless(std::size_t bytes, TimePoint now) {
  end_lingering(now);
  return std::any_of(subscriptions_.begin(), subscriptions_.end(), [&](const auto& each) {
    return each->policy == DeliveryPolicy::lossless && each->stream_output &&
           journal_.head() - std::max(each->held_from(), journal_.tail()) + bytes > journal_.capacity();
  });
}

std::size_t Audience::viewers() const {
  return static_cast<std::size_t>(std::count_if(subscriptions_.begin(), subscriptions_.end(),
                                                [](const auto& each) { return each->viewer != nullptr; }));
}

}  // namespace ptyd
