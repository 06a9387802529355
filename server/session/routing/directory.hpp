// Directory: which session lives on which loop, and the order of what happens to a thread. It lives on loop 0.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "server/loop/blocking_pool.hpp"
#include "server/session/context/caller.hpp"
#include "server/session/context/session_facts.hpp"
#include "server/session/routing/session_host.hpp"
#include "server/session/routing/session_registry.hpp"
#include "server/session/routing/turns.hpp"
#include "server/session/session.hpp"

namespace ptyd {

/// Owns    the SessionRegistry, the Turns, and the subscribers to all sessions.
/// Thread  loop 0.
/// Order   open, clear, restart and close of one thread are carried out one after the other; so is everything else that
///         was submitted through here behind them. In an agent's thread this holds for each terminal by itself: nothing
///         there waits for another program's start.
class Directory {
 public:
  using Hosts = std::vector<std::unique_ptr<SessionHost>>;

  /// `loop` is loop 0. `looks` are taken at clients' directories: a hang there holds up no files.
  Directory(Loop& loop, const Hosts& hosts, const SessionOptions& options, BlockingPool& looks)
      : hosts_(hosts), options_(options), looks_(looks), registry_(options), turns_(loop) {}

  /// Carries out `request` for `caller` when its turn comes; `carried_out` is called on loop 0.
  void submit(Caller caller, SessionHost& home, Request request, std::function<void()> carried_out);
  /// `viewer` hears every session from now on; `heard` is called on loop 0 once those that run have all begun.
  void watch(const std::shared_ptr<Viewer>& viewer, const std::function<void()>& heard);
  void unwatch(const std::shared_ptr<Viewer>& viewer);
  /// From now on no terminal starts that does not run. `told` is called with the number of those that run, now and
  /// whenever that may have changed. Null: they start again.
  void drain(std::function<void(std::size_t running)> told);
  /// That launch of `key` has ended. Unless another one has begun meanwhile it no longer counts as running, and may be
  /// dropped from memory later, when none of its jobs run.
  void on_ended(const SessionKey& key, LaunchNumber launch, Remains remains = Remains::text);
  /// Closes the terminal of an agent's program that is not needed any more, in its turn, and deletes its transcript.
  void on_released(const SessionKey& key);
  /// The session of `key` cannot go on, and closes itself: it is forgotten in its next turn, and every client is told
  /// why. Its transcript stays.
  void on_failed(const SessionKey& key, const std::string& what);

 private:
  using Finished = Turns::Finished;
  /// Asked on the session's loop.
  using IsDue = bool (*)(const Session&);
  using Watchers = std::unordered_set<std::shared_ptr<Viewer>>;
  /// One request with all that is needed to carry it out.
  struct Job {
    Caller caller;
    SessionHost* home = nullptr;  ///< where a new session is made
    Request request;
  };

  void carry_out(Job job, Finished finished);
  void look_and_open(Job job, Finished finished);
  void open(Job job, Finished finished);
  void open_there(SessionHost& host, Job job, bool is_new, Finished finished);
  void start_heard(SessionHost& host, Job job, Finished finished);
  void settle(const SessionKey& key, const SessionRegistry::Standing& now);
  void on_known(Job job, const SessionKey& key, Finished finished);
  void close(Job job, Finished finished);
  void end_program(const SessionKey& key, Finished ended);
  void delete_history(const Close& asked, std::function<void(Result<void>)> deleted);
  void forget(const SessionKey& key, Finished forgotten);
  void forget_if(const SessionKey& key, IsDue is_due, const std::function<void(bool forgotten)>& done);
  void drop_surplus();
  void drop(const SessionKey& key);
  void tell_running();
  void tell_hosts(const SessionKey& key, SessionHost* host);
  SessionHost& here() const { return *hosts_.front(); }
  SessionHost& host_at(std::size_t loop) const { return *hosts_[loop]; }

  const Hosts& hosts_;
  const SessionOptions& options_;
  BlockingPool& looks_;
  SessionRegistry registry_;
  Turns turns_;
  Watchers watchers_;
  std::function<void(std::size_t running)> drain_told_;  // null: not draining
};

}  // namespace ptyd
