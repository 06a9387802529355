// Session: one terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/process/process_tree.hpp"
#include "pty/process/pty.hpp"
#include "server/execute/command_runner.hpp"
#include "server/loop/clock.hpp"
#include "server/loop/supervise.hpp"
#include "server/policy/command_traits.hpp"
#include "server/session/agent/agent_terminal.hpp"
#include "server/session/child/activity_watch.hpp"
#include "server/session/child/child.hpp"
#include "server/session/context/caller.hpp"
#include "server/session/context/launch_config.hpp"
#include "server/session/context/session_context.hpp"
#include "server/session/context/session_facts.hpp"
#include "server/session/delivery/audience.hpp"
#include "server/session/delivery/backpressure.hpp"
#include "server/session/delivery/event_source.hpp"
#include "server/session/delivery/viewer.hpp"
#include "server/session/parking.hpp"
#include "server/session/recording/recorder.hpp"
#include "server/session/session_info.hpp"
#include "server/session/typing.hpp"

namespace ptyd {

/// Errc::limit unless `viewer` hears that session already, or one more with its access may. Null hears nothing.
Result<void> room_for(const Audience& audience, const Viewer* viewer);

/// One terminal: its program (Child), everything that was printed (Recorder), and its subscribers (Audience); a Session
/// brings these together.
///
/// Owns    these three, and with them its Ptys and the journal. Viewers are shared and leave by cancel(); the
///         SessionContext is borrowed and outlives it.
/// Thread  its SessionContext's loop. Nothing blocks, nothing locks.
/// Order   viewers hear events as the child caused them; all output comes before the exit.
/// Units   positions and limits are bytes of child output, Size is cells.
/// Errors  after close() every command answers Errc::not_found; Errc::limit names what there is and what there may be.
class Session final : public std::enable_shared_from_this<Session>, public Publisher, private PtyObserver {
 public:
  /// Called once, on the session's loop, when the next command of the same thread may be carried out.
  using Finished = std::function<void()>;

  /// Output read in one turn, alone on the loop and when other sessions wait: a longer turn is felt on everyone's keys.
  static constexpr std::size_t kTurn = 16 << 10, kSharedTurn = 8 << 10;
  /// The same in time, for output of which a few bytes move the whole screen.
  static constexpr std::chrono::milliseconds kTurnTime{5};
  /// Positions that marks may take behind a turn, the exit's among them, without overrunning a lossless viewer.
  static constexpr std::size_t kRoomForMarks = 1 << 10;
  /// Output of a child that the kernel holds at most (19 KB), with a margin: so much is read when the child's end is
  /// not its own, and so much room is kept for it where a child is held for a lossless viewer.
  static constexpr std::size_t kHeldByKernel = 24 << 10;
  /// Viewers with full access; places() says how many may only view. Each event is handed to each of them in one turn
  /// of the loop. A client that asks beyond it is refused; one that hears everything does not hear this terminal.
  static constexpr std::size_t kMaxViewers = 256;

  Session(SessionContext& context, const SessionKey& key, Journal journal, std::string name);

  const SessionKey& key() const { return source_.key(); }
  bool is_live() const { return child_.is_live(); }
  bool has_failed() const { return failed_; }
  /// Never opened with success: nothing would be lost if it were forgotten.
  bool is_blank() const { return child_.state() == ChildState::blank; }
  /// Of the last launch, once that has ended.
  Remains remains() const { return program_ ? program_->remains() : Remains::text; }
  /// The program of an agent that lost its connection, which `caller` may Keep.
  bool is_lost_to(const Caller& caller) const { return program_ && program_->is_lost_to(caller); }
  /// There is something here for people.
  bool is_listed() const { return !is_blank() && !(program_ && program_->is_gone()); }

  /// Carries out one of the Commands that are for a session; `finished` is called once, maybe before this returns.
  /// Where the Screen has to be read from a file first, those that need it wait, in their order, and what is typed goes
  /// before.
  void carry_out(Caller caller, const Request& request, Finished finished);

  /// Everything that a loop calls of this session goes through here: what it throws ends this session alone. False when
  /// it was not done, or not to its end; nothing is done once it is closed.
  template <class Work>
  bool safely(Work&& work) {
    return !is_gone() && guarded(*this, std::forward<Work>(work));
  }
  void on_task_failed(std::string_view what);
  /// Ends the child and all subscriptions, silently, and leaves the journal's file to its next owner. The caller
  /// forgets the session.
  void close();
  /// The server ends: takes the child's output, and ends it in good order. No client is told, and the transcript knows
  /// nothing of it. Every command is refused from now on. `done` is called when it is gone, or after
  /// Child::kShutdownWait.
  void shut_down(std::function<void()> done);

  /// Lets `viewer` hear everything from now on. Nothing happens where it does already, or for want of room.
  void watch(const std::shared_ptr<Viewer>& viewer);
  // Publisher
  void on_taken(SubscriptionId id) override;
  void on_passed_over(SubscriptionId id, std::size_t bytes) override;
  void on_returned(SubscriptionId id, std::size_t bytes) override;
  void on_reply_arrived(SubscriptionId id) override;
  void on_cancelled(SubscriptionId id) override;

  /// Looks at the child's descendants, if it is time. `last_pid` was read before `processes` was.
  void poll(ProcessTree& processes, TimePoint now, std::uint64_t last_pid);
  /// Gives back memory that costs little to have again, when it has been quiet for long, whatever runs in it.
  Parking::Rest rest();
  /// Whether it should be polled at the fast rate.
  bool is_active(TimePoint now) const { return is_live() && activity_.is_active(now); }

  const Audience& audience() const { return audience_; }
  /// Its journal is no file.
  bool is_in_memory() const { return recorder_.journal().in_memory(); }
  /// For one look from inside the caller's turn.
  SessionInfo session_info() const {
    return {key(), launch_config_, child_, recorder_, audience_, activity_.tracker()};
  }

 private:
  void carry_out_now(Caller caller, const Request& request, Finished finished);
  Result<void> admit(const Caller& caller, const CommandRow& row);
  void carry_out_waiting(Parking::Waiting next);
  /// Goes on with the Command of `caller`, which is answered in any case.
  bool carry_out_safely(const Caller& caller, const std::function<void()>& work);
  /// Carries out one kind of Command: each has a specialisation of one of these in session_commands.cpp, and one
  /// without does not compile. Those that take longer say when they are finished.
  template <class Asked>
  void on(Caller caller, const Asked& asked, Finished finished) = delete;
  template <class Asked>
  void on(const Caller& caller, const Asked& asked) = delete;

  // PtyObserver
  void on_readable() override;
  void on_writable() override;
  void on_exit(ExitStatus status) override;
  void on_processes_gone() override;

  // The child.
  /// The text ends, for viewers too, and the next child's begins.
  void start_over();
  void launch(LaunchSpec spec, MarkKind announced_as, Finished finished);
  void on_launched(const Result<void>& launched, MarkKind announced_as);
  void tell_end();

  // Output. Nothing is read while the Screen is away.
  void turn();
  void go_on_later();
  void say_end_is_lost();
  void digest(Recorder::Turn& turn);
  /// Reads what the child has printed until now, before it is ended. Its questions are answered no more.
  void take_rest();
  void keep_last_words();

  // Saying.
  void announce(MarkKind kind, std::string_view payload);
  void tell_process(const Foreground& now);
  void take_name(const std::string& name);

  /// Every command is refused from now on.
  bool is_gone() const { return failed_ || child_.state() == ChildState::closed; }

  // Viewers.
  /// Something came of what a viewer was sent, which `note` tells the Audience; false: the viewer does not hear this
  /// any more.
  void heard(const std::function<bool(Audience&, TimePoint now)>& note);
  Subscription& subscribe(const std::shared_ptr<Viewer>& viewer);
  /// A viewer that resumes hears of the new shell as of everything else that it missed.
  void start_for(Caller caller, const Open& asked, Finished finished);
  /// The shell's private files are made first, beside the loop.
  void start_for(Caller caller, const Execute& asked, const std::vector<Program>& shells, Finished finished);
  void attach(Caller caller, const Open& asked);
  /// Whether `command` goes on later, when the lines that it shows have been laid out. It has done nothing yet but to
  /// change the size.
  bool waits_for_lines(const Caller& caller, const Command& command);
  /// Answers a client that goes on where it was. False: it needs a snapshot.
  bool goes_on(const Caller& caller, const Open& asked);
  /// A snapshot at the journal's head, which takes its place in what the caller's viewer is sent, if it has one.
  void reply_in_place(Caller caller, HistoryWish wish);

  SessionContext& context_;
  const Clock& clock_;
  Recorder recorder_;
  std::shared_ptr<Parking> parking_;  // of this alone
  EventSource source_;
  Audience audience_;
  Child child_;
  Backpressure backpressure_;
  ActivityWatch activity_;
  std::shared_ptr<CommandRunner> runner_;   // of the last launch, where that was for commands. Of this alone
  std::shared_ptr<AgentTerminal> program_;  // of an agent; none where people have a shell. Of this alone

  LaunchConfig launch_config_;
  Typing typing_{{context_, child_, recorder_, audience_, launch_config_}};
  CellBudget::Share cells_;
  bool failed_ = false;  // something threw: nothing more is done here until this is closed
  bool turn_scheduled_ = false;
  bool said_lost_ = false;       // lossless viewers know that they have not all that a program printed last
  bool said_in_memory_ = false;  // viewers know that the transcript is not on disk
};

}  // namespace ptyd
