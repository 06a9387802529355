// Listener: accepts connections on one address.
#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>

#include "pty/result.hpp"
#include "pty/unique_fd.hpp"
#include "server/loop/loops.hpp"
#include "server/net/socket/bind.hpp"
#include "server/net/socket/listen_address.hpp"
#include "server/net/socket/peer_address.hpp"

namespace ptyd {

/// A connected socket: close-on-exec, non-blocking.
struct Accepted {
  UniqueFd fd;
  PeerAddress peer;
  int family = 0;
};

/// Accepts until it is stopped. Where there are no descriptors left it tells so, and tries again after a pause.
///
/// Owns    the listening socket, and the file of a unix socket; another file that has taken its place stays.
/// Thread  one loop.
class Listener : public std::enable_shared_from_this<Listener> {
 public:
  struct Callbacks {
    std::function<void(Accepted)> accepted;
    std::function<void()> exhausted;  ///< there are no descriptors left
  };

  /// Binds and listens. A unix socket lies in a directory of this user's alone (made where there is none); what a dead
  /// server left there is removed. Errc::busy when another process listens.
  static Result<std::shared_ptr<Listener>> bind(Loop& loop, const ListenAddress& address);
  ~Listener();

  /// With the port really bound.
  const ListenAddress& address() const { return address_; }
  void start(Callbacks callbacks);
  void stop();
  void on_task_failed(std::string_view what);

 private:
  Listener(Loop& loop, ListenAddress address, UniqueFd fd);
  void wait();
  void accept_ready();
  bool accept_one();
  void pause(int error);

  ListenAddress address_;
  std::optional<SocketFile> file_;
  boost::asio::posix::basic_stream_descriptor<boost::asio::io_context::executor_type> socket_;
  boost::asio::steady_timer timer_;
  Callbacks callbacks_;
  bool complained_ = false;
};

}  // namespace ptyd
