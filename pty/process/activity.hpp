// ActivityTracker: is something running in this terminal, and is it an agent that waits for its user?
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "pty/process/command_identity.hpp"
#include "pty/process/process_tree.hpp"

namespace ptyd {

enum class AgentState : std::uint8_t { none, running, attention, review };
/// "running", "attention", "review" or "".
std::string_view wire_name(AgentState state);

/// Activity as clients are told of it.
struct ActivityState {
  bool has_running_subprocess = false;
  CliKind cli_kind = CliKind::none;
  AgentState agent_state = AgentState::none;
  bool operator==(const ActivityState&) const = default;
};

/// The reference's rules of `activity`, without clock, process or terminal: everything is told to it.
///
/// An on_...() with a result returns whether state() has changed. Times are of a clock that never goes back, as no
/// calendar is. Differing from the reference: what is typed while an agent is seen to run goes to that agent and names
/// no command.
class ActivityTracker {
 public:
  using Time = std::chrono::steady_clock::time_point;
  using Milliseconds = std::chrono::milliseconds;

  /// A new child; `cli_kind` is its T3CODE_TERMINAL_CLI_KIND or "". True when state() names an agent already.
  bool reset(std::string_view cli_kind);

  /// The terminal was cleared: what was typed so far and what hooks said is forgotten, silently as in the reference.
  void on_clear();
  bool on_input(std::string_view text, Time now);
  /// An agent's hook: the text after `T3CODE_AGENT_EVENT=` in OSC 633. Events other than Start, Stop and
  /// PermissionRequest change nothing. Of several in one turn pass the last.
  bool on_agent_event(std::string_view name);
  /// Redrawing the same text is no sign of life.
  void on_output(std::string_view bytes, Time now);
  /// All that runs below the child, as ProcessTree::descendants() lists it.
  bool on_processes(std::span<const ProcessInfo> descendants, Time now);

  ActivityState state() const;
  /// How long after one look at the processes the next is due: shortest while something runs and right after input or
  /// output, then longer and longer, since a terminal that stayed quiet is likely to stay so.
  Milliseconds poll_delay(Time now) const;

  static constexpr Milliseconds kBusyPoll{1000}, kIdlePoll{8000};
  /// An agent counts as busy so long after the last changed output, or after input that came later.
  static constexpr Milliseconds kOutputGrace{30'000}, kInputGrace{120'000};
  /// Characters of a typed line that are kept to recognise its command.
  static constexpr std::size_t kMaxTypedLine = 512;

 private:
  bool agent_is_reading() const;
  bool is_recent(Time now) const;
  void take_line();
  void type_line(std::string_view line);
  void type(unsigned char c);

  std::string typed_;  // the line so far
  CliKind cli_kind_ = CliKind::none;
  AgentState hook_ = AgentState::none;  // as hooks reported it last; none while there were no hooks
  bool busy_ = false;
  bool provider_runs_ = false;  // an agent's process was there at the last look
  bool provider_seen_ = false;  // ... at some look since the kind was set
  std::optional<Time> last_input_, last_output_, last_sign_;
  std::size_t output_signature_ = 0;
};

}  // namespace ptyd
