// SessionManager: every session of this server, and the path of a Command to its session.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "pty/process/pty.hpp"
#include "server/loop/loops.hpp"
#include "server/policy/command_traits.hpp"
#include "server/session/context/caller.hpp"
#include "server/session/context/session_facts.hpp"
#include "server/session/delivery/viewer.hpp"

namespace ptyd {

/// Owns    every Session, each on one loop.
/// Thread  all methods may be called on any loop; answers come back on the loop that asked.
/// Order   open, clear, restart and close of one thread happen one after the other, in the order they were submitted;
///         one viewer's commands for one session arrive in the order it gave them.
class SessionManager {
 public:
  using Options = SessionOptions;
  /// Makes the launcher that a loop's sessions use.
  using MakeLauncher = std::function<std::unique_ptr<Launcher>(Loop&)>;

  SessionManager(Loops& loops, MakeLauncher make_launcher, Options options);
  ~SessionManager();

  /// Makes `viewer` known, so that lifecycle events reach it. Call on the viewer's loop.
  void add_viewer(const std::shared_ptr<Viewer>& viewer);
  /// Tells `viewer` of no further sessions and lifecycle events; agents' programs are no longer kept by it. Its
  /// subscriptions end by their handles. Call on the viewer's loop.
  void remove_viewer(const std::shared_ptr<Viewer>& viewer);

  /// Carries out `request`, which the caller may ask (policy has said so); it is answered once, maybe before this
  /// returns. Call on the caller's loop. Commands that start or end something are carried out in a turn of their own,
  /// so that this may be called from inside any callback.
  void submit(Caller caller, Request request);
  void submit(const std::shared_ptr<Viewer>& viewer, Command command, ReplyHandler done);

  /// From now on no terminal starts that does not run: Errc::limit. `told` is called on loop 0 with the number of those
  /// that run, now and whenever that may have changed. Null: terminals start again.
  void drain(std::function<void(std::size_t running)> told);

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
