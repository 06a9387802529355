#include "server/net/websocket/pings.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <system_error>
#include <utility>

namespace ptyd {

namespace {

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::string> Pings::next() {
  const bool keeps_alive = std::exchange(keep_alive_is_due_, false);
  if (number_) {
    awaited_.push_back(*std::exchange(number_, std::nullopt));
    return std::to_string(awaited_.back());
  }
  if (!keeps_alive) return std::nullopt;
  keep_alive_is_awaited_ = true;
  return std::string(kKeepAlive);
}

Pings::Pong Pings::take(std::string_view payload) {
  if (payload == kKeepAlive) return {std::exchange(keep_alive_is_awaited_, false), std::nullopt};
  const auto number = number_in(payload);
  const auto answered = number ? std::find(awaited_.begin(), awaited_.end(), *number) : awaited_.end();
  if (answered == awaited_.end()) return {};
  awaited_.erase(awaited_.begin(), std::next(answered));
  return {true, number};
}

}  // namespace ptyd
