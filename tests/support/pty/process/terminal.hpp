// Terminal: a real child on a real pty, for tests that wait for what it says and does.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "pty/process/unix_pty.hpp"
#include "tests/support/waiting.hpp"

namespace ptyd {

/// `sh -c script` with a small environment.
LaunchSpec shell_script(const std::string& script, const std::string& shell = "/bin/sh");

/// As run_until() for what happens outside this process, of which no event tells: looks again and again.
bool eventually(boost::asio::io_context& context, const std::function<bool()>& happened);

/// True while `pid` waits in a call that a signal interrupts. A script that says something last thing before its `wait`
/// is in it when that was heard and it sleeps: until then a shell may sleep through a signal that it has a trap for.
bool sleeps(int pid);

/// Runs `context` until nothing waits any more: every child is ended and buried. False when that does not come.
bool run_dry(boost::asio::io_context& context);

/// One Pty and the memory of what its observer was told.
///
/// Thread  that of `context`, which run_until() drives.
class Terminal final : public PtyObserver {
 public:
  Terminal(boost::asio::io_context& context, Launcher& launcher) : context_(context), launcher_(launcher) {}
  ~Terminal() { pty.reset(); }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// Launches and waits for the answer. True when there is a Pty; else see `error`.
  bool start(LaunchSpec spec);
  void launch(LaunchSpec spec);
  /// Reads from now on by itself; on by default.
  void keep_reading(bool on);
  bool wait_for(const std::string& text);
  bool wait_for_exit();
  /// Exit and the end of all output.
  bool wait_for_end();
  /// Writes all of `bytes`, however long the child takes; false when it never does.
  bool type(std::string_view bytes);

  std::unique_ptr<Pty> pty;
  std::optional<Error> error;
  bool answered = false;

  std::string output;
  std::size_t received = 0;  ///< bytes, also when `keeps_output` is off
  bool keeps_output = true;
  bool ended = false;  ///< and what the child left behind is read on
  int ends = 0;        ///< that were read
  int left = 0;        ///< times it was told that no process is left
  std::optional<Error> read_error;
  std::vector<ExitStatus> exits;
  int readable = 0, writable = 0;
  bool in_call = false, told_in_call = false;

 private:
  void on_readable() override;
  void on_writable() override;
  void on_exit(ExitStatus status) override;
  void on_processes_gone() override;
  void pump();

  boost::asio::io_context& context_;
  Launcher& launcher_;
  bool reads_ = true;
  std::string_view unwritten_;
};

}  // namespace ptyd
