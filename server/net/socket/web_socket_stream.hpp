// WebSocketStream: the messages of one WebSocket over a Channel, without Beast's headers.
#pragma once

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/net/socket/channel.hpp"
#include "server/net/socket/io_done.hpp"

namespace ptyd {

enum class ControlFrame : std::uint8_t { ping, pong, close };

/// One read, one write, one ping and one close may be under way at a time (RFC 6455 by Beast). All of Beast's WebSocket
/// is in web_socket_stream.cpp, since it takes half a minute to compile.
///
/// Owns    the channel. It outlives what is under way: `done` keeps its owner.
/// Thread  the loop of the channel.
class WebSocketStream {
 public:
  using Request = boost::beast::http::request<boost::beast::http::string_body>;
  /// Bytes that are written as one message.
  using Pieces = std::array<boost::asio::const_buffer, 3>;

  struct Options {
    std::vector<std::pair<std::string, std::string>> headers;  ///< of the answer to the upgrade
    std::chrono::milliseconds handshake_time;                  ///< for that answer, and for a peer to answer a close
    std::size_t max_message;                                   ///< bytes; longer ones end the stream with 1009
    bool deflate = false;                                      ///< offer permessage-deflate
    std::size_t deflate_from = 0;                              ///< bytes; smaller messages are not compressed
  };

  WebSocketStream(Channel channel, Options options);
  ~WebSocketStream();

  Channel& channel();
  /// Is called while the stream reads: it may throw nothing and start nothing.
  void on_control(std::function<void(ControlFrame kind, std::string_view payload)> told);

  void accept(const Request& request, IoDone done);

  /// Reads at most `most` bytes of the message under way. No memory is given for what a header only announces.
  void read_some(std::size_t most, IoDone done);
  /// Result of the last read.
  std::string_view message() const;
  bool is_message_done() const;
  bool is_binary() const;
  /// Forgets the message, and memory beyond `kept` bytes.
  void forget_message(std::size_t kept);

  /// The pieces stay valid until `done`.
  void write(const Pieces& pieces, IoDone done);
  void ping(std::string_view payload, IoDone done);
  /// Says goodbye with a code of RFC 6455, 7.4. `reason` is cut at 123 bytes.
  void close(std::uint16_t code, std::string_view reason, IoDone done);

  /// Ends what waits inside the stream, where no closing of the channel reaches it: a read that fails in the middle of
  /// a frame waits for the close, and the close for the read.
  void abandon();

 private:
  struct Stream;
  std::unique_ptr<Stream> stream_;
};

/// Why a read or a write has failed, for the log.
std::string why_ended(boost::system::error_code error);

}  // namespace ptyd
