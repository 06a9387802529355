// ChildProcess: one process of ours, from its fork until it is buried.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <functional>
#include <memory>

#include "pty/types.hpp"
#include "pty/unique_fd.hpp"

namespace ptyd {

/// A child process and the wait for its end.
///
/// Owns    the pidfd and the duty to wait for the process, so that no zombie stays.
/// Thread  the executor's. Lives at least until the process has ended, also when its owner forgets it.
/// Order   between keep_number() and bury() the kernel gives the number to no other process, even when this one has
///         ended. So a process that has it as parent or session belongs here, as long as has_number() is true.
class ChildProcess : public std::enable_shared_from_this<ChildProcess> {
 public:
  using OnExit = std::function<void(ExitStatus)>;
  using OnBuried = std::function<void()>;

  /// Throws boost::system::system_error when the loop takes no more descriptors; `process` is closed then.
  ChildProcess(boost::asio::any_io_executor executor, int pid, UniqueFd process, bool has_controlling_terminal = true);

  int pid() const { return pid_; }
  /// Whether the process has a controlling terminal, and so can be hung up.
  bool has_controlling_terminal() const { return has_controlling_terminal_; }
  bool ended() const { return ended_; }
  bool buried() const { return buried_; }
  /// The number still means this process, running or ended. False once buried, and when another process waited for it.
  bool has_number() const;

  /// Begins to wait; `on_exit`, and `on_buried` after it, are each told once, by the loop. Call once.
  void watch(OnExit on_exit, OnBuried on_buried = {});
  /// Drops both callbacks.
  void forget() {
    on_exit_ = nullptr;
    on_buried_ = nullptr;
  }

  void signal(int number) const;
  /// The number stays taken until bury().
  void keep_number() { keeps_number_ = true; }
  /// Waits for the process now if it has ended, else as soon as it does.
  void bury();

 private:
  void await_exit();
  void look();

  int handle_;  // of process_
  boost::asio::posix::stream_descriptor process_;
  int pid_;
  const bool has_controlling_terminal_;
  OnExit on_exit_;
  OnBuried on_buried_;
  bool keeps_number_ = false;
  bool ended_ = false, buried_ = false;
};

}  // namespace ptyd
