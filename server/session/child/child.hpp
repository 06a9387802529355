// Child: the program of one session: its pty, its input queue and its state.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string_view>

#include "protocol/messages.hpp"
#include "pty/process/pty.hpp"
#include "pty/result.hpp"
#include "pty/types.hpp"
#include "server/loop/loops.hpp"
#include "server/session/child/input_queue.hpp"

namespace ptyd {

enum class ChildState : std::uint8_t {
  blank,     ///< never launched
  starting,  ///< until its exec is known to have worked or failed
  running,   ///< until it is gone and all it printed has been read
  ended,
  failed,  ///< it could not be started
  closed,  ///< nothing is heard of any launch any more
};

/// A name for one launch, unlike that of any other of this server; later ones are greater.
using LaunchNumber = std::uint64_t;

/// The child of one session, one launch after the other.
///
/// Owns    the Pty, those of earlier launches that left jobs behind, and what waits to be typed. Loop and observer are
///         borrowed and outlive it.
/// Thread  the loop's. Nothing blocks.
/// Order   nothing of a launch is told once it was discarded, or once the next one has begun; but for the observer's
///         on_processes_gone(), which is called whenever no process is left of all launches.
class Child {
 public:
  /// How a launch went; nothing when it was discarded meanwhile.
  using Outcome = std::optional<Result<void>>;
  /// How long shut_down() waits for the child; longer than the Pty's grace before KILL.
  static constexpr std::chrono::milliseconds kShutdownWait{2500};

  Child(Loop& loop, PtyObserver& observer);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  ChildState state() const { return state_; }
  bool is_running() const { return state_ == ChildState::running; }
  bool is_live() const { return state_ == ChildState::starting || is_running(); }
  /// It has been reaped; some of what it printed may not be read yet.
  bool is_gone() const { return state_ == ChildState::ended || reaped_; }
  /// The server ends: it is never launched again.
  bool is_ending() const { return ending_; }
  /// As viewers are told it.
  Status status() const;
  /// The last launch, by the name it was given; 0 before the first.
  LaunchNumber number() const { return number_; }
  /// While it runs.
  std::optional<int> pid() const;
  /// How it ended; empty before that.
  const ExitStatus& exit() const { return exit_; }

  /// Starts the next one, where none runs; jobs of earlier ones run on. `launched` is called once, in a later turn;
  /// where the launch is discarded, soon after that, however long the launch itself takes.
  void launch(LaunchNumber number, Launcher& launcher, LaunchSpec spec, std::function<void(Outcome)> launched);
  /// Ends it, and what it and earlier ones left behind; the observer hears of its end, and that no process is left.
  void hang_up();
  /// Whether it runs, or any process that it and earlier ones left behind.
  bool has_processes() const;
  /// Errc::exited once it is gone; Errc::not_running before it runs.
  Result<void> signal(int number);
  /// A child that could not be started counts as ended with `status`, which has been explained.
  void end_unstarted(const ExitStatus& status);
  /// Ends it, and what earlier ones left behind, without anything more being told of them. Never from inside one of its
  /// own calls.
  void discard();
  /// The same, for good.
  void close();
  /// The server ends, which is not the program's own end: hangs up on it, and on what earlier ones left behind, and
  /// tells nothing more of it. Its further output is read and dropped, so that a full terminal does not keep it from
  /// ending. `gone` is called when it has ended, or after kShutdownWait.
  void shut_down(std::function<void()> gone);

  /// The pty of its output, then of its background jobs' output; null when none runs, all output has been read, or it
  /// is being ended unheard.
  Pty* to_read() { return output_ended_ || ending_ ? nullptr : pty_.get(); }
  /// Asks for on_readable(), while there is something to_read().
  void watch_readable() { pty_->watch_readable(); }
  /// read() has said so.
  void on_output_ended() { output_ended_ = true; }
  /// True once: it is gone, all it printed has been read, and from now on it has ended. Output of its background jobs
  /// may still be to_read().
  bool end();

  /// Errc::busy when too much would wait; then nothing was taken.
  Result<void> push(std::string_view bytes) { return input_.push(bytes); }
  void push(Size size) { input_.push(size); }
  /// Types what is taken now; on_writable() is told when more will be.
  InputQueue::Flushed flush();
  /// How the kernel hands input on to it; all off before it runs.
  LineMode line_mode() const { return pty_ ? pty_->line_mode() : LineMode(); }
  /// The program that has its keyboard, while it runs.
  std::optional<Foreground> foreground() const { return pty_ && is_running() ? pty_->foreground() : std::nullopt; }
  /// It has the keyboard itself, and none of its jobs.
  bool is_in_front() const { return pty_ && pty_->is_in_front(); }
  /// Time on processors and waiting for one, with that of children it has waited for.
  std::chrono::milliseconds time_used() const { return pty_ ? pty_->time_used() : std::chrono::milliseconds(0); }
  /// Bytes that wait to be typed.
  std::size_t queued() const { return input_.bytes(); }

 private:
  class PtyListener;
  struct Launch;
  /// Background jobs of an earlier launch, whose child has ended.
  struct BackgroundJobs {
    std::shared_ptr<PtyListener> listener;  // goes after its Pty
    std::unique_ptr<Pty> pty;
  };
  Result<void> take_up(Result<std::unique_ptr<Pty>> pty);
  void let_go();
  void keep_background_jobs();
  void forget_gone();
  void on_processes_gone();
  void drain();
  void tell_gone();

  Loop& loop_;
  PtyObserver& observer_;
  ChildState state_ = ChildState::blank;
  LaunchNumber number_ = 0;
  bool ending_ = false;
  ExitStatus exit_;
  InputQueue input_;
  std::weak_ptr<Launch> launch_;           // while it is under way; the launcher's
  std::shared_ptr<PtyListener> listener_;  // of the last launch; goes after its Pty
  std::unique_ptr<Pty> pty_;
  std::shared_ptr<std::list<BackgroundJobs>> background_jobs_;  // shared with forget_gone()
  std::optional<ExitStatus> reaped_;
  bool output_ended_ = false;
  std::function<void()> gone_;  // called when the child has ended
  std::unique_ptr<Timer> shutdown_timer_;
};

}  // namespace ptyd
