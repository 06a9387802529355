// Orphans: processes below this one whose parents have ended, and to which of its children they belong.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstddef>
#include <vector>

#include "pty/process/process_tree.hpp"
#include "pty/result.hpp"

namespace ptyd {

/// Makes this process a subreaper: an orphan below it becomes its child, in whatever session it is, and is known by the
/// mark of the child of ours at the root of its tree. Blocks SIGCHLD. Call once, before there are other threads.
/// Errc::internal where the kernel does not let us; then orphans go to process 1, as everywhere.
Result<void> adopt_orphans();

/// For a child of ours on its way to its exec: makes it the root of its tree. All that it starts inherits the mark,
/// which is a resource limit that Linux has given no meaning since 2.4.25, and so survives setsid, exec, another user
/// and an environment that is wiped. Only async-signal-safe calls.
void become_root();

/// The number of the root in whose tree `pid` was started; 0 where there is none, or it took the mark off.
int root_of(int pid);

/// Children of this process that it did not spawn.
std::vector<int> orphans(ProcessTree& processes);

/// Waits for orphans that have ended, and returns how many there were. Any thread.
std::size_t collect_orphans();

/// Children that this process spawned and waits for by itself: nothing else may wait for them. Any thread.
namespace own_children {
/// Called by the child itself, before it can end.
void add(int pid);
/// Called right before the child, which has ended, is waited for.
void remove(int pid);
}  // namespace own_children

/// Collects orphans as they end, so that none stays a zombie.
///
/// Thread  the executor's.
class OrphanWatch {
 public:
  /// Throws boost::system::system_error where there are no descriptors.
  explicit OrphanWatch(const boost::asio::any_io_executor& executor);

 private:
  void wait();
  void collect_soon();
  void collect();

  boost::asio::posix::stream_descriptor children_;  // readable when one has ended
  boost::asio::steady_timer pause_;
};

}  // namespace ptyd
