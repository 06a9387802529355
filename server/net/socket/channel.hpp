// Channel: the bytes of one connection, over TCP or a unix socket, with TLS or without.
#pragma once

#include <algorithm>
#include <boost/asio/async_result.hpp>
#include <boost/asio/basic_stream_socket.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/role.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "server/net/socket/cork.hpp"
#include "server/net/socket/io_done.hpp"

namespace ptyd {

/// Concrete in protocol and executor: one type for all sockets, and no type-erased executor on the path of a key.
using StreamSocket =
    boost::asio::basic_stream_socket<boost::asio::generic::stream_protocol, boost::asio::io_context::executor_type>;

class TlsContext;

/// The part that TLS adds, without its headers.
class TlsStream {
 public:
  virtual ~TlsStream() = default;
  virtual StreamSocket& socket() = 0;
  virtual void handshake(IoDone done) = 0;
  virtual void read_some(boost::asio::mutable_buffer space, IoDone done) = 0;
  virtual void write_some(boost::asio::const_buffer bytes, IoDone done) = 0;
  /// Says that nothing more will be written, and waits until the peer has said so or can say nothing any more.
  virtual void shutdown(IoDone done) = 0;
};

/// An asynchronous stream as Beast wants one, so that only one kind of WebSocket stream is ever compiled.
///
/// Owns    the socket.
/// Thread  the loop of its socket.
class Channel {
 public:
  using executor_type = StreamSocket::executor_type;

  explicit Channel(StreamSocket socket) : socket_(std::move(socket)) {}
  explicit Channel(std::unique_ptr<TlsStream> tls) : socket_(tls->socket().get_executor()), tls_(std::move(tls)) {}

  executor_type get_executor() noexcept { return socket_.get_executor(); }
  bool is_tls() const { return tls_ != nullptr; }
  TlsStream& tls() { return *tls_; }
  StreamSocket& socket() { return tls_ ? tls_->socket() : socket_; }
  const StreamSocket& socket() const { return tls_ ? tls_->socket() : socket_; }

  /// Bytes that were read too far: the next reads give them first.
  void put_back(std::string bytes) { put_back_ = std::move(bytes); }

  /// Makes short writes wait for the next one and go with it, where the caller `has_more` to write and Cork allows it:
  /// a frame with others behind it is no packet of its own. A caller that has more must write once more, or let go
  /// before it says goodbye.
  void hold(bool has_more, TimePoint now) { holding_ = cork_.holds(has_more, now); }
  void let_go() { holding_ = false; }

  /// Lets the kernel end the connection once its link has taken nothing for so long: a peer that is not read, since
  /// answers wait for it, cannot be asked for a pong. Not for unix sockets, which know at once.
  void watch_link(std::chrono::milliseconds longest);
  /// Ends both directions now. Operations under way complete with an error.
  void close();
  /// Says that nothing more will be written, and reads what the peer still sends, so that closing does not reset the
  /// connection under an answer that the peer has yet to read. Then closes.
  void linger(IoDone done);

  template <class Buffers, class Token>
  auto async_read_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, const Buffers& space) { this->read(space, std::move(handler)); }, token, buffers);
  }

  template <class Buffers, class Token>
  auto async_write_some(const Buffers& buffers, Token&& token) {
    return boost::asio::async_initiate<Token, void(boost::system::error_code, std::size_t)>(
        [this](auto handler, const Buffers& bytes) { this->write(bytes, std::move(handler)); }, token, buffers);
  }

 private:
  template <class Buffers, class Handler>
  void read(const Buffers& buffers, Handler handler) {
    if (!put_back_.empty()) {
      const auto count = boost::asio::buffer_copy(buffers, boost::asio::buffer(put_back_));
      put_back_.erase(0, count);
      boost::asio::post(get_executor(), [handler = std::move(handler), count]() mutable {
        std::move(handler)(boost::system::error_code(), count);
      });
    } else if (tls_) {
      tls_->read_some(first(buffers), IoDone(std::move(handler)));
    } else {
      socket_.async_read_some(buffers, std::move(handler));
    }
  }

  template <class Buffers, class Handler>
  void write(const Buffers& buffers, Handler handler) {
    const auto size = boost::asio::buffer_size(buffers);
    if (holding_ && held_.size() + size <= kHeld) {
      keep(buffers);
      boost::asio::post(get_executor(), [handler = std::move(handler), size]() mutable {
        std::move(handler)(boost::system::error_code(), size);
      });
      return;
    }
    if (!held_.empty()) {
      keep(buffers);
      return write_held(
          IoDone([handler = std::move(handler), size](boost::system::error_code error, std::size_t) mutable {
            std::move(handler)(error, error ? 0 : size);
          }));
    }
    if (!tls_) return socket_.async_write_some(buffers, std::move(handler));
    // One TLS record, not one for each piece of a frame.
    flat_.resize(std::min(size, kTlsRecord));
    boost::asio::buffer_copy(boost::asio::buffer(flat_), buffers);
    tls_->write_some(boost::asio::buffer(flat_), IoDone(std::move(handler)));
  }

  template <class Buffers>
  void keep(const Buffers& buffers) {
    const auto before = held_.size();
    held_.resize(before + boost::asio::buffer_size(buffers));
    boost::asio::buffer_copy(boost::asio::buffer(held_) + before, buffers);
  }
  /// Writes and forgets all that is held.
  void write_held(IoDone done);
  void write_held_from(std::size_t begin, IoDone done);

  template <class Buffers>
  static boost::asio::mutable_buffer first(const Buffers& buffers) {
    for (auto it = boost::asio::buffer_sequence_begin(buffers); it != boost::asio::buffer_sequence_end(buffers); ++it) {
      if (const boost::asio::mutable_buffer buffer(*it); buffer.size() > 0) return buffer;
    }
    return {};
  }

  static constexpr std::size_t kTlsRecord = 16 * 1024;  ///< the most TLS puts into one
  static constexpr std::size_t kHeld = 16 * 1024;       ///< more than this is worth a packet

  StreamSocket socket_;  ///< not open where there is TLS
  std::unique_ptr<TlsStream> tls_;
  std::string put_back_;
  std::string flat_;
  bool holding_ = false;
  Cork cork_;
  std::string held_;
};

/// How Beast ends a connection whose time is over.
inline void beast_close_socket(Channel& channel) {
  channel.close();
}

/// How Beast ends a connection after the closing handshake.
template <class Handler>
void async_teardown(boost::beast::role_type, Channel& channel, Handler&& handler) {
  channel.linger(IoDone([handler = std::forward<Handler>(handler)](boost::system::error_code error,
                                                                   std::size_t) mutable { handler(error); }));
}

}  // namespace ptyd
