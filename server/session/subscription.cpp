#include "server/session/subscription.hpp"

#include <algorithm>

namespace ptyd {

void Subscription::start_afresh() {
  credit.start_afresh();
  unproved.start_afresh();
}

void Subscription::on_returned(std::size_t bytes, TimePoint now) {
  credit.on_returned(bytes, now);
  unproved.on_returned(bytes);
}

void Subscription::suit(const Open& asked) {
  policy = asked.policy;
  traits = asked.traits;
  const auto asks = std::find(asked.features.begin(), asked.features.end(), Feature::clipboard) != asked.features.end();
  takes_clipboard = takes_clipboard || asks;
  if (asked.stream_output) stream_output = *asked.stream_output;
}

}  // namespace ptyd
