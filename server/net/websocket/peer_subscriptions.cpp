#include "server/net/websocket/peer_subscriptions.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace ptyd {

namespace {

/// A quiet line with unproven bytes is asked for a proof after this long.
constexpr std::chrono::milliseconds kProveWhenQuiet{5};

}  // namespace

PeerSubscriptions::PeerSubscriptions(Loop& loop, Ping ping)
    : loop_(loop), ping_(std::move(ping)), quiet_timer_(loop.make_timer()) {}

void PeerSubscriptions::add(const SubscriptionHandle& handle) {
  heard_[handle.id()] = {handle};
  by_key_[handle.key()] = handle.id();
}

void PeerSubscriptions::forget(SubscriptionId id) {
  const auto found = heard_.find(id);
  if (found == heard_.end()) return;
  by_key_.erase(found->second.handle.key());
  heard_.erase(found);
}

void PeerSubscriptions::leave(const SessionKey& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  const auto handle = heard_.at(found->second).handle;
  ack_tracker_.drop(handle.id());
  forget(handle.id());
  handle.leave();
}

void PeerSubscriptions::cancel() {
  quiet_timer_->cancel();
  by_key_.clear();
  for (const auto& [id, heard] : std::exchange(heard_, {})) heard.handle.cancel();
}

void PeerSubscriptions::acked(const AckOutput& ack) {
  const auto found = by_key_.find(ack.key);
  if (found == by_key_.end()) return;
  auto& heard = heard_[found->second];
  if (!std::exchange(heard.acks_output, true)) ack_tracker_.drop_output(found->second);
  const auto bytes = std::min(static_cast<std::size_t>(ack.bytes), heard.unacked);
  return_credit(heard, bytes);
}

void PeerSubscriptions::written(std::span<const Outbox::Outgoing::Part> parts, AckKind ack_kind) {
  bool is_first = true;
  for (const auto& [id, bytes] : parts) {
    const auto found = heard_.find(id);
    const auto to_prove = found != heard_.end() && found->second.acks_output ? 0 : bytes;
    if (std::exchange(is_first, false)) {
      ack_tracker_.sent(id, to_prove, ack_kind);
    } else {
      ack_tracker_.sent_along(id, to_prove, ack_kind);
    }
    if (found == heard_.end()) continue;
    found->second.unacked += bytes;
    found->second.handle.taken();
  }
  prove();
}

void PeerSubscriptions::pong(std::uint64_t number) {
  ack_tracker_.pong(number);
  prove();
}

void PeerSubscriptions::prove() {
  ack_tracker_.settle();
  if (ack_tracker_.wants_ping(false)) return ping_(ack_tracker_.ping());
  if (ack_tracker_.wants_ping(true) && !std::exchange(waits_for_quiet_, true)) prove_when_quiet();
}

void PeerSubscriptions::prove_when_quiet() {
  quiet_timer_->wait_until(loop_.clock().now() + kProveWhenQuiet, [this] {
    waits_for_quiet_ = false;
    if (ack_tracker_.wants_ping(true)) ping_(ack_tracker_.ping());
  });
}

void PeerSubscriptions::passed_over(SubscriptionId id, std::size_t bytes) {
  const auto found = heard_.find(id);
  if (found != heard_.end()) found->second.handle.passed_over(bytes);
}

void PeerSubscriptions::await_reply(const SessionKey& key) {
  if (const auto found = by_key_.find(key); found != by_key_.end()) heard_.at(found->second).replies++;
}

void PeerSubscriptions::begin_afresh(const SessionKey& key) {
  const auto found = by_key_.find(key);
  if (found == by_key_.end()) return;
  auto& heard = heard_[found->second];
  heard.acks_output = false;
  heard.unacked = 0;
  heard.replies -= std::min<std::size_t>(heard.replies, 1);
  ack_tracker_.drop(found->second);
  ack_tracker_.sent_reply(found->second);
  prove();
}

void PeerSubscriptions::give_credit(SubscriptionId id, std::size_t bytes) {
  const auto found = heard_.find(id);
  if (found == heard_.end()) return;
  auto& heard = found->second;
  if (bytes > 0) return return_credit(heard, bytes);
  if (heard.replies == 0) heard.handle.reply_arrived();
}

void PeerSubscriptions::return_credit(Heard& heard, std::size_t bytes) {
  heard.unacked -= std::min(heard.unacked, bytes);
  if (heard.replies == 0) heard.handle.returned(bytes);
}

}  // namespace ptyd
