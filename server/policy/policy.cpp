#include "server/policy/policy.hpp"

#include <variant>

namespace ptyd {

namespace {

template <class T, class... Ts>
constexpr bool one_of = (std::is_same_v<T, Ts> || ...);

}  // namespace

Result<void> authorise(Access access, const Command& command) {
  if (access == Access::full) return {};
  return std::visit(
      [](const auto& asked) -> Result<void> {
        using Asked = std::decay_t<decltype(asked)>;
        if constexpr (one_of<Asked, Subscribe, Unsubscribe, TakeSnapshot, List, AckOutput>) return {};
        if constexpr (std::is_same_v<Asked, Open>)
          if (asked.attach && asked.policy == DeliveryPolicy::latest) return {};
        return Error(Errc::denied, "Not allowed: this connection may only view");
      },
      command);
}

}  // namespace ptyd
