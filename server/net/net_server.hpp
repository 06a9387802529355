// NetServer: everything that listens, and the end of everything that is connected.
#pragma once

#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "server/net/net_shared.hpp"
#include "server/net/socket/listener.hpp"

namespace ptyd {

/// Owns    the listeners, on loop 0, which deal the connections to the loops in turn; and what those share.
/// Thread  loop 0.
class NetServer {
 public:
  using Options = NetOptions;

  NetServer(Loops& loops, SessionManager& sessions, Options options);
  ~NetServer();

  /// Binds every address; afterwards site() is complete.
  Result<void> bind();
  void start();
  void stop_accepting();
  /// See NetShared::set_draining().
  void set_draining(bool on) { shared_.set_draining(on); }
  /// See NetShared::renew().
  void renew(NetSecrets secrets) { shared_.renew(std::move(secrets)); }
  /// Closes every connection with 1001 and `reason`, and calls `done` on loop 0 when all are gone or have had their
  /// time.
  void close_all(std::string reason, std::function<void()> done);

  const Site& site() const { return shared_.site(); }

 private:
  void deal(Accepted accepted);
  void free_descriptors();
  void close_on(NetLoop& net, const std::string& reason, bool politely);
  void close_everywhere(const std::string& reason, bool politely);
  void await_empty(std::chrono::steady_clock::time_point deadline, std::function<void()> done);

  Loops& loops_;
  NetShared shared_;
  std::vector<std::shared_ptr<Listener>> listeners_;
  boost::asio::steady_timer closing_timer_;
  std::uint64_t next_connection_ = 1;
};

}  // namespace ptyd
