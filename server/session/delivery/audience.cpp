#include "server/session/delivery/audience.hpp"

#include <algorithm>

#include "pty/screen/report/queries.hpp"
#include "server/session/delivery/base64.hpp"

namespace ptyd {

namespace {

using Reached = Subscription::Barrier::Reached;

/// Not worth waiting for: the link takes nothing, or the client acks nothing.
bool is_stalled(const Subscription& to, TimePoint now) {
  const auto long_since = [now](std::optional<TimePoint> since) { return since && now - *since >= flow::kStalled; };
  return long_since(to.credit.starved_since()) || long_since(to.event_in_flight);
}

}  // namespace

Audience::Audience(Loop& loop, Journal& journal, EventSource& source, Delivery::Resync resync,
                   std::chrono::milliseconds linger)
    : journal_(journal), delivery_(journal, source, std::move(resync)), holds_(loop, linger, [this] { note_held(); }) {}

/// Acks and sent output are known of none of them: anything from the place held may be missing.
void Audience::await_left_behind(TimePoint now) {
  const auto held = journal_.held();
  for (std::size_t i = 0; i < held.readers; ++i)
    holds_.add({i < held.names.size() ? held.names[i] : 0, held.from, journal_.head(), now});
}

/// Visits the start and the name of the hold of each lossless viewer, here or gone.
template <class Visit>
void Audience::each_held(Visit&& visit) const {
  for (const auto& each : subscriptions_)
    if (each->holds()) visit(std::max(each->held_from(), journal_.tail()), each->hold);
  for (const auto& each : holds_.all()) visit(std::max(each.from, journal_.tail()), each.name);
}

void Audience::note_held() {
  Journal::Held held{journal_.head(), 0};
  each_held([&held](Position from, HoldName name) {
    held.from = std::min(held.from, from);
    held.readers = std::min(held.readers + 1, Journal::kMaxHeld);
    if (name != 0 && held.names.size() < Journal::kMaxNamed) held.names.push_back(name);
  });
  journal_.hold(held.readers > 0 ? held : Journal::Held{});
}

Subscription& Audience::add(SubscriptionId id, std::shared_ptr<Viewer> viewer) {
  auto made = std::make_unique<Subscription>();
  made->id = id;
  made->viewer = std::move(viewer);
  made->cursor = made->shown = journal_.head();
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

std::size_t Audience::viewers(Access access) const {
  return static_cast<std::size_t>(
      std::count_if(subscriptions_.begin(), subscriptions_.end(),
                    [access](const auto& each) { return each->viewer->access() == access; }));
}

bool Audience::has(const Viewer& viewer) const {
  return std::any_of(subscriptions_.begin(), subscriptions_.end(),
                     [&viewer](const auto& each) { return each->viewer.get() == &viewer; });
}

void Audience::remove(SubscriptionId id, TimePoint now) {
  auto* found = find(id);
  if (!found) return;
  if (writer_ == id) writer_ = 0;
  give_up_barriers(*found);
  if (found->holds()) holds_.add({found->hold, found->held_from(), found->cursor, now});
  std::erase_if(subscriptions_, [id](const auto& each) { return each->id == id; });
}

/// A connection that is lost may be here still when its client is back on another one.
std::optional<Hold> Audience::take_hold(const Subscription& by, HoldName name, std::optional<Position> at) {
  for (const auto& each : subscriptions_) {
    if (name == 0 || each.get() == &by || each->hold != name) continue;
    const Hold taken{name, each->held_from(), each->cursor, {}};
    each->hold = 0;
    each->policy = DeliveryPolicy::latest;
    return taken;
  }
  if (name != 0) return holds_.take(name);
  return at && by.holds() && !by.is_opened ? holds_.take_nameless(*at) : std::nullopt;
}

void Audience::take_up(Subscription& subscription, HoldName name, std::optional<Position> at) {
  const auto taken = take_hold(subscription, name, at);
  subscription.hold = subscription.holds() ? name : 0;
  // It gets a snapshot instead: the hold stays until the client acks that.
  if (taken && !at) subscription.kept = std::min(subscription.kept.value_or(taken->from), taken->from);
}

std::optional<Position> Audience::still_here(std::string_view after) const {
  return within(journal_.tail(), after);
}

std::optional<Position> Audience::within(Position begin, std::string_view after) const {
  const auto cursor = parse_cursor(after);
  if (!cursor || cursor->incarnation != journal_.incarnation()) return std::nullopt;
  if (cursor->position < begin || cursor->position > journal_.head()) return std::nullopt;
  return cursor->position;
}

/// Output behind the client's cursor may have been sent on this connection already, and the journal need not have it
/// any more. A client that switches output on again goes back, but not behind what was sent before it had
/// switched it off.
Audience::GoesOn Audience::open(Subscription& subscription, const Open& asked) {
  const bool was_sent = subscription.stream_output;
  subscription.suit(asked);
  const bool knows = subscription.is_opened;
  const bool stays = knows && (was_sent || !subscription.stream_output);
  const auto at = within(stays ? 0 : journal_.tail(), asked.after);
  take_up(subscription, hold_name(asked.hold), at);
  subscription.is_opened = true;
  if (at && stays) return GoesOn::in_place;
  if (at) {
    go_on(subscription, knows ? std::max(*at, subscription.shown) : *at);
    return GoesOn::there;
  }
  if (!was_sent && subscription.stream_output) delivery_.jump(subscription, journal_.head());
  subscription.awaits_present = true;
  return GoesOn::anew;
}

void Audience::go_on(Subscription& subscription, Position at) {
  subscription.cursor = subscription.shown = at;
  subscription.missed = static_cast<std::size_t>(journal_.head() - at);
  delivery_.look_back(at);
  subscription.owed.forget_all();
  subscription.drop_injected();
  subscription.reset_credit();
  subscription.kept.reset();
}

void Audience::answer_in_place(Subscription& subscription, Answer answer) {
  subscription.barriers.push_back({journal_.head(), std::move(answer)});
}

void Audience::answer_behind_sent(Subscription& subscription, Answer answer) {
  subscription.barriers.push_back({subscription.cursor, std::move(answer), false});
}

bool Audience::on_taken(SubscriptionId id) {
  auto* subscription = find(id);
  if (subscription) subscription->on_taken();
  return subscription != nullptr;
}

bool Audience::on_passed_over(SubscriptionId id, std::size_t bytes) {
  auto* subscription = find(id);
  if (subscription) subscription->on_passed_over(bytes);
  return subscription != nullptr;
}

bool Audience::on_returned(SubscriptionId id, std::size_t bytes, TimePoint now) {
  auto* subscription = find(id);
  if (subscription) subscription->on_returned(bytes, now);
  return subscription != nullptr;
}

bool Audience::on_reply_arrived(SubscriptionId id) {
  auto* subscription = find(id);
  if (subscription) subscription->on_reply_arrived();
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
  const auto* only = was_written_to_ ? nullptr : only_noticed();
  return only ? only->traits : traits_;
}

/// Null where there is none, or several.
const Subscription* Audience::only_noticed() const {
  const Subscription* only = nullptr;
  for (const auto& each : subscriptions_) {
    if (!each->is_noticed()) continue;
    if (only) return nullptr;
    only = each.get();
  }
  return only;
}

void Audience::give_to_clipboard(const std::string& selections, const std::string& base64) {
  if (auto* taker = clipboard_taker()) {
    taker->aside = Clipboard{selections, decoded_base64(base64)};
    return;
  }
  auto* writer = find(writer_);
  if (writer && writer->stream_output) writer->aside = clipboard_sequence(selections, base64);
}

void Audience::clear() {
  for (const auto& each : std::exchange(subscriptions_, {})) end(*each);
  holds_.clear();
  note_held();
}

void Audience::end(Subscription& ended) {
  give_up_barriers(ended);
  ended.viewer->loop().dispatch([viewer = ended.viewer, id = ended.id] { viewer->on_unsubscribed(id); });
}

void Audience::give_up_barriers(Subscription& ended) {
  for (const auto& barrier : std::exchange(ended.barriers, {})) barrier.answer(Reached::never);
}

void Audience::pump(TimePoint now) {
  delivery_.note_marks(hindmost());
  for (std::size_t next = 0; next < subscriptions_.size(); ++next) delivery_.advance(*subscriptions_[next], now);
  note_held();
}

Position Audience::hindmost() const {
  auto hindmost = journal_.head();
  for (const auto& each : subscriptions_) hindmost = std::min(hindmost, each->cursor);
  return hindmost;
}

Subscription* Audience::clipboard_taker() {
  Subscription* taker = nullptr;
  for (auto& each : subscriptions_) {
    if (!each->takes_clipboard) continue;
    taker = each.get();
    if (each->id == writer_) break;
  }
  return taker;
}

void Audience::skip_to(Position position) {
  for (auto& each : subscriptions_) {
    delivery_.jump(*each, std::max(each->cursor, position));
    each->drop_injected();
    if (each->owed.empty() && each->injected.empty()) each->shown = each->cursor;
  }
}

std::optional<Pacer::Leader> Audience::fastest(TimePoint now) const {
  std::optional<Pacer::Leader> foremost;
  for (const auto& each : subscriptions_) {
    if (!each->is_noticed() || !each->stream_output || each->policy != DeliveryPolicy::latest) continue;
    if (each->passes_output_over || is_stalled(*each, now)) continue;
    if (!foremost || foremost->cursor < each->cursor) foremost = {each->cursor, each->credit.is_known()};
  }
  return foremost;
}

bool Audience::would_overrun_lossless(std::size_t bytes, TimePoint now) {
  if (holds_.end_due(now)) note_held();
  bool would = false;
  each_held([&](Position from, HoldName) { would = would || !journal_.has_room_behind(from, bytes); });
  return would;
}

}  // namespace ptyd
