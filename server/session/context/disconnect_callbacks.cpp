#include "server/session/context/disconnect_callbacks.hpp"

namespace ptyd {

void DisconnectCallbacks::await(const std::shared_ptr<Viewer>& viewer, const std::shared_ptr<const Callback>& told) {
  auto& waiting = waiting_[viewer];
  // A connection may see thousands of terminals come and go.
  std::erase_if(waiting, [](const auto& each) { return each.expired(); });
  waiting.push_back(told);
}

void DisconnectCallbacks::left(const std::shared_ptr<Viewer>& viewer) {
  const auto found = waiting_.extract(viewer);
  if (!found) return;
  for (const auto& each : found.mapped())
    if (const auto told = each.lock()) (*told)();
}

}  // namespace ptyd
