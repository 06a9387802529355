// SessionHost: the sessions, viewers and launcher of one loop.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>

#include "pty/journal/journal.hpp"
#include "pty/process/process_tree.hpp"
#include "pty/process/pty.hpp"
#include "server/loop/blocking_pool.hpp"
#include "server/loop/clock.hpp"
#include "server/loop/loops.hpp"
#include "server/session/context/disconnect_callbacks.hpp"
#include "server/session/context/session_context.hpp"
#include "server/session/context/session_facts.hpp"
#include "server/session/delivery/viewer.hpp"
#include "server/session/routing/router.hpp"
#include "server/session/session.hpp"

namespace ptyd {

/// Sessions of one loop.
///
/// Owns    the sessions and the launcher of its loop. Viewers are shared until they are removed.
/// Thread  its loop, for everything but loop().
class SessionHost {
 public:
  SessionHost(Loop& loop, std::unique_ptr<Launcher> launcher, const HostSettings& settings);
  ~SessionHost();

  Loop& loop() { return loop_; }
  const HostSettings& settings() const { return settings_; }
  /// For the Commands that are given on this loop.
  Router& router() { return router_; }

  Session* find(const SessionKey& key);
  using SessionCallback = std::function<void(Result<std::shared_ptr<Session>>)>;
  /// Tells of the session. One that is not in memory is made with the transcript on disk, and told of maybe later. Not
  /// twice at a time for one key.
  void find_or_make(const SessionKey& key, SessionCallback made);
  /// Closes and forgets; nothing happens when there is none. In a turn of its own: never from inside a session's call.
  void forget(const SessionKey& key);
  const std::map<SessionKey, std::shared_ptr<Session>>& sessions() const { return sessions_; }

  void add_viewer(const std::shared_ptr<Viewer>& viewer);
  void remove_viewer(const std::shared_ptr<Viewer>& viewer);
  /// See SessionDelegate; of a viewer that belongs here.
  void when_gone(const std::shared_ptr<Viewer>& viewer,
                 const std::shared_ptr<const DisconnectCallbacks::Callback>& told);
  void tell_viewers(const std::shared_ptr<const EncodedEvent>& encoded);

  void shut_down(std::function<void()> done);
  SessionMetrics metrics() const;

 private:
  void expect_activity();
  void expect_rest();
  void put_to_rest();
  void tidy();
  Result<std::shared_ptr<Session>> make_session(const SessionKey& key, Journal journal, std::string name);
  void poll();
  void poll_some();
  void poll(Session& session, TimePoint now);
  void schedule_poll(std::chrono::milliseconds delay);

  Loop& loop_;
  std::unique_ptr<Launcher> launcher_;
  const HostSettings& settings_;
  SessionContext context_;
  Router router_;
  std::map<SessionKey, std::shared_ptr<Session>> sessions_;
  std::unordered_set<std::shared_ptr<Viewer>> viewers_;
  DisconnectCallbacks disconnect_callbacks_;  ///< of these
  ProcessTree processes_;
  std::unique_ptr<Timer> poll_timer_;
  bool polls_fast_ = false;
  /// A look at the processes of all sessions, over several turns.
  struct PollRound {
    explicit PollRound(std::uint64_t last) : last_pid(last) {}
    const std::uint64_t last_pid;      ///< when it began: processes that begin meanwhile are found in the next round
    std::optional<SessionKey> polled;  ///< the session that was looked at last
    bool any_live = false, any_active = false;
  };
  std::optional<PollRound> poll_round_;
  std::unique_ptr<Timer> rest_timer_;
  bool rest_expected_ = false;             ///< a round is to begin, or under way
  bool someone_awake_ = false;             ///< this round found a session too early to be put to rest
  std::optional<SessionKey> put_to_rest_;  ///< the session that this round has come to; none between rounds
  bool holes_ = false;                     ///< Screens have left memory, and it was not given back since
  TimePoint tidied_at_;
  bool ending_ = false;  ///< nothing is started any more
};

}  // namespace ptyd
