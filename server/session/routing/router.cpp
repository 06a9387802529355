#include "server/session/routing/router.hpp"

#include "server/policy/command_traits.hpp"

namespace ptyd {

namespace {

/// Subject of `command`: a session, or (with no terminal) all of a thread.
SessionKey place_of(const Command& command) {
  if (dispatch_of(command) != Dispatch::thread) return key_of(command);
  return {thread_of(command), std::get<Close>(command).terminal_id.value_or("")};
}

}  // namespace

std::optional<std::size_t> Router::straight_to(const Command& command) const {
  if (dispatch_of(command) != Dispatch::straight) return std::nullopt;
  const auto key = key_of(command);
  if (on_the_way_.contains(key) || on_the_way_.contains({key.thread_id, {}})) return std::nullopt;
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

SessionKey Router::sent(const Command& command) {
  const auto place = place_of(command);
  on_the_way_[place]++;
  return place;
}

void Router::arrived(const SessionKey& place) {
  const auto found = on_the_way_.find(place);
  if (--found->second == 0) on_the_way_.erase(found);
}

}  // namespace ptyd
