#include "server/net/websocket/ack_tracker.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace ptyd {

void AckTracker::sent(SubscriptionId subscription, std::size_t bytes, AckKind ack_kind) {
  events_++;
  if (ack_kind == AckKind::confirmation) confirmable_++;
  sent_along(subscription, bytes, ack_kind);
}

void AckTracker::sent_along(SubscriptionId subscription, std::size_t bytes, AckKind ack_kind) {
  if (bytes == 0) return;
  const bool confirms = ack_kind == AckKind::confirmation;
  auto& entries = confirms ? by_confirmation_ : by_pong_;
  entries.push_back({subscription, bytes, confirms ? confirmable_ : 0, events_});
  if (!confirms) unasked_ += bytes;
}

void AckTracker::sent_reply(SubscriptionId subscription) {
  by_pong_.push_back({subscription, 0, 0, ++events_});
  is_reply_unasked_ = true;
}

void AckTracker::begun(std::size_t text) {
  if (++begun_ <= confirmed_) return;
  // Beyond the window, frames are counted together: a client that never confirms costs no more for being sent more.
  const bool together = is_full() && !unconfirmed_.empty();
  unconfirmed_bytes_ += text;
  if (!together) return unconfirmed_.push_back({begun_, text});
  unconfirmed_.back().number = begun_;
  unconfirmed_.back().text += text;
}

void AckTracker::confirmed(std::size_t frames) {
  confirmed_ += frames;
  while (!unconfirmed_.empty() && unconfirmed_.front().number <= confirmed_) {
    unconfirmed_bytes_ -= unconfirmed_.front().text;
    unconfirmed_.pop_front();
  }
  settle();
}

void AckTracker::drop(SubscriptionId subscription) {
  for (auto* entries : {&by_pong_, &by_confirmation_})
    std::erase_if(*entries, [subscription](const Entry& entry) { return entry.subscription == subscription; });
}

void AckTracker::drop_output(SubscriptionId subscription) {
  for (auto* entries : {&by_pong_, &by_confirmation_})
    std::erase_if(*entries,
                  [subscription](const Entry& entry) { return entry.subscription == subscription && entry.bytes > 0; });
}

bool AckTracker::wants_ping(bool idle) const {
  const bool is_due = unasked_ >= (idle ? kMinAck : ack_after_) || (idle && is_reply_unasked_);
  return pings_out_.size() < kMaxPings && is_due;
}

std::uint64_t AckTracker::ping() {
  is_reply_unasked_ = false;
  pings_out_.push_back({++pings_, events_, std::exchange(unasked_, 0)});
  return pings_;
}

void AckTracker::pong(std::uint64_t number) {
  const auto answered =
      std::find_if(pings_out_.begin(), pings_out_.end(), [number](const Ping& ping) { return ping.number == number; });
  if (answered == pings_out_.end()) return;
  ponged_ = answered->covers;
  pings_out_.erase(pings_out_.begin(), std::next(answered));
  // Follow the link: about two acks in flight per round trip's worth of bytes.
  auto since = unasked_;
  for (const auto& ping : pings_out_) since += ping.asked;
  ack_after_ = std::clamp(since / 2, kMinAck, kMaxAck);
  settle();
}

bool AckTracker::is_acked(const Entry& entry) const {
  return entry.confirmable != 0 ? entry.confirmable <= confirmed_ : entry.event <= ponged_;
}

void AckTracker::settle() {
  settle(by_pong_);
  settle(by_confirmation_);
}

void AckTracker::settle(Entries& entries) {
  while (!entries.empty() && is_acked(entries.front())) {
    const auto entry = entries.front();
    entries.pop_front();
    credit_(entry.subscription, entry.bytes);
  }
}

}  // namespace ptyd
