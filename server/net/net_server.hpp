// NetServer: everything that listens and is connected.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "server/loops.hpp"
#include "server/net/auth.hpp"
#include "server/net/failure_limiter.hpp"
#include "server/net/listener.hpp"
#include "server/net/metrics.hpp"
#include "server/net/net_counters.hpp"
#include "server/net/peer.hpp"
#include "server/net/site.hpp"
#include "server/net/static_files.hpp"
#include "server/net/tls.hpp"

namespace ptyd {

class Connection;
class HttpSession;
class NetServer;

/// What net has on one loop.
///
/// Owns    nothing that is connected: those own themselves while something is under way, and leave when they end.
/// Thread  its loop, but for the counters.
struct NetLoop {
  NetLoop(Loop& l, NetServer& s, const std::filesystem::path& web_dir) : loop(l), server(s), files(web_dir) {}

  Loop& loop;
  NetServer& server;
  StaticFiles files;
  std::list<HttpSession*> handshakes;  ///< oldest first
  std::unordered_set<Connection*> connections;
  NetCounters counters;
};

/// Owns    the listeners, on loop 0, which deal the connections to the loops in turn.
/// Thread  loop 0, unless said otherwise.
class NetServer {
 public:
  struct Options {
    std::vector<ListenAddress> listen;
    AuthMode auth = AuthMode::token;
    std::string token, view_token;
    std::filesystem::path web_dir;
    std::optional<PublicUrl> public_url;
    std::shared_ptr<TlsContext> tls;  ///< null: none
    std::size_t max_connections = 1024;
    std::chrono::milliseconds ping_interval{20000}, ping_timeout{60000};
    bool trace = false;
    bool deflate = false;
    WelcomeFacts facts;
  };

  NetServer(Loops& loops, SessionManager& sessions, Options options);
  ~NetServer();

  /// Binds every address; afterwards site() is complete.
  Result<void> bind();
  void start();
  void stop_accepting();
  /// Closes every connection with 1001 and `reason`, and calls `done` on loop 0 when all are gone or have had their
  /// time.
  void close_all(std::string reason, std::function<void()> done);

  // From any loop, after bind():
  const Options& options() const { return options_; }
  const Site& site() const { return *site_; }
  const Authenticator& authenticator() const { return *authenticator_; }
  SessionManager& sessions() { return sessions_; }
  NetMetrics metrics() const;
  /// A wrong credential was shown from `address`; `done(delayed)` is called on any loop: see
  /// FailureLimiter::on_failure.
  void on_failure(std::string address, std::function<void(bool)> done);
  /// No more connections are taken up.
  bool is_closing() const { return closing_.load(std::memory_order_relaxed); }

 private:
  void deal(Accepted accepted);
  void close_on(NetLoop& net, const std::string& reason, bool politely);
  void await_empty(std::chrono::steady_clock::time_point deadline, std::function<void()> done);

  Loops& loops_;
  SessionManager& sessions_;
  Options options_;
  std::optional<Site> site_;
  std::optional<Authenticator> authenticator_;
  std::vector<std::shared_ptr<Listener>> listeners_;
  std::vector<std::unique_ptr<NetLoop>> net_loops_;
  FailureLimiter limiter_;
  boost::asio::steady_timer closing_timer_;
  std::atomic<bool> closing_{false};
  std::uint64_t next_connection_ = 1;
};

}  // namespace ptyd
