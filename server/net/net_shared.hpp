// NetShared: state shared by all connections; NetLoop: the part of it that belongs to one loop.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "server/loop/loop_lag.hpp"
#include "server/loop/loops.hpp"
#include "server/loop/memory_return.hpp"
#include "server/net/access/auth.hpp"
#include "server/net/access/connection_shares.hpp"
#include "server/net/access/ended_logins.hpp"
#include "server/net/access/failure_limiter.hpp"
#include "server/net/access/handshakes.hpp"
#include "server/net/access/log_rate_limiter.hpp"
#include "server/net/access/mcp_sessions.hpp"
#include "server/net/access/site.hpp"
#include "server/net/access/tls_rate_limiter.hpp"
#include "server/net/access_log.hpp"
#include "server/net/net_counters.hpp"
#include "server/net/net_options.hpp"
#include "server/net/request_turns.hpp"
#include "server/net/socket/listen_address.hpp"
#include "server/net/websocket/intake.hpp"
#include "server/policy/access.hpp"

namespace ptyd {

class Connection;
class HttpSession;
class NetShared;
class SessionManager;
class StaticFiles;

/// State of net on one loop.
///
/// Owns    nothing that is connected: connections own themselves while something is under way, and leave at their end.
/// Thread  its loop, but for the counters.
struct NetLoop {
  Loop& loop;
  NetShared& shared;
  std::shared_ptr<StaticFiles> files;
  Handshakes handshakes;
  TlsRateLimiter tls_rate_limiter = {};
  LogRateLimiter bounded_lines = {};  ///< of the access log
  Intake intake = {};
  MessageTime message_time{};
  MessageTime viewer_time{MessageTime::kOfViewers, {}};  ///< of those that may only view, and of requests
  MemoryReturn memory{loop, give_memory_back};
  LoopLag lag{loop};
  std::shared_ptr<const Authenticator> authenticator = nullptr;
  std::shared_ptr<TlsContext> tls = nullptr;  ///< none: plain
  std::unordered_set<HttpSession*> http_sessions = {};
  std::unordered_set<Connection*> connections = {};
  EndedLogins ended_logins = {};  ///< of the server
  NetCounters counters = {};
  RequestTurns request_turns{loop, viewer_time};  ///< the last: a request that it lets go looks at all of this
};

UnixSeconds now_in_seconds(const NetLoop& net);
/// Judges a request's credentials, at the loop that `net` is of.
Judgement judge(const NetLoop& net, const RequestFacts& facts);

/// Thread  any, after set_bound().
class NetShared {
 public:
  /// A request counts until its loop knows that the answer is sent, and its client may have asked another loop for
  /// more by then: a client that asks for one thing after the other is not refused.
  static constexpr std::size_t kSpareRequests = 16;

  NetShared(Loops& loops, SessionManager& sessions, NetOptions options);

  /// The addresses are known: site() and the loops' authenticators are there from now on. Once, before anything is
  /// accepted.
  void set_bound(std::vector<ListenAddress> addresses);
  /// No more connections are taken up.
  void set_closing() { closing_.store(true, std::memory_order_relaxed); }
  /// No more WebSockets are taken up; or again.
  void set_draining(bool on) { draining_.store(on, std::memory_order_relaxed); }

  const NetOptions& options() const { return options_; }
  const Site& site() const { return *site_; }
  SessionManager& sessions() { return sessions_; }
  bool is_closing() const { return closing_.load(std::memory_order_relaxed); }
  bool is_draining() const { return draining_.load(std::memory_order_relaxed); }
  /// Whether another WebSocket with `access` may be taken up.
  bool has_room(Access access) const;
  /// Whether another request with a token may be carried out: as many at once as WebSockets with full access, and
  /// kSpareRequests.
  bool has_room_for_request() const;

  std::size_t size() const { return loops_.size(); }
  NetLoop& at(std::size_t index) { return *loops_[index]; }
  void add_loop(Loop& loop, std::shared_ptr<StaticFiles> files);

  /// From now on, soon on all loops, these secrets count. Connections opened by a token that is no longer valid are
  /// closed; TLS connections go on. On loop 0.
  void renew(NetSecrets secrets);
  /// Closes what was opened by `login`, whose cookie opens nothing more. On any loop; done soon afterwards.
  void end_login(const Login& login);
  /// The WebSockets that are open now; `done` is called on `loop`.
  void describe(Loop& loop, std::function<void(std::vector<ConnectionDebug>)> done);
  /// Says goodbye to the one of that name; `done` is told on `loop` whether there is one.
  void close_connection(Loop& loop, const std::string& name, std::function<void(bool)> done);

  /// A WebSocket's count in the ConnectionShares; it ends with the last copy, on any loop.
  using Share = std::shared_ptr<const void>;
  struct Taken {
    Share share;
    std::optional<HttpReply> refusal;
  };
  /// Counts a WebSocket of `client`; `done` is called on loop 0.
  void take_share(ConnectionShares::ClientIds client, std::function<void(Taken)> done);

  NetMetrics metrics() const;
  /// Of each loop.
  std::vector<const LagTimes*> lags() const;
  /// A wrong credential was shown from `address`; `done` is called on loop 0 with what that costs.
  void on_failure(std::string address, std::function<void(FailureLimiter::Penalty)> done);
  /// Does `work`, on loop 0.
  void with_mcp_sessions(std::function<void(McpSessions&)> work);

 private:
  std::shared_ptr<const Authenticator> make_authenticator() const;

  Loops& all_;
  Loop& main_;
  SessionManager& sessions_;
  NetOptions options_;
  std::optional<Site> site_;
  std::vector<std::unique_ptr<NetLoop>> loops_;
  FailureLimiter limiter_;    ///< on loop 0
  McpSessions mcp_sessions_;  ///< likewise
  /// Likewise; what is given back late may outlive this.
  std::shared_ptr<ConnectionShares> shares_ = std::make_shared<ConnectionShares>(options_.shares);
  std::atomic<bool> closing_{false}, draining_{false};
};

}  // namespace ptyd
