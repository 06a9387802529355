// ActivityWatch: the programs seen to run in a session, and their changes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "protocol/messages.hpp"
#include "pty/process/activity.hpp"
#include "pty/process/foreground.hpp"
#include "pty/process/process_tree.hpp"
#include "server/loop/clock.hpp"

namespace ptyd {

Activity activity_of(const ActivityTracker& tracker);
/// The part of `foreground` that is told; an empty one is not known. `started_in`: the terminal's directory.
Process process_of(const Foreground& foreground, const std::string& started_in);

/// Tells what happens in one session to its ActivityTracker, and each change of that to its viewers.
///
/// Owns    the tracker.
/// Thread  the session's loop.
class ActivityWatch {
 public:
  /// A look may come so much before it is due: the poll's timer is not that exact.
  static constexpr std::chrono::milliseconds kEarly = ActivityTracker::kBusyPoll / 4;

  /// Both are called from inside on_...().
  struct Callbacks {
    std::function<void(const Activity&)> activity;
    std::function<void(const Foreground&)> foreground;
  };
  explicit ActivityWatch(Callbacks changed) : changed_(std::move(changed)) {}

  const ActivityTracker& tracker() const { return tracker_; }

  /// A child is started with `env`. Clients are told once it has started.
  void on_launch(const Environment& env);
  void on_started();
  void on_typed(std::string_view text, TimePoint now);
  void on_output(std::string_view bytes, TimePoint now) { tracker_.on_output(bytes, now); }
  void on_agent_event(std::string_view name);
  /// The terminal was cleared, silently.
  void on_clear() { tracker_.on_clear(); }
  /// The child has ended: nothing runs any more, which is told with that.
  void on_ended() { tracker_.reset({}); }

  /// Whether it is time to look at the child's descendants, and anything may have changed. `last_pid`: see there.
  bool is_look_due(TimePoint now, std::uint64_t last_pid) const;
  /// They have been looked at, after it was asked for `last_pid`; see ProcessTree::descendants().
  void on_processes(std::span<const ProcessInfo> descendants, TimePoint now, std::uint64_t last_pid);
  /// This program is in the foreground now: one look.
  void on_foreground(const Foreground& seen);
  /// Whether it should be looked at at the fast rate.
  bool is_active(TimePoint now) const { return tracker_.poll_delay(now) < ActivityTracker::kIdlePoll; }

 private:
  void tell(bool changed) const;

  const Callbacks changed_;
  ActivityTracker tracker_;
  Foreground foreground_;
  std::optional<TimePoint> looked_at_;
  std::uint64_t alone_at_ = 0;  // the last_pid at which the child had no descendants; 0 while it may have some
};

}  // namespace ptyd
