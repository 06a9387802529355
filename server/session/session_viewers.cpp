// Viewers of a session: subscribing, resuming, and answers that take their place in the output.
#include "server/session/context/refusals.hpp"
#include "server/session/session.hpp"

namespace ptyd {

Result<void> room_for(const Audience& audience, const Viewer* viewer) {
  if (viewer == nullptr || audience.has(*viewer)) return {};
  const auto access = viewer->access();
  const auto there = audience.viewers(access), most = places(access, Session::kMaxViewers);
  if (there < most) return {};
  const std::string connections = access == Access::full ? " connections" : " connections that may only view";
  return Error(Errc::limit, "Too many viewers: " + std::to_string(there) + connections +
                                " hear this terminal, the limit is " + std::to_string(most));
}

Subscription& Session::subscribe(const std::shared_ptr<Viewer>& viewer) {
  if (auto* already = audience_.find(*viewer)) return *already;
  auto& made = audience_.add(context_.delegate().next_subscription(), viewer);
  viewer->loop().dispatch([viewer, handle = SubscriptionHandle(made.id, key(), context_.loop(), weak_from_this())] {
    viewer->on_subscribed(handle);
  });
  return made;
}

void Session::attach(Caller caller, const Open& asked) {
  const Size size = launch_config_.size_for(asked);
  const bool resizes = !asked.attach && child_.is_running() && size != launch_config_.size;
  if (const auto room = resizes ? cells_.change(size) : Result<void>(); !room) return caller.reply(room.error());
  if (resizes) typing_.change_size(size);
  if (waits_for_lines(caller, asked)) return;
  if (caller.viewer()) subscribe(caller.viewer());
  if (!goes_on(caller, asked))
    reply_in_place(std::move(caller), {asked.history_format, asked.scrollback, asked.from_line});
  audience_.pump(clock_.now());
}

bool Session::waits_for_lines(const Caller& caller, const Command& command) {
  const auto lines = lines_shown(command);
  if (lines == 0 || recorder_.cells_to_lay_out(lines) <= Recorder::kLaidOutAtOnce) return false;
  parking_->wait_for_lines({caller, Request(command), [] {}, true});
  return true;
}

bool Session::goes_on(const Caller& caller, const Open& asked) {
  auto* const subscription = caller.viewer() ? audience_.find(*caller.viewer()) : nullptr;
  const auto how = subscription ? audience_.open(*subscription, asked) : Audience::GoesOn::anew;
  if (how == Audience::GoesOn::there) caller.reply(Reply(session_info().resumed(subscription->cursor)));
  if (how == Audience::GoesOn::in_place)
    Audience::answer_behind_sent(*subscription, [this, caller](Subscription::Barrier::Reached reached) {
      if (reached == Subscription::Barrier::Reached::never) return caller.reply(unknown_terminal(key()));
      caller.reply(Reply(session_info().resumed(audience_.find(*caller.viewer())->shown)));
    });
  return how != Audience::GoesOn::anew;
}

void Session::reply_in_place(Caller caller, HistoryWish wish) {
  if (child_.is_ending()) return caller.reply(server_is_ending());
  if (!caller.viewer()) return caller.reply(Reply(session_info().snapshot(wish)));
  auto* const subscription = audience_.find(*caller.viewer());
  if (!subscription) return caller.reply(unknown_terminal(key()));  // the viewer has gone meanwhile
  const auto taken = std::make_shared<Snapshot>(session_info().snapshot(wish));
  using Reached = Subscription::Barrier::Reached;
  auto answer = [this, caller = std::move(caller), wish, taken](Reached how) {
    if (how == Reached::never) return caller.reply(unknown_terminal(key()));
    caller.reply(Reply(how == Reached::in_order ? std::move(*taken) : session_info().snapshot(wish)));
  };
  audience_.answer_in_place(*subscription, std::move(answer));
}

void Session::watch(const std::shared_ptr<Viewer>& viewer) {
  if (child_.state() == ChildState::closed || !room_for(audience_, viewer.get())) return;
  safely([&] { subscribe(viewer); });
}

void Session::heard(const std::function<bool(Audience&, TimePoint now)>& note) {
  safely([&] {
    if (!note(audience_, clock_.now())) return;
    audience_.pump(clock_.now());
    if (backpressure_.holds()) turn();
  });
}

void Session::on_taken(SubscriptionId id) {
  heard([=](Audience& all, TimePoint) { return all.on_taken(id); });
}

void Session::on_passed_over(SubscriptionId id, std::size_t bytes) {
  heard([=](Audience& all, TimePoint) { return all.on_passed_over(id, bytes); });
}

void Session::on_returned(SubscriptionId id, std::size_t bytes) {
  heard([=](Audience& all, TimePoint now) { return all.on_returned(id, bytes, now); });
}

void Session::on_reply_arrived(SubscriptionId id) {
  heard([=](Audience& all, TimePoint) { return all.on_reply_arrived(id); });
}

void Session::on_cancelled(SubscriptionId id) {
  safely([&] {
    audience_.remove(id, clock_.now());
    if (backpressure_.holds()) turn();
  });
}

}  // namespace ptyd
