#include "server/session/child/activity_watch.hpp"

#include "pty/process/environment.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {

namespace {

/// Set for an agent's terminal by the client that opens it; the reference's name.
constexpr std::string_view kCliKindVariable = "T3CODE_TERMINAL_CLI_KIND";

}  // namespace

Activity activity_of(const ActivityTracker& tracker) {
  const auto state = tracker.state();
  return {state.has_running_subprocess, std::string(wire_name(state.cli_kind)),
          std::string(wire_name(state.agent_state))};
}

Process process_of(const Foreground& foreground, const std::string& started_in) {
  return {utf8::repair(foreground.name), foreground.cwd.empty() ? started_in : utf8::repair(foreground.cwd)};
}

void ActivityWatch::on_launch(const Environment& env) {
  tracker_.reset(value_of(env, kCliKindVariable));
  alone_at_ = 0;
  foreground_ = {};
}

void ActivityWatch::on_started() {
  tell(!activity_of(tracker_).cli_kind.empty());
}

void ActivityWatch::on_typed(std::string_view text, TimePoint now) {
  tell(tracker_.on_input(text, now));
}

void ActivityWatch::on_agent_event(std::string_view name) {
  tell(tracker_.on_agent_event(name));
}

/// Where no process has begun since there was none, time alone changes an agent's activity, and no other.
bool ActivityWatch::is_look_due(TimePoint now, std::uint64_t last_pid) const {
  if (alone_at_ != 0 && alone_at_ == last_pid && tracker_.state() == ActivityState()) return false;
  return !looked_at_ || now - *looked_at_ >= tracker_.poll_delay(now) - kEarly;
}

void ActivityWatch::on_processes(std::span<const ProcessInfo> descendants, TimePoint now, std::uint64_t last_pid) {
  looked_at_ = now;
  alone_at_ = descendants.empty() ? last_pid : 0;
  tell(tracker_.on_processes(descendants, now));
}

void ActivityWatch::on_foreground(const Foreground& seen) {
  if (seen == foreground_) return;
  foreground_ = seen;
  changed_.foreground(seen);
}

void ActivityWatch::tell(bool changed) const {
  if (changed) changed_.activity(activity_of(tracker_));
}

}  // namespace ptyd
