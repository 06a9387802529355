// DisconnectCallbacks: calls that are made when a viewer of one loop leaves.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// Owns    nothing but the list: the caller keeps what is to be called for as long as it wants to be told.
/// Thread  one loop's; what is called may belong to another loop, and has to find its way there.
class DisconnectCallbacks {
 public:
  using Callback = std::function<void()>;

  /// Calls `told` once, when `viewer` leaves.
  void await(const std::shared_ptr<Viewer>& viewer, const std::shared_ptr<const Callback>& told);
  void left(const std::shared_ptr<Viewer>& viewer);

 private:
  std::unordered_map<std::shared_ptr<Viewer>, std::vector<std::weak_ptr<const Callback>>> waiting_;
};

}  // namespace ptyd
