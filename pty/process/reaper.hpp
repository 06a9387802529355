// Reaper: ends children with everything that runs below them, on its own time.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "pty/process/child_process.hpp"
#include "pty/process/graces.hpp"
#include "pty/process/process_tree.hpp"

namespace ptyd {

/// Ends process trees: hang-up and CONT first, TERM a little later, from then on further hang-ups, KILL when the grace
/// is over. A tree without a controlling terminal is told TERM and CONT instead, once.
///
/// A tree is the child, its session, the orphans that began below it (orphans.hpp), and the descendants of all these,
/// as found when the end begins, before TERM, and before each KILL. Every process is held by a pidfd before it is
/// checked, so no stranger is ever signalled. A child that ended by itself keeps its pid while a process of its session
/// or such an orphan runs, so that they still are its tree when the end begins.
///
/// Owns    the ChildProcess and the descriptor handed over with it, until the tree is gone. Outlives Pty and launcher
///         by shared_ptr.
/// Thread  the executor's.
/// Order   the tree is collected before anything is signalled or released: a dying shell would unlink its descendants.
///         A grace counts the time between looks, a step at most for each, not the clock: while this process was
///         stopped the others may have been too.
/// Errors  without descriptors or memory a look finds too little: then no tree is taken for gone before a later look.
class Reaper : public std::enable_shared_from_this<Reaper> {
 public:
  explicit Reaper(boost::asio::any_io_executor executor, Graces graces = {});
  /// Kills what is left of the trees it still has.
  ~Reaper();

  /// `child`, which keeps its number, has ended by itself: buries it as soon as no process that it left behind runs any
  /// more.
  void on_child_ended(const std::shared_ptr<ChildProcess>& child);
  /// Ends `child`'s tree; `held` (the pty's master) is released once the tree has been signalled. A second call only
  /// adds `held`.
  void end(const std::shared_ptr<ChildProcess>& child, std::shared_ptr<void> held);
  /// Cuts the grace short: KILLs all that is left, now. Trees that are ended later get no grace.
  void finish();

 private:
  using Clock = std::chrono::steady_clock;
  enum class Stage { background_jobs, take, term, again, kill };
  /// One tree on its way out, or what a child left behind.
  struct Tree {
    std::shared_ptr<ChildProcess> child;
    std::shared_ptr<void> held;
    Stage stage = Stage::take;
    Clock::time_point due;
    std::chrono::milliseconds spent{0};  // of the grace, at `due`
    int kills = 0;
    int incomplete_looks = 0;          // in a row
    std::vector<HeldProcess> members;  // without the child itself
    std::set<int> missed;              // were listed by the last look, but had ended when they were to be held
    bool is_settled = true;            // all that it missed was missed before
  };

  /// Processes that one look found, by the number of the child to whose tree they belong.
  struct Found {
    std::multimap<int, int> sessions, orphans;
    std::uint64_t failed_before = 0;  // failed_opens when it began
  };

  Tree* find(const ChildProcess& child);
  Tree& add(const std::shared_ptr<ChildProcess>& child, Stage stage);
  void schedule();
  void work();
  Found look(const std::vector<int>& roots);
  bool is_over(Tree& tree, const Found& found);
  static std::set<int> let_go_of_ended(Tree& tree);
  static void miss(Tree& tree, std::set<int> missed);
  static bool has_company(Tree& tree, const Found& found);
  static bool is_incomplete(const Found& found);
  static bool looks_again(Tree& tree, const Found& found);
  static bool anything_runs(const Tree& tree);
  static void tell(const Tree& tree, std::initializer_list<int> signals);
  static void tell_at_first(const Tree& tree);
  void spend(Tree& tree, Stage next);
  std::chrono::milliseconds grace_of(const Tree& tree) const;
  void wait_for_told(Tree& tree);
  void advance(Tree& tree, const Found& found);
  void gather(Tree& tree, const Found& found);
  bool kill(Tree& tree, const Found& found);
  std::vector<int> due_roots(Clock::time_point now) const;

  Graces graces_;
  std::list<Tree> trees_;
  ProcessTree processes_;
  boost::asio::steady_timer timer_;
  Clock::time_point next_look_;  // all processes are listed no more often than kLookSpacing
  Clock::time_point armed_for_ = Clock::time_point::max();
};

}  // namespace ptyd
