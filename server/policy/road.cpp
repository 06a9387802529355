#include "server/policy/road.hpp"

#include <variant>

namespace ptyd {

Way way_of(const Command& command) {
  return std::visit([]<class Asked>(const Asked& asked) { return Road<Asked>::way_of(asked); }, command);
}

Access needs(const Command& command) {
  return std::visit([]<class Asked>(const Asked& asked) { return Road<Asked>::needs(asked); }, command);
}

Answer answer_of(const Command& command) {
  return std::visit([]<class Asked>(const Asked&) { return Road<Asked>::answer; }, command);
}

bool starts(const Command& command) {
  return std::visit([]<class Asked>(const Asked& asked) { return Road<Asked>::starts(asked); }, command);
}

const SessionKey& key_of(const Command& command) {
  static const SessionKey kNone;
  return std::visit(
      []<class Asked>(const Asked& asked) -> const SessionKey& {
        if constexpr (ForSession<Asked>) return asked.key;
        return kNone;
      },
      command);
}

const std::string& thread_of(const Command& command) {
  static const std::string kNone;
  return std::visit(
      []<class Asked>(const Asked& asked) -> const std::string& {
        if constexpr (ForSession<Asked>) return asked.key.thread_id;
        if constexpr (Road<Asked>::way == Way::thread) return asked.thread_id;
        return kNone;
      },
      command);
}

}  // namespace ptyd
