#include "server/session/command_shell.hpp"

#include <algorithm>
#include <utility>

#include "pty/process/environment.hpp"
#include "pty/process/shell_choice.hpp"
#include "server/session/context/refusals.hpp"

namespace ptyd {

namespace {

ProgramLook look_of(const CommandPlace& place) {
  const auto& child = place.child;
  return {[&child] { return child.line_mode(); },
          [&child] { return child.foreground(); },
          [&child] { return child.is_in_front(); },
          [&child] { return child.time_used(); },
          [&recorder = place.recorder] { return recorder.is_away() ? nullptr : &recorder.screen(); },
          [&recorder = place.recorder, &backpressure = place.backpressure] {
            return !recorder.is_away() && !backpressure.holds();
          }};
}

}  // namespace

std::shared_ptr<CommandRunner> make_runner(const CommandPlace& place, ShellKind kind,
                                           std::function<void(const std::function<void()>&)> safely) {
  auto& context = place.context;
  CommandRunner::Terminal terminal{context.loop(),
                                   context.settings().files,
                                   [&typing = place.typing](std::string_view bytes) { return typing.type(bytes); },
                                   look_of(place),
                                   [&launch_config = place.launch_config] { return launch_config.size; },
                                   std::move(safely)};
  const auto name = start_variable(kind);
  const auto theirs = value_of(place.launch_config.env, name, value_of(context.settings().server_environment, name));
  return std::make_shared<CommandRunner>(std::move(terminal), kind, context.settings().shell_files,
                                         std::string(theirs));
}

Result<std::vector<Program>> shells_for(const Execute& asked, const HostSettings& settings) {
  if (asked.is_input || is_key(asked)) return not_running(asked.key);
  auto shells = asked.shell.empty() ? settings.shells : std::vector{shell_candidates(asked.shell, "").front()};
  const auto kind = shell_kind(shells.front().path);
  if (!has_integration(kind))
    return Error(Errc::no_integration,
                 "shell: " + shells.front().path +
                     " does not tell where its commands begin and end; bash, zsh, fish, sh and dash do");
  std::erase_if(shells, [kind](const Program& each) { return shell_kind(each.path) != kind; });
  return shells;
}

CommandRunner::Answer answer_of(Caller caller) {
  const auto give = [caller](Result<Executed> answer) {
    if (caller.is_answered()) return;
    caller.reply(answer ? Result<Reply>(Reply(std::move(*answer))) : Result<Reply>(answer.error()));
  };
  return {give, [caller = std::move(caller)] { return caller.is_answered(); }};
}

Recorder::Tap tap_of(const std::shared_ptr<CommandRunner>& runner) {
  if (!runner) return {};
  return {[runner](const ShellMarker& marker) { runner->on_marker(marker); },
          [runner](const Token& token) { runner->on_drawn(token); }};
}

Recorder::Tap tap_of(const std::shared_ptr<AgentTerminal>& program) {
  return {nullptr, [program](const Token& token) { program->on_drawn(token); }};
}

Error is_of_people() {
  return Error(Errc::no_integration,
               "The shell of this terminal was opened or restarted by a person, and does not tell where its commands "
               "begin and end; use another terminalId");
}

Error terminal_was_closed() {
  return Error(Errc::exited, "The terminal was closed");
}

Error terminal_was_restarted() {
  return Error(Errc::exited, "The terminal was restarted");
}

}  // namespace ptyd
