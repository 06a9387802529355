#include "server/policy/command_traits.hpp"

#include <variant>

namespace ptyd {

Dispatch dispatch_of(const Command& command) {
  return std::visit([]<class Asked>(const Asked& asked) { return CommandTraits<Asked>::dispatch_of(asked); }, command);
}

Access needs(const Command& command) {
  return std::visit([]<class Asked>(const Asked& asked) { return CommandTraits<Asked>::needs(asked); }, command);
}

Answer answer_of(const Command& command) {
  return std::visit([]<class Asked>(const Asked&) { return CommandTraits<Asked>::answer; }, command);
}

bool starts(const Command& command) {
  return std::visit([]<class Asked>(const Asked& asked) { return CommandTraits<Asked>::starts(asked); }, command);
}

bool needs_screen(const Command& command) {
  return std::visit([]<class Asked>(const Asked&) { return CommandTraits<Asked>::screen == ScreenUse::needed; },
                    command);
}

const OnProgram& on_program_of(const Command& command) {
  return std::visit([]<class Asked>(const Asked&) -> const OnProgram& { return CommandTraits<Asked>::on_program; },
                    command);
}

bool asks_as_agent(const Command& command) {
  return std::visit(
      []<class Asked>(const Asked& asked) {
        if constexpr (requires { asked.as_agent; }) return asked.as_agent;
        return false;
      },
      command);
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
        if constexpr (CommandTraits<Asked>::dispatch == Dispatch::thread) return asked.thread_id;
        return kNone;
      },
      command);
}

}  // namespace ptyd
