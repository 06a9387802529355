// Reaper: ends children with everything that runs below them, on its own time.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <list>
#include <map>
#include <memory>
#include <vector>

#include "pty/child.hpp"
#include "pty/process_tree.hpp"

namespace ptyd {

/// From the hang-up to the KILL of what is left: the reference's number.
inline constexpr std::chrono::milliseconds kKillGrace{1000};

/// Ends process trees: hang-up and CONT first, TERM a little later, KILL after kKillGrace.
///
/// A tree is the child, its session, and the descendants of both, as found when the end begins and again before each
/// KILL. Every process is held by a pidfd before it is judged, so no stranger is ever signalled. Not reached: a process
/// that left the session (setsid) and whose parents were gone already when the end began.
///
/// Owns    the Child and what is handed over with it, until the tree is gone. Outlives Pty and launcher by shared_ptr.
/// Thread  the executor's.
/// Order   nothing is signalled, and what is held not released, before the tree has been taken: a dying shell would
///         unlink what it left behind.
class Reaper : public std::enable_shared_from_this<Reaper> {
 public:
  explicit Reaper(boost::asio::any_io_executor executor);
  /// Kills what is left of the trees it still has.
  ~Reaper();

  /// Ends `child`'s tree; `held` (the pty's master) is released once the tree has been told. Again: only adds `held`.
  void end(const std::shared_ptr<Child>& child, std::shared_ptr<void> held);
  /// Cuts the grace short: KILLs all that is left, now.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Stage { take, term, kill };
  /// One tree on its way out.
  struct Tree {
    std::shared_ptr<Child> child;
    std::shared_ptr<void> held;
    Stage stage = Stage::take;
    Clock::time_point due;
    int kills = 0;
    std::vector<HeldProcess> members;  // without the child itself
  };

  void schedule();
  void work();
  static bool anything_runs(const Tree& tree);
  void advance(Tree& tree, const std::multimap<int, int>& sessions);
  void gather(Tree& tree, const std::multimap<int, int>& sessions);
  bool kill(Tree& tree, const std::multimap<int, int>& sessions);
  std::multimap<int, int> sessions_of_due(Clock::time_point now) const;

  std::list<Tree> trees_;
  ProcessTree processes_;
  boost::asio::steady_timer timer_;
  Clock::time_point next_look_;  // all processes are listed no more often than kLookSpacing
  Clock::time_point armed_for_ = Clock::time_point::max();
};

}  // namespace ptyd
