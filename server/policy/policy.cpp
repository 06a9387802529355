#include "server/policy/policy.hpp"

namespace ptyd {

Result<void> authorise(Access access, const CommandRow& row) {
  if (access == Access::full || row.needs == Access::view) return {};
  return Error(Errc::denied, "Not allowed: this connection may only view");
}

}  // namespace ptyd
