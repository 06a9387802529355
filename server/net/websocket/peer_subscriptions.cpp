#include "server/net/websocket/peer_subscriptions.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ptyd {

namespace {

/// A quiet link with unacked bytes gets a ping after this time.
constexpr std::chrono::milliseconds kAskWhenQuiet{5};

}  // namespace

PeerSubscriptions::PeerSubscriptions(Loop& loop, Ping ping)
    : loop_(loop), ping_(std::move(ping)), quiet_timer_(loop.make_timer()) {}

void PeerSubscriptions::add(const SubscriptionHandle& handle) {
  subscribed_[handle.id()] = {handle};
  by_key_[handle.key()] = handle.id();
}

void PeerSubscriptions::forget(SubscriptionId id) {
  const auto found = subscribed_.find(id);
  if (found == subscribed_.end()) return;
  by_key_.erase(found->second.handle.key());
  subscribed_.erase(found);
}

void PeerSubscriptions::leave(const SessionKey& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  const auto handle = subscribed_.at(found->second).handle;
  ack_tracker_.drop(handle.id());
  forget(handle.id());
  handle.leave();
}

void PeerSubscriptions::cancel() {
  quiet_timer_->cancel();
  by_key_.clear();
  for (const auto& [id, subscribed] : std::exchange(subscribed_, {})) subscribed.handle.cancel();
}

void PeerSubscriptions::acked(const AckOutput& ack) {
  const auto found = by_key_.find(ack.key);
  if (found == by_key_.end()) return;
  auto& subscribed = subscribed_[found->second];
  if (!std::exchange(subscribed.acks_output, true)) ack_tracker_.drop_output(found->second);
  const auto bytes = std::min(static_cast<std::size_t>(ack.bytes), subscribed.unacked);
  return_credit(subscribed, bytes);
}

void PeerSubscriptions::written(std::span<const Outbox::Outgoing::Part> parts, AckKind ack_kind) {
  bool is_first = true;
  for (const auto& [id, bytes] : parts) {
    const auto found = subscribed_.find(id);
    const auto to_ack = found != subscribed_.end() && found->second.acks_output ? 0 : bytes;
    if (std::exchange(is_first, false)) {
      ack_tracker_.sent(id, to_ack, ack_kind);
    } else {
      ack_tracker_.sent_along(id, to_ack, ack_kind);
    }
    if (found == subscribed_.end()) continue;
    found->second.unacked += bytes;
    found->second.handle.taken();
  }
  ask_for_acks();
}

void PeerSubscriptions::pong(std::uint64_t number) {
  ack_tracker_.pong(number);
  ask_for_acks();
}

void PeerSubscriptions::ask_for_acks() {
  ack_tracker_.settle();
  if (ack_tracker_.wants_ping(false)) return ping_(ack_tracker_.ping());
  if (ack_tracker_.wants_ping(true) && !std::exchange(waits_for_quiet_, true)) ask_when_quiet();
}

void PeerSubscriptions::ask_when_quiet() {
  quiet_timer_->wait_until(loop_.clock().now() + kAskWhenQuiet, [this] {
    waits_for_quiet_ = false;
    if (ack_tracker_.wants_ping(true)) ping_(ack_tracker_.ping());
  });
}

void PeerSubscriptions::passed_over(SubscriptionId id, std::size_t bytes) {
  const auto found = subscribed_.find(id);
  if (found != subscribed_.end()) found->second.handle.passed_over(bytes);
}

void PeerSubscriptions::await_reply(const SessionKey& key) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) subscribed_.at(found->second).replies++;
}

void PeerSubscriptions::reset_credit(const SessionKey& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  auto& subscribed = subscribed_[found->second];
  subscribed.acks_output = false;
  subscribed.unacked = 0;
  subscribed.replies -= std::min<std::size_t>(subscribed.replies, 1);
  ack_tracker_.drop(found->second);
  ack_tracker_.sent_reply(found->second);
  ask_for_acks();
}

void PeerSubscriptions::give_credit(SubscriptionId id, std::size_t bytes) {
  const auto found = subscribed_.find(id);
  if (found == subscribed_.end()) return;
  auto& subscribed = found->second;
  if (bytes > 0) return return_credit(subscribed, bytes);
  if (subscribed.replies == 0) subscribed.handle.reply_arrived();
}

void PeerSubscriptions::return_credit(Subscribed& subscribed, std::size_t bytes) {
  subscribed.unacked -= std::min(subscribed.unacked, bytes);
  if (subscribed.replies == 0) subscribed.handle.returned(bytes);
}

}  // namespace ptyd
