#include "server/session/routing/router.hpp"

namespace ptyd {

namespace {

/// Subject of `request`: a session, or (with no terminal) all of a thread.
SessionKey place_of(const Request& request) {
  if (request.row().dispatch != Dispatch::thread) return key_of(request.command());
  const auto& close = std::get<Close>(request.command());
  return {close.thread_id, close.terminal_id.value_or("")};
}

}  // namespace

std::optional<std::size_t> Router::straight_to(const Request& request) const {
  if (request.row().dispatch != Dispatch::straight) return std::nullopt;
  const auto& key = key_of(request.command());
  if (on_the_way_.contains(key) || on_the_way_.contains({key.thread_id, {}})) return std::nullopt;
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

SessionKey Router::sent(const Request& request) {
  const auto place = place_of(request);
  on_the_way_[place]++;
  return place;
}

void Router::arrived(const SessionKey& place) {
  const auto found = on_the_way_.find(place);
  if (--found->second == 0) on_the_way_.erase(found);
}

}  // namespace ptyd
