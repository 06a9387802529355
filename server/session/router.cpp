#include "server/session/router.hpp"

#include "server/policy/road.hpp"

namespace ptyd {

std::optional<std::size_t> Router::straight_to(const Command& command) const {
  if (way_of(command) != Way::straight || on_the_way_.contains(thread_of(command))) return std::nullopt;
  const auto found = known_.find(key_of(command));
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void Router::arrived(const std::string& thread_id) {
  const auto found = on_the_way_.find(thread_id);
  if (--found->second == 0) on_the_way_.erase(found);
}

}  // namespace ptyd
