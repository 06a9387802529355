// SessionInfo: the present state of a session, for snapshots, lists and the debug page.
#pragma once

#include <cstdint>
#include <optional>

#include "protocol/messages.hpp"
#include "pty/process/activity.hpp"
#include "pty/types.hpp"
#include "server/session/child/child.hpp"
#include "server/session/context/launch_config.hpp"
#include "server/session/context/session_facts.hpp"
#include "server/session/delivery/audience.hpp"
#include "server/session/recording/recorder.hpp"

namespace ptyd {

/// Form of a snapshot's history.
struct HistoryWish {
  HistoryFormat format = HistoryFormat::screen;
  std::optional<std::uint32_t> scrollback;  ///< lines at most
  std::optional<std::uint64_t> from_line;   ///< of a repaint, in place of that
};

/// Owns    nothing: it is for one look, from inside one call.
/// Thread  the session's loop. Members that show the Screen are not for a session that is_away().
struct SessionInfo {
  const SessionKey& key;
  const LaunchConfig& launch_config;
  const Child& child;
  const Recorder& recorder;
  const Audience& audience;
  const ActivityTracker& tracker;

  /// Without history.
  Snapshot facts() const;
  /// The same, for a client that goes on at `at` and has everything before it.
  Snapshot resumed(Position at) const;
  Snapshot snapshot(const HistoryWish& wish) const;
  ScreenSnapshot screen(const TakeSnapshot& asked) const;
  TerminalInfo info() const;
  SessionDebug debug(std::size_t loop) const;

 private:
  void repaint(Snapshot& snapshot, std::uint64_t from_line) const;
};

}  // namespace ptyd
