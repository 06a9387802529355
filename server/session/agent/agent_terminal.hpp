// AgentTerminal: an agent's program in a terminal of its own: its waiting calls, its owners and its end.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/result.hpp"
#include "pty/types.hpp"
#include "server/execute/drawn_output.hpp"
#include "server/loop/clock.hpp"
#include "server/session/agent/program_rules.hpp"
#include "server/session/child/child.hpp"
#include "server/session/context/caller.hpp"
#include "server/session/context/disconnect_callbacks.hpp"
#include "server/session/context/launch_config.hpp"
#include "server/session/context/session_context.hpp"
#include "server/session/delivery/audience.hpp"
#include "server/session/recording/recorder.hpp"

namespace ptyd {

/// Launch for `asked`, as agents want it.
LaunchSpec launch_spec(const Environment& server, const Run& asked);

/// The one launch in an agent's terminal, from its Run to its Release.
///
/// Owns    the calls that wait for it. The terminal's parts are borrowed and outlive it.
/// Thread  the loop's. Nothing blocks.
/// Order   an AwaitExit is answered when the program has ended and all its output is on the Screen. A Kill, and then
///         each Release, is answered when none of its processes is left. From a Release on every other Command is
///         answered Errc::not_found, but a Pin only once people see the terminal no more.
/// Errors  each Command is answered: a program that does not end is waited for as long as it would be at the server's
///         own end.
class AgentTerminal : public std::enable_shared_from_this<AgentTerminal> {
 public:
  /// Callers that wait for one exit, one kill or one release. Agents wait once; a delegate may ask again without
  /// giving up.
  static constexpr std::size_t kMaxWaiting = 1024;
  /// An ended one that is not released: some agents never do, but one may read a log that it left half an hour ago.
  /// One that left jobs behind stays as long as they run.
  static constexpr std::chrono::minutes kUnreleased{30};
  /// A released one that people watch, or that was shown to them: they may look up from something else and read it.
  static constexpr std::chrono::minutes kKeptForPeople{10};

  /// Its place in the server.
  struct Terminal {
    SessionContext& context;
    const SessionKey& key;
    Child& child;
    Recorder& recorder;
    const Audience& audience;
    LaunchConfig& launch_config;
    /// Does what a timer or another loop brings, so that what it throws ends the session alone.
    std::function<void(const std::function<void()>&)> safely;
  };
  /// Keeps as much output as the text that `asked` wants may take.
  AgentTerminal(Terminal terminal, const Caller& caller, const Run& asked);

  /// It was run for `caller`, or for one that showed the same credential. The server itself may ask too.
  bool is_of(const Caller& caller) const { return !caller.viewer() || caller.viewer()->credential() == credential_; }
  /// It was run by an agent that dialled in, with that credential, and no connection keeps it any more.
  bool is_lost_to(const Caller& caller) const { return dialled_in_ && owners_.empty() && !released_ && is_of(caller); }

  /// Whether a Command with that rule may be carried out there.
  Result<void> allows(const OnProgram& rule, const Caller& caller) const {
    return may_be_done_to_program(rule, takes_input_, caller.is_agent());
  }

  /// A viewer that asks for it keeps it: when the last of these viewers has left for HostSettings::agent_linger, it is
  /// ended and released. A caller without a viewer keeps nothing.
  void keep(const Caller& caller);

  /// Carries out one of the Commands that are ForProgram. An agent keeps the program by that.
  void carry_out(const Caller& caller, const Command& command);
  /// All but another Release, and a Pin until it is_gone(), is answered with Errc::not_found.
  bool is_released() const { return released_; }
  /// Its terminal goes as soon as the Directory comes to it. A client that was told of a Release sees it in no list.
  bool is_gone() const { return is_gone_; }

  /// All that it prints, in order.
  void on_drawn(const Token& token) { output_.take(token); }
  void on_resized(Size size) { output_.resize(size); }
  /// Something was printed: some of it may not be kept.
  void on_output();
  void on_started();
  /// Its record, once it has ended.
  Remains remains() const;
  /// It could not be started. True: the terminal says why, and has ended as if a shell had said so. False: the terminal
  /// is of no use, and is given up.
  bool explains(const Error& error);
  /// Answer to its Run once it is known what became of it.
  Result<Reply> started() const;
  /// It has ended, and all subscribers have been told.
  void on_ended();
  /// None of the processes runs any more that it started.
  void on_processes_gone();
  /// It cannot be started, and its terminal is of no use.
  void refuse(const Error& error);
  /// The terminal goes, or the server does: waiting calls are answered `error`.
  void close(const Error& error);

 private:
  using Owner = std::weak_ptr<Viewer>;  // one that has left is destroyed on its own loop
  using Owners = std::map<Owner, std::shared_ptr<const DisconnectCallbacks::Callback>, std::owner_less<Owner>>;

  /// Carries out one kind of Command: each has a specialisation in agent_terminal_commands.cpp, and one without does
  /// not compile.
  template <class Asked>
  void on(const Caller& caller, const Asked& asked) = delete;

  void left(const Owner& viewer);
  bool has_ended() const;
  bool is_over() const;
  bool is_watched_by_people() const;
  void wait(std::vector<Caller>& waiting, const Caller& caller) const;
  void end();
  void finish();
  void give_up_waiting();
  void expire();
  void release();
  void depart();
  void tell_remains() const;
  void leave_list();
  void update(const ToolCallUpdate& told);
  void later(Timer& timer, std::chrono::milliseconds time, void (AgentTerminal::*what)());

  const Terminal terminal_;
  OutputLimit limit_;
  DrawnOutput output_;
  const std::string credential_;
  const bool takes_input_, raw_output_, dialled_in_;
  std::string command_;           // until it is known what became of it
  std::optional<Error> refused_;  // why there is no program
  Owners owners_;
  std::vector<Caller> awaiting_, killing_, releasing_;
  bool killed_ = false;    // it is to end, and is hung up as soon as it runs
  bool patient_ = false;   // its end is waited for
  bool released_ = false;  // without an owner
  bool is_gone_ = false;   // departed, and people have no use for it
  bool departed_ = false;  // released, and no call waits for it
  bool pinned_ = false;
  std::unique_ptr<Timer> linger_;    // no client keeps it
  std::unique_ptr<Timer> patience_;  // with its end
  std::unique_ptr<Timer> expiry_;    // ended, then released
};

}  // namespace ptyd
