// The seam between a Session and the machine: a pty with its child, and its launcher.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "pty/process/foreground.hpp"
#include "pty/result.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// Is told what a Pty has to say, on the Pty's loop, never from inside a call to that Pty.
class PtyObserver {
 public:
  /// There is something to read, or the end of output. Told once per watch_readable().
  virtual void on_readable() = 0;
  /// write() takes bytes again after it took fewer than it was given. Told once per watch_writable().
  virtual void on_writable() = 0;
  /// The child has ended. Told once; output may still be unread then.
  virtual void on_exit(ExitStatus status) = 0;
  /// No process of the terminal runs any more; see Pty::has_processes(). Told once, after on_exit().
  virtual void on_processes_gone() {}

 protected:
  ~PtyObserver() = default;
};

/// How the kernel hands input on.
struct LineMode {
  bool canonical = false;  ///< in whole lines, of at most 4095 bytes
  bool echo = false;       ///< and shows what is typed
  bool operator==(const LineMode&) const = default;
};

/// A pty's master side and the child on it.
///
/// Owns    the handle on the child, and the master descriptor until read() has given Errc::end and no process prints
///         on.
/// Thread  one loop; nothing blocks.
/// Order   resize() takes effect between the writes before and after it.
/// Errors  Errc::end from read() once the child is gone and all it ever wrote has been read; not while the child has
///         only closed its terminal (EIO), and not later because a background job still has the terminal open. Where
///         prints_on() then, read() gives what such jobs print, until another Errc::end.
class Pty {
 public:
  /// Ends the child and its descendants, also those that outlived it, as hang_up() does. The observer is told nothing
  /// more.
  virtual ~Pty() = default;

  virtual int pid() const = 0;
  /// Which of LaunchSpec::candidates it runs.
  virtual std::size_t candidate() const = 0;

  /// Reads what is there, at most `space`; 0 when there is nothing now.
  virtual Result<std::size_t> read(std::span<char> space) = 0;
  /// Writes what the child's input queue takes now; 0 when it takes nothing.
  virtual Result<std::size_t> write(std::string_view bytes) = 0;
  virtual Result<void> resize(Size size) = 0;

  /// After read() has given Errc::end: whether jobs that the child left behind may print on. Only where the terminal is
  /// not the controlling one; else the kernel has taken it away from them.
  virtual bool prints_on() const = 0;

  /// Asks for one on_readable() / on_writable(). Asking again before it is told changes nothing.
  virtual void watch_readable() = 0;
  virtual void watch_writable() = 0;

  /// As programs have set it; all off once the terminal is gone.
  virtual LineMode line_mode() const = 0;

  /// The leader of the process group in the foreground of this terminal; where the leader has ended, the newest child
  /// of the shell in that group; else the child. Nothing once the child is gone.
  virtual std::optional<Foreground> foreground() const = 0;
  /// Whether the group in the foreground is the child's own: no job of a shell has the keyboard.
  virtual bool is_in_front() const = 0;
  /// Time that the child and the children it has waited for have used on processors, and for which it waited for one on
  /// a busy machine; 0 once it is gone.
  virtual std::chrono::milliseconds time_used() const = 0;

  /// Sends the signal to the process group in the foreground of this terminal. Where there is none: to the child, or to
  /// its group where the terminal is not the controlling one. Errc::exited when the child is gone, Errc::denied where
  /// the group is another user's.
  virtual Result<void> signal(int number) = 0;

  /// Ends everything that runs on this pty: hang-up, CONT and TERM to the child's session and descendants, KILL after
  /// kKillGrace; where the terminal is not the controlling one TERM and CONT, and KILL after kPlainKillGrace. After the
  /// child's exit, everything that it left behind in its session. Returns at once; on_exit() still tells the end.
  /// Signals go by pidfd, so never to a stranger.
  virtual void hang_up() = 0;
  /// Whether hang_up() may have something to end: the child, or what it left behind. Once false, always false.
  virtual bool has_processes() const = 0;
};

/// Makes Ptys. Its one method may take a while (a child has to get as far as its exec), so the result is told later.
class Launcher {
 public:
  using Done = std::function<void(Result<std::unique_ptr<Pty>>)>;

  virtual ~Launcher() = default;
  /// Starts the first candidate that exists; `done` is called once, on the loop this launcher belongs to, after the
  /// exec is known to have worked or failed. `observer` must outlive the Pty. Errc::spawn_failed says what was tried
  /// and why it failed: "<detail>. Tried shells: a, b."; for programs of agents, launch_failure() (command_line.hpp)
  /// makes the sentence.
  virtual void launch(LaunchSpec spec, PtyObserver& observer, Done done) = 0;
};

}  // namespace ptyd
