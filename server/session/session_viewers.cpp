// Who hears a session: subscribing, resuming, and answers that take their place in the output.
#include "server/session/session.hpp"

namespace ptyd {

Subscription& Session::subscribe(const std::shared_ptr<Viewer>& viewer) {
  if (auto* already = distributor_.find(*viewer)) return *already;
  auto& made = distributor_.add(work_.neighbours().next_subscription(), viewer, recorder_.journal().head());
  viewer->loop().dispatch(
      [viewer, feed = Feed(made.id, key(), work_.loop(), weak_from_this())] { viewer->on_subscribed(feed); });
  return made;
}

Subscription& Session::subscribe(const std::shared_ptr<Viewer>& viewer, const Open& asked) {
  auto& subscription = subscribe(viewer);
  subscription.policy = asked.policy;
  subscription.traits = asked.traits;
  const auto asks = std::find(asked.features.begin(), asked.features.end(), Feature::clipboard) != asked.features.end();
  subscription.takes_clipboard = subscription.takes_clipboard || asks;
  if (asked.stream_output) subscription.stream_output = *asked.stream_output;
  return subscription;
}

bool Session::resume(Subscription& subscription, const std::string& after) {
  const auto& journal = recorder_.journal();
  const auto cursor = parse_cursor(after);
  if (!cursor || cursor->incarnation != journal.incarnation()) return false;
  if (cursor->position < journal.tail() || cursor->position > journal.head()) return false;
  distributor_.forget_lingering(cursor->position);
  subscription.cursor = cursor->position;
  subscription.pending_text.clear();
  return true;
}

void Session::reply_resumed(const Subscription& subscription, const Caller& caller) const {
  auto resumed = facts();
  resumed.cursor.position = subscription.cursor;
  resumed.resumed = true;
  caller.reply(Reply(std::move(resumed)));
}

void Session::reply_in_place(Caller caller, HistoryWish wish) {
  if (!caller.viewer()) return caller.reply(Reply(snapshot(wish)));
  auto* const subscription = distributor_.find(*caller.viewer());
  if (!subscription) return caller.reply(unknown_terminal(key()));  // the viewer has gone meanwhile
  const auto taken = std::make_shared<Snapshot>(snapshot(wish));
  using Reached = Subscription::Barrier::Reached;
  auto answer = [this, caller = std::move(caller), wish, taken](Reached how) {
    if (how == Reached::never) return caller.reply(unknown_terminal(key()));
    caller.reply(Reply(how == Reached::in_order ? std::move(*taken) : snapshot(wish)));
  };
  subscription->barriers.push_back({recorder_.journal().head(), std::move(answer)});
}

void Session::watch(const std::shared_ptr<Viewer>& viewer) {
  if (!closed_) safely([&] { subscribe(viewer); });
}

void Session::cancel(SubscriptionId id) {
  const auto* leaving = distributor_.find(id);
  if (leaving && leaving->viewer.get() == writer_) writer_ = nullptr;
  distributor_.remove(id, Clock::now());
  if (held_) turn();
}

void Session::taken(SubscriptionId id) {
  auto* subscription = distributor_.find(id);
  if (!subscription) return;
  subscription->event_in_flight.reset();
  pump();
  if (held_) turn();
}

void Session::returned(SubscriptionId id, std::size_t bytes) {
  auto* subscription = distributor_.find(id);
  if (!subscription) return;
  subscription->credit.on_returned(bytes, Clock::now());
  pump();
  if (held_) turn();
}

void Feed::taken() const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_] {
    if (const auto alive = session.lock()) alive->safely([&] { alive->taken(id); });
  });
}

void Feed::returned(std::size_t bytes) const {
  if (!loop_) return;
  loop_->dispatch([session = session_, id = id_, bytes] {
    if (const auto alive = session.lock()) alive->safely([&] { alive->returned(id, bytes); });
  });
}

void Feed::cancel() const {
  if (!loop_) return;
  loop_->post([session = session_, id = id_] {
    if (const auto alive = session.lock()) alive->safely([&] { alive->cancel(id); });
  });
}

}  // namespace ptyd
