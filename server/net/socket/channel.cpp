#include "server/net/socket/channel.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/steady_timer.hpp>
#include <chrono>

namespace ptyd {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

/// Long enough for an answer to cross the world, short enough to give no peer a connection for nothing.
constexpr std::chrono::seconds kLinger{2};

/// Says goodbye, then reads and forgets until the peer has closed or the time is over. Over TLS a goodbye is a
/// close_notify: without it a whole answer looks like one that was cut.
class Lingering : public std::enable_shared_from_this<Lingering> {
 public:
  Lingering(Channel& channel, IoDone done)
      : channel_(channel), timer_(channel.get_executor()), done_(std::move(done)) {}

  void start() {
    timer_.expires_after(kLinger);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->channel_.close();
    });
    if (!channel_.is_tls()) return say_no_more();
    channel_.tls().shutdown(IoDone([self = shared_from_this()](error_code, std::size_t) { self->say_no_more(); }));
  }

 private:
  void say_no_more() {
    error_code ignored;
    channel_.socket().shutdown(StreamSocket::shutdown_send, ignored);
    read();
  }

  void read() {
    channel_.socket().async_read_some(asio::buffer(space_), [self = shared_from_this()](error_code error, std::size_t) {
      if (error) return self->finish();
      self->read();
    });
  }

  void finish() {
    timer_.cancel();
    channel_.close();
    done_(error_code());
  }

  Channel& channel_;  // outlives this: `done_` keeps its owner
  asio::steady_timer timer_;
  IoDone done_;
  std::array<char, 4096> space_;
};

}  // namespace

void Channel::watch_link(std::chrono::milliseconds longest) {
  const auto time = static_cast<unsigned int>(longest.count());
  (void)::setsockopt(socket().native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT, &time, sizeof(time));
}

void Channel::close() {
  error_code ignored;
  socket().shutdown(StreamSocket::shutdown_both, ignored);
  socket().close(ignored);
}

void Channel::write_held(IoDone done) {
  write_held_from(0, std::move(done));
}

void Channel::write_held_from(std::size_t begin, IoDone done) {
  const auto rest = asio::buffer(held_) + begin;
  auto on_written = [this, begin, all = rest.size(), done = std::move(done)](error_code error,
                                                                             std::size_t count) mutable {
    if (!error && count < all) return write_held_from(begin + count, std::move(done));
    std::string().swap(held_);  // a quiet connection keeps no memory
    done(error);
  };
  if (tls_) return tls_->write_some(asio::buffer(rest, kTlsRecord), IoDone(std::move(on_written)));
  socket_.async_write_some(rest, IoDone(std::move(on_written)));
}

void Channel::linger(IoDone done) {
  const auto lingering = std::make_shared<Lingering>(*this, std::move(done));
  let_go();
  if (held_.empty()) return lingering->start();
  write_held(IoDone([lingering](error_code, std::size_t) { lingering->start(); }));
}

}  // namespace ptyd
