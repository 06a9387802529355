#include "server/policy/command_traits.hpp"

#include <variant>

namespace ptyd {

namespace {

/// A client that only attaches waits for no other, and holds up no input.
constexpr Dispatch dispatch_of(Dispatch dispatch, Starts starts) {
  return dispatch == Dispatch::starting && starts == Starts::nothing ? Dispatch::straight : dispatch;
}

}  // namespace

CommandRow row_of(const Command& command) {
  return std::visit(
      []<class Asked>(const Asked& asked) -> CommandRow {
        using Traits = CommandTraits<Asked>;
        const auto starts = Traits::starts_of(asked);
        return {dispatch_of(Traits::dispatch, starts),
                Traits::needs(asked),
                Traits::answer,
                Traits::screen,
                starts,
                starts != Starts::nothing && !Traits::needs_running(asked),
                Traits::is_agents_own,
                &Traits::on_program};
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
        if constexpr (requires { asked.key; }) return asked.key.thread_id;
        if constexpr (CommandTraits<Asked>::dispatch == Dispatch::thread) return asked.thread_id;
        return kNone;
      },
      command);
}

}  // namespace ptyd
