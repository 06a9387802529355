#include "server/net/websocket/ledger.hpp"

#include <algorithm>

namespace ptyd {

void Ledger::sent(SubscriptionId subscription, std::size_t bytes, Proof proof) {
  const bool may_confirm = proof == Proof::confirmation;
  events_++;
  if (may_confirm) confirmable_++;
  if (bytes == 0) return;
  entries_.push_back({subscription, bytes, may_confirm ? confirmable_ : 0, events_});
  if (!may_confirm || !relies_on_confirmations_) unasked_ += bytes;
}

void Ledger::confirmed(std::size_t events) {
  confirmed_ += events;
  settle();
}

void Ledger::rely_on_confirmations() {
  relies_on_confirmations_ = true;
}

void Ledger::drop(SubscriptionId subscription) {
  std::erase_if(entries_, [subscription](const Entry& entry) { return entry.subscription == subscription; });
}

bool Ledger::wants_ping(bool idle) const {
  return !ping_out_ && unasked_ >= (idle ? kMinProve : prove_after_);
}

std::uint64_t Ledger::ping() {
  ping_out_ = true;
  ping_covers_ = events_;
  asked_ = std::exchange(unasked_, 0);
  return ++pings_;
}

void Ledger::pong(std::uint64_t number) {
  if (!ping_out_ || number != pings_) return;
  ping_out_ = false;
  ponged_ = ping_covers_;
  // Follow the line: about two proofs on their way per round trip's worth of bytes.
  prove_after_ = std::clamp((asked_ + unasked_) / 2, kMinProve, kMaxProve);
  settle();
}

bool Ledger::is_proved(const Entry& entry) const {
  if (entry.confirmable != 0 && relies_on_confirmations_) return entry.confirmable <= confirmed_;
  return entry.event <= ponged_;
}

void Ledger::settle() {
  while (!entries_.empty() && is_proved(entries_.front())) {
    const auto entry = entries_.front();
    entries_.pop_front();
    credit_(entry.subscription, entry.bytes);
  }
}

}  // namespace ptyd
