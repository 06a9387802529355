// Commands about an agent's program, one `on` each.
#include <algorithm>
#include <cassert>
#include <type_traits>
#include <utility>
#include <variant>

#include "server/session/agent/agent_terminal.hpp"
#include "server/session/agent/raw_output.hpp"
#include "server/session/context/refusals.hpp"
#include "server/session/delivery/event_source.hpp"

namespace ptyd {

/// While a full-screen program shows the alternate screen its text is what it will leave behind.
template <>
void AgentTerminal::on(const Caller& caller, const ReadOutput& asked) {
  const auto& recorder = terminal_.recorder;
  if (limit_.most() == 0 && !recorder.is_blank()) limit_.lose();
  auto output = asked.raw.value_or(raw_output_) ? raw_output(recorder.journal(), limit_.most(), has_ended())
                                                : limit_.cut(output_.whole(static_cast<std::size_t>(limit_.most())));
  if (has_ended()) output.exit = terminal_.child.exit();
  caller.reply(Reply(std::move(output)));
}

template <>
void AgentTerminal::on(const Caller& caller, const AwaitExit&) {
  if (has_ended()) return caller.reply(Reply(ProgramExit{terminal_.child.exit()}));
  wait(awaiting_, caller);
}

template <>
void AgentTerminal::on(const Caller& caller, const Kill&) {
  end();
  if (is_over()) return caller.reply(Reply(Done{}));
  wait(killing_, caller);
}

/// Asked again it is answered together with the first, or at once behind that.
template <>
void AgentTerminal::on(const Caller& caller, const Release&) {
  if (refused_) return caller.reply(unknown_terminal(terminal_.key));
  if (departed_) return caller.reply(Reply(Done{}));
  wait(releasing_, caller);
  release();
}

/// Any Command of an agent's keeps it; this one does nothing else.
template <>
void AgentTerminal::on(const Caller& caller, const Keep&) {
  caller.reply(Reply(Done{}));
}

template <>
void AgentTerminal::on(const Caller& caller, const Pin& asked) {
  pinned_ = true;
  if (!asked.told.is_empty()) update(asked.told);
  caller.reply(Reply(Done{}));
}

/// It has no place in the output: lists and snapshots tell it again.
void AgentTerminal::update(const ToolCallUpdate& told) {
  auto& shown = terminal_.launch_config.tool_call;
  auto updated = shown.value_or(ToolCall());
  told.apply_to(updated);
  if (shown == updated) return;
  shown = updated;
  const auto now = terminal_.context.loop().clock().unix_now();
  terminal_.context.delegate().broadcast(make_broadcast(terminal_.key, now, ToolCallUpdated{std::move(updated)}));
}

template <>
void AgentTerminal::on(const Caller& caller, const Signal& asked) {
  const auto sent = terminal_.child.signal(asked.number);
  caller.reply(sent ? Result<Reply>(Reply(Done{})) : sent.error());
}

void AgentTerminal::wait(std::vector<Caller>& waiting, const Caller& caller) const {
  std::erase_if(waiting, [](const Caller& each) { return each.is_answered(); });
  if (waiting.size() < kMaxWaiting) return waiting.push_back(caller);
  caller.reply(Error(Errc::limit, "Too many requests: " + std::to_string(waiting.size()) +
                                      " wait for this program to end, the limit is " + std::to_string(kMaxWaiting)));
}

/// Once it is released, a Release may be asked again, and a tool call goes on to be told of as long as people see the
/// terminal: agents say that a call is completed when they have released what it shows. All else may not any more.
void AgentTerminal::carry_out(const Caller& caller, const Command& command) {
  std::visit(
      [&]<class Asked>(const Asked& asked) {
        if constexpr (ForProgram<Asked>) {
          const bool is_told = std::is_same_v<Asked, Pin> && !is_gone_;
          const bool is_late = released_ && !std::is_same_v<Asked, Release> && !is_told;
          if (!is_of(caller) || is_late) return caller.reply(unknown_terminal(terminal_.key));
          keep(caller);
          on(caller, asked);
        } else {
          assert(false && "not for a program");
        }
      },
      command);
}

}  // namespace ptyd
