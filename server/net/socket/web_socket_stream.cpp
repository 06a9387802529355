#include "server/net/socket/web_socket_stream.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

namespace ptyd {
namespace {

namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using boost::system::error_code;

constexpr std::size_t kMaxReason = 123;  ///< bytes; a control frame holds 125, and the code takes two

ControlFrame control_frame(websocket::frame_type kind) {
  switch (kind) {
    case websocket::frame_type::ping:
      return ControlFrame::ping;
    case websocket::frame_type::pong:
      return ControlFrame::pong;
    case websocket::frame_type::close:
      break;
  }
  return ControlFrame::close;
}

/// Ends with `signal` as well.
auto until(asio::cancellation_signal& signal, IoDone done) {
  return asio::bind_cancellation_slot(
      signal.slot(), [done = std::move(done)](error_code error, std::size_t count = 0) mutable { done(error, count); });
}

}  // namespace

struct WebSocketStream::Stream {
  explicit Stream(Channel channel) : socket(std::move(channel)) {}

  asio::cancellation_signal read, write, ping, close;
  websocket::stream<Channel> socket;
  boost::beast::flat_buffer message;
};

WebSocketStream::WebSocketStream(Channel channel, Options options)
    : stream_(std::make_unique<Stream>(std::move(channel))) {
  auto& socket = stream_->socket;
  websocket::stream_base::timeout timeout{};
  timeout.handshake_timeout = options.handshake_time;
  timeout.idle_timeout = websocket::stream_base::none();
  socket.set_option(timeout);
  socket.set_option(
      websocket::stream_base::decorator([headers = std::move(options.headers)](websocket::response_type& response) {
        for (const auto& [name, value] : headers) response.set(name, value);
      }));
  websocket::permessage_deflate deflate;
  deflate.server_enable = options.deflate;
  deflate.msg_size_threshold = options.deflate_from;
  socket.set_option(deflate);
  socket.read_message_max(options.max_message);
  socket.auto_fragment(false);
  socket.text(true);
}

WebSocketStream::~WebSocketStream() = default;

Channel& WebSocketStream::channel() {
  return stream_->socket.next_layer();
}

void WebSocketStream::on_control(std::function<void(ControlFrame kind, std::string_view payload)> told) {
  stream_->socket.control_callback(
      [told = std::move(told)](websocket::frame_type kind, boost::beast::string_view payload) {
        told(control_frame(kind), {payload.data(), payload.size()});
      });
}

void WebSocketStream::accept(const Request& request, IoDone done) {
  stream_->socket.async_accept(request, [done = std::move(done)](error_code error) mutable { done(error); });
}

void WebSocketStream::read_some(std::size_t most, IoDone done) {
  stream_->socket.async_read_some(stream_->message, most, until(stream_->read, std::move(done)));
}

std::string_view WebSocketStream::message() const {
  return {static_cast<const char*>(stream_->message.data().data()), stream_->message.size()};
}

bool WebSocketStream::is_message_done() const {
  return stream_->socket.is_message_done();
}

bool WebSocketStream::is_binary() const {
  return stream_->socket.got_binary();
}

void WebSocketStream::forget_message(std::size_t kept) {
  stream_->message.consume(stream_->message.size());
  if (stream_->message.capacity() > kept) stream_->message.shrink_to_fit();
}

void WebSocketStream::write(const Pieces& pieces, IoDone done) {
  stream_->socket.async_write(pieces, until(stream_->write, std::move(done)));
}

void WebSocketStream::ping(std::string_view payload, IoDone done) {
  stream_->socket.async_ping({payload.data(), payload.size()}, until(stream_->ping, std::move(done)));
}

void WebSocketStream::close(std::uint16_t code, std::string_view reason, IoDone done) {
  reason = reason.substr(0, kMaxReason);
  const websocket::close_reason why(static_cast<websocket::close_code>(code), {reason.data(), reason.size()});
  stream_->socket.async_close(why, until(stream_->close, std::move(done)));
}

void WebSocketStream::abandon() {
  for (auto* waiting : {&stream_->close, &stream_->read, &stream_->write, &stream_->ping})
    waiting->emit(asio::cancellation_type::terminal);
}

std::string why_ended(error_code error) {
  if (error == websocket::error::closed) return "closed by the peer";
  const bool is_protocol = error.category() == make_error_code(websocket::error::closed).category();
  return (is_protocol ? "broken by the peer: " : "lost: ") + error.message();
}

}  // namespace ptyd
