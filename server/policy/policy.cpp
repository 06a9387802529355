#include "server/policy/policy.hpp"

namespace ptyd {

Result<void> authorise(Access access, const Command& command) {
  if (access == Access::full || needs(command) == Access::view) return {};
  return Error(Errc::denied, "Not allowed: this connection may only view");
}

}  // namespace ptyd
