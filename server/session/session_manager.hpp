// SessionManager: every session of this server, and the road of a Command to its session.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/pty.hpp"
#include "server/loops.hpp"
#include "server/session/viewer.hpp"

namespace ptyd {

/// Numbers for /metrics; sums over all loops.
struct SessionMetrics {
  std::uint64_t sessions = 0;          ///< in memory, of any status
  std::uint64_t running = 0;           ///< with a live child
  std::uint64_t sessions_started = 0;  ///< children ever started
  std::uint64_t subscriptions = 0;
  std::uint64_t output_bytes = 0;  ///< read from children
  std::uint64_t input_bytes = 0;   ///< written to children
  std::uint64_t resyncs = 0;       ///< viewers that fell behind and were shown the present
};

/// One line per session for /debug/sessions: state and positions, never content.
struct SessionDebug {
  TerminalInfo info;
  std::size_t loop = 0;
  Position tail = 0, head = 0;
  std::size_t queued_input = 0;
  struct Cursor {
    std::string viewer;
    Position position = 0;
    std::size_t in_flight = 0, window = 0;
  };
  std::vector<Cursor> cursors;
};

/// Owns    every Session, each on one loop.
/// Thread  all methods may be called on any loop; answers come back on the loop that asked.
/// Order   open, clear, restart and close of one thread happen one after the other, in the order they were submitted;
///         one viewer's commands for one session arrive in the order it gave them.
class SessionManager {
 public:
  struct Options {
    std::filesystem::path state_dir;  ///< empty: nothing is kept on disk
    std::string shell;                ///< preferred shell; "" means $SHELL, else bash
    std::string emulator = "native";  ///< or "libvterm"
    std::size_t scrollback = 5000;    ///< lines kept above the screen
    bool answer_checksums = false;    ///< lets programs read their own screen (DECRQCRA)
    std::size_t max_sessions = 1024;  ///< running, whole server: each costs a pty of the machine's 4096
    std::size_t max_sessions_per_thread = 64;
    std::size_t retained_sessions = 128;  ///< not running, kept in memory; the reference's number
  };
  /// Makes the launcher that a loop's sessions use.
  using MakeLauncher = std::function<std::unique_ptr<Launcher>(Loop&)>;
  using ReplyHandler = std::function<void(Result<Reply>)>;

  SessionManager(Loops& loops, MakeLauncher make_launcher, Options options);
  ~SessionManager();

  /// Makes `viewer` known, so that lifecycle events reach it. Call on the viewer's loop.
  void add_viewer(const std::shared_ptr<Viewer>& viewer);
  /// Ends all its subscriptions. Call on the viewer's loop.
  void remove_viewer(const std::shared_ptr<Viewer>& viewer);

  /// Carries out `command` for `viewer`; `done` is called once, on the viewer's loop, maybe before this returns. What
  /// ends or starts something is carried out in a turn of its own, so that this may be called from inside anything.
  void submit(const std::shared_ptr<Viewer>& viewer, Command command, ReplyHandler done);

  /// Ends every child, keeps every transcript, tells viewers (`shutdown`); then calls `done` on loop 0.
  void shutdown(std::string reason, std::function<void()> done);

  /// Asks every loop and adds up; `done` is called on `loop`.
  void collect(Loop& loop, std::function<void(SessionMetrics)> done);
  void describe(Loop& loop, std::function<void(std::vector<SessionDebug>)> done);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ptyd
