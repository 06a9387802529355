// CommandRunner's access to the shell of a session.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/result.hpp"
#include "pty/types.hpp"
#include "server/execute/command_runner.hpp"
#include "server/execute/typed_text.hpp"
#include "server/session/agent/agent_terminal.hpp"
#include "server/session/child/child.hpp"
#include "server/session/context/caller.hpp"
#include "server/session/context/launch_config.hpp"
#include "server/session/context/session_context.hpp"
#include "server/session/delivery/backpressure.hpp"
#include "server/session/recording/recorder.hpp"
#include "server/session/typing.hpp"

namespace ptyd {

/// The parts of a session that a runner works with; they outlive it.
struct CommandPlace {
  SessionContext& context;
  Child& child;
  Typing& typing;
  const LaunchConfig& launch_config;
  const Recorder& recorder;
  const Backpressure& backpressure;
};

/// For the next launch of a shell of `kind`. `safely` does what a timer or another thread brings.
std::shared_ptr<CommandRunner> make_runner(const CommandPlace& place, ShellKind kind,
                                           std::function<void(const std::function<void()>&)> safely);

/// The shells to try for `asked`, all of one kind. Errc::no_integration where that kind tells nothing of its commands;
/// Errc::not_running for what is typed into a program.
Result<std::vector<Program>> shells_for(const Execute& asked, const HostSettings& settings);

/// Replies to `caller`, unless it has given up.
CommandRunner::Answer answer_of(Caller caller);

/// Tap on the output of a launch; nothing for null.
Recorder::Tap tap_of(const std::shared_ptr<CommandRunner>& runner);
Recorder::Tap tap_of(const std::shared_ptr<AgentTerminal>& program);

/// The shell was started by a person, and tells nothing.
Error is_of_people();
Error terminal_was_closed();
Error terminal_was_restarted();

}  // namespace ptyd
