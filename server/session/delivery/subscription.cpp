#include "server/session/delivery/subscription.hpp"

#include <algorithm>

namespace ptyd {

void Subscription::reset_credit() {
  kept = holds() ? std::optional(held_from()) : std::nullopt;
  credit.reset();
  in_flight.reset();
  taken_before_ack = event_in_flight ? 2 : 1;
}

void Subscription::on_taken() {
  event_in_flight.reset();
  passes_output_over = false;
  if (taken_before_ack > 0) taken_before_ack--;
}

void Subscription::on_returned(std::size_t bytes, TimePoint now) {
  if (taken_before_ack > 0) return;
  const auto sent = in_flight.on_returned(bytes);
  if (sent && barriers.empty() && !awaits_present) kept.reset();
  credit.on_returned(bytes, sent, now);
}

void Subscription::on_reply_arrived() {
  if (barriers.empty() && !awaits_present) kept.reset();
}

void Subscription::on_sent(Position from, std::size_t bytes, TimePoint now) {
  credit.on_sent(bytes, now);
  in_flight.on_sent(from, bytes, now);
}

void Subscription::on_passed_over(std::size_t bytes) {
  event_in_flight.reset();
  if (taken_before_ack > 1) taken_before_ack--;
  if (bytes == 0) return;
  passes_output_over = true;
  credit.take_back(bytes);
  in_flight.take_back(bytes);
}

void Subscription::drop_injected() {
  const bool has_begun = injected.sent > 0 && !injected.empty();
  injected = {};
  if (has_begun) injected.text = "\x18";
}

void Subscription::suit(const Open& asked) {
  scrollback = std::min<std::size_t>(asked.scrollback.value_or(limits::kMaxHistoryLines), limits::kMaxHistoryLines);
  if (asked.stream_output) stream_output = *asked.stream_output;
  if (!is_noticed()) return;
  policy = asked.policy;
  traits = asked.traits;
  const auto asks =
      std::find(asked.features.begin(), asked.features.end(), kFeatureOf<Clipboard>) != asked.features.end();
  takes_clipboard = takes_clipboard || asks;
}

}  // namespace ptyd
