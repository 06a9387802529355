#include "server/net/websocket/web_socket.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <boost/beast/websocket/rfc6455.hpp>
#include <optional>
#include <string>
#include <utility>

#include "pty/text/utf8.hpp"
#include "server/loop/supervise.hpp"
#include "server/net/access_log.hpp"
#include "server/net/log_text.hpp"
#include "server/net/socket/web_socket_stream.hpp"
#include "server/net/websocket/message_progress.hpp"
#include "server/net/websocket/peer.hpp"
#include "server/net/websocket/pings.hpp"
#include "server/net/websocket/rate.hpp"
#include "server/net/websocket/stream_setup.hpp"

namespace ptyd {
namespace {

using CloseCode = boost::beast::websocket::close_code;
using boost::system::error_code;

/// Bytes of one read within a message, so that memory is given for bytes that came, not for a length that was
/// announced; and of the first read, all that a connection holds ready while it waits for a message.
constexpr std::size_t kReadChunk = 16 * 1024, kReadFirst = 512;
/// Between messages, more than this is given back.
constexpr std::size_t kKeptBuffer = 4 * 1024;
/// Messages that are counted while they are under way, and that leave memory worth giving back. Shorter ones come whole
/// with their first reads.
constexpr std::size_t kLongMessage = 16 * 1024;
constexpr std::size_t kOwnMemory = 32 * 1024;  // that a connection leaves at its end

class WebSocket final : public Connection,
                        public Transport,
                        public Sender,
                        public std::enable_shared_from_this<WebSocket> {
 public:
  WebSocket(NetLoop& net, Channel channel, ConnectionOptions options)
      : net_(net),
        options_(std::move(options)),
        stream_(std::move(channel), stream_options(net_, options_)),
        timer_(net.loop.make_timer()),
        alive_(net.loop.clock().now()) {
    net_.counters.connections.add();
    if (options_.access == Access::view) net_.counters.view_connections.add();
    net_.counters.upgrades.add();
    net_.connections.insert(this);
  }
  ~WebSocket() {
    hold(0);
    net_.memory.freed(kOwnMemory);
    net_.connections.erase(this);
    if (options_.access == Access::view) net_.counters.view_connections.subtract();
    net_.counters.connections.subtract();
  }

  void accept(const WebSocketStream::Request& request);
  void on_task_failed(std::string_view what);

  // Connection
  void say_goodbye(std::uint16_t code, std::string_view reason) override;
  Access access() const override { return options_.access; }
  std::string_view login() const override { return options_.login ? std::string_view(options_.login->number) : ""; }
  ConnectionDebug debug() const override {
    return {options_.record, peer_ ? peer_->spoken_languages() : "", is_paused_, net_.loop.index()};
  }
  void cut() override { finish("cut"); }

  // Transport
  void wake() override;
  void ping(std::uint64_t number) override;
  void close(std::uint16_t code, std::string_view reason) override;
  void resume_reading() override;
  void spent(MessageTime::Duration time) override { message_time().take(share_, time, now()); }
  TimePoint next_turn() const override { return message_time().next_turn(share_, now()); }

  // Sender
  void on_no_room() override;

 private:
  MessageTime& message_time() const { return options_.access == Access::full ? net_.message_time : net_.viewer_time; }
  void on_accepted(error_code error);
  void read();
  void on_read(error_code error, std::size_t count);
  void read_next();
  void pause_reading(bool on);  ///< for the metrics
  void deliver();
  void hear(std::string_view text);
  void await_more();  ///< a part of a message has come
  void hold(std::size_t bytes);
  void write();
  void on_written(error_code error, std::size_t count);
  void send_ping();
  void on_control(ControlFrame kind, std::string_view payload);
  void watch();
  void on_time();
  /// Keeps this until `handler` has run.
  template <class Handler>
  IoDone done(Handler handler) {
    return IoDone(supervised(shared_from_this(), std::move(handler)));
  }
  void finish(std::string_view why);
  void tell_end(std::string_view why) const;
  void trace(const char* direction, std::size_t size, std::string_view text) const;
  TimePoint now() const { return net_.loop.clock().now(); }

  NetLoop& net_;
  ConnectionOptions options_;
  WebSocketStream stream_;
  std::unique_ptr<Timer> timer_;
  std::unique_ptr<Timer> pause_;  ///< between two messages; null until it is needed
  std::shared_ptr<Peer> peer_;    ///< null before the upgrade is answered and after the end
  Frame frame_;                   ///< being written
  bool reading_ = false, writing_ = false, pinging_ = false, closing_ = false, finished_ = false;
  std::optional<std::pair<std::uint16_t, std::string>> goodbye_;  ///< once all that waits is written
  TimePoint patience_ = TimePoint::max();                         ///< with a peer that does not take what waits
  std::string farewell_;                                          ///< for the log, once we close
  Pings pings_;
  TimePoint alive_;  ///< when the peer last proved to be there
  TimePoint due_;    ///< of timer_, while the connection is open
  MessageProgress progress_;
  MessageTime::Share share_;
  bool is_held_ = false, is_paused_ = false, ignored_binary_ = false;  ///< the first two are counted
  Rate control_frames_{Pings::kMostOfPeer};
};

void WebSocket::accept(const WebSocketStream::Request& request) {
  stream_.on_control([this](ControlFrame kind, std::string_view payload) { on_control(kind, payload); });
  stream_.channel().watch_link(net_.shared.options().ping_timeout);
  stream_.accept(request, done([this](error_code error, std::size_t) { on_accepted(error); }));
}

void WebSocket::on_accepted(error_code error) {
  if (error || finished_) return finish(why_ended(error));
  Peer::Options options{options_.access, options_.all_events, net_.shared.options().facts, {}, {}};
  options.facts.delegate = options_.delegate;
  options.facts.credential = login();
  options.name = options_.record.name;
  options.spoken = options_.spoken;
  alive_ = now();
  auto peer = Peer::create(net_.loop, net_.shared.sessions(), *this, std::move(options));
  if (finished_) return peer->on_closed();
  peer_ = std::move(peer);
  watch();
  read();
  wake();
}

void WebSocket::on_task_failed(std::string_view what) {
  spdlog::error("{} ended by a fault of ours: {}", options_.record.name, log_text(what));
  finish("fault");
}

// --- Reading

void WebSocket::read() {
  reading_ = true;
  pause_reading(false);
  stream_.read_some(stream_.message().empty() ? kReadFirst : kReadChunk,
                    done([this](error_code error, std::size_t count) { on_read(error, count); }));
}

void WebSocket::on_read(error_code error, std::size_t count) {
  // Input that had arrived before a write failed is of no interest any more.
  if (error || finished_) return finish(why_ended(error));
  alive_ = now();
  net_.counters.bytes_in.add(count);
  options_.record.bytes_in += count;
  const bool is_done = stream_.is_message_done();
  if (is_done) {
    deliver();
  } else {
    await_more();
  }
  reading_ = false;  // only now: the message's buffer was in use
  // Once we say goodbye the stream itself reads until the peer has answered. A read of ours that meets the answer first
  // would wait for the goodbye to end, and that one for the read.
  if (!peer_ || closing_) return;
  if (is_done) return read_next();
  read();
}

/// Reads the next message, when the peer may say more; after a pause, where messages of this connection take long.
void WebSocket::read_next() {
  if (!peer_ || reading_ || closing_) return;
  if (!peer_->may_read()) return pause_reading(true);
  const auto turn = next_turn();
  if (turn <= now()) return read();
  pause_reading(true);
  if (!pause_) pause_ = net_.loop.make_timer();
  pause_->wait_until(turn, supervised(shared_from_this(), [this] { read_next(); }));
}

void WebSocket::pause_reading(bool on) {
  if (std::exchange(is_paused_, on) == on) return;
  if (!on) return net_.counters.paused.subtract();
  net_.counters.paused.add();
  net_.counters.pauses.add();
}

void WebSocket::deliver() {
  const auto text = stream_.message();
  const auto size = text.size();
  progress_.ended();
  net_.counters.frames_in.add();
  trace("<", size, text);
  hear(text);
  spent(now() - alive_);
  stream_.forget_message(kKeptBuffer);
  hold(peer_ ? peer_->undecoded() : 0);
  if (size >= kLongMessage) net_.memory.freed(size);
}

void WebSocket::hear(std::string_view text) {
  if (closing_ || goodbye_) return;  // frames after our goodbye are not read
  if (stream_.is_binary() && options_.spoken.front()->ignores_binary) {
    if (!std::exchange(ignored_binary_, true))
      spdlog::warn("{} sent a binary message, which is ignored", options_.record.name);
    return;
  }
  if (stream_.is_binary() && !utf8::valid(text)) return close(CloseCode::bad_payload, "the message is no UTF-8 text");
  peer_->on_message(text);
}

void WebSocket::await_more() {
  const auto bytes = stream_.message().size();
  progress_.came(bytes, alive_);
  hold(bytes);
  if (!closing_ && *progress_.until() < due_) watch();
}

void WebSocket::hold(std::size_t bytes) {
  if (bytes < kLongMessage) bytes = 0;
  if (bytes == 0 && !is_held_) return;
  is_held_ = bytes > 0;
  net_.intake.hold(*this, bytes);
}

void WebSocket::on_no_room() {
  is_held_ = false;
  close(CloseCode::try_again_later, "messages of other connections need the room of this one");
}

void WebSocket::resume_reading() {
  hold(0);
  read_next();
}

// --- Writing

void WebSocket::wake() {
  if (peer_ && !writing_ && !closing_) write();
}

void WebSocket::write() {
  writing_ = true;
  auto frame = peer_->take_frame();
  if (!frame) {
    writing_ = false;
    return goodbye_ ? close(goodbye_->first, goodbye_->second) : void();
  }
  stream_.channel().hold(peer_->has_more(), now());
  frame_ = std::move(*frame);
  trace(">", frame_.size(), frame_.head);
  const WebSocketStream::Pieces pieces{boost::asio::buffer(frame_.head),
                                       frame_.body ? boost::asio::buffer(*frame_.body) : boost::asio::const_buffer(),
                                       boost::asio::buffer(frame_.tail)};
  stream_.write(pieces, done([this](error_code error, std::size_t count) {
                  writing_ = false;
                  on_written(error, count);
                }));
}

void WebSocket::on_written(error_code error, std::size_t count) {
  frame_ = {};
  if (error) return finish(why_ended(error));
  net_.counters.frames_out.add();
  net_.counters.bytes_out.add(count);
  options_.record.bytes_out += count;
  if (!peer_) return;
  peer_->on_written();
  wake();
}

// --- Pings

void WebSocket::ping(std::uint64_t number) {
  pings_.ask(number);
  send_ping();
}

void WebSocket::send_ping() {
  if (pinging_ || closing_ || finished_) return;
  const auto payload = pings_.next();
  if (!payload) return;
  pinging_ = true;
  stream_.ping(*payload, done([this](error_code error, std::size_t) {
    pinging_ = false;
    if (!error) send_ping();
  }));
}

/// Called by the stream while it reads, so nothing may be thrown from here and nothing started.
void WebSocket::on_control(ControlFrame kind, std::string_view payload) try {
  alive_ = now();
  if (kind == ControlFrame::close) return;
  const auto pong = kind == ControlFrame::pong ? pings_.take(payload) : Pings::Pong();
  if (pong.number && peer_) peer_->on_pong(*pong.number);
  if (pong.is_expected) return;
  if (control_frames_.take(alive_) || closing_) return;
  net_.loop.post(supervised(shared_from_this(), [this] { close(CloseCode::policy_error, Pings::kTooMany); }));
} catch (const std::exception& error) {
  on_task_failed(error.what());
}

// --- Time

void WebSocket::watch() {
  const auto& options = net_.shared.options();
  due_ = std::min(now() + options.ping_interval, alive_ + options.ping_timeout);
  due_ = std::min({due_, progress_.until().value_or(due_), patience_});
  timer_->wait_until(due_, supervised(shared_from_this(), [this] { on_time(); }));
}

void WebSocket::on_time() {
  const auto& options = net_.shared.options();
  const auto quiet = now() - alive_;
  if (closing_) return finish("the peer did not answer our goodbye");
  if (now() >= patience_) return finish("the peer did not take what waits before our goodbye");
  if (options_.login && now_in_seconds(net_) > options_.login->until)
    return close(CloseCode::policy_error, "the login has ended");
  if (progress_.until() && now() >= *progress_.until()) return close(CloseCode::policy_error, MessageProgress::kReason);
  // A client that is not read cannot ack anything.
  if (!reading_) alive_ = now();
  if (reading_ && quiet >= options.ping_timeout) return finish("silence: no pong");
  pings_.keep_alive(quiet >= options.ping_interval / 2);
  send_ping();
  watch();
}

// --- End

void WebSocket::say_goodbye(std::uint16_t code, std::string_view reason) {
  goodbye_.emplace(code, reason);
  patience_ = std::min(patience_, now() + kHandshakeTime);
  if (peer_) peer_->on_goodbye();
  if (!writing_) peer_ ? write() : close(code, reason);
  if (peer_ && !closing_) watch();
}

void WebSocket::close(std::uint16_t code, std::string_view reason) {
  if (closing_ || finished_) return;
  closing_ = true;
  stream_.channel().let_go();
  farewell_ = "closed with " + std::to_string(code) + ": " + log_text(reason);
  if (!peer_) return finish("closed before the upgrade");
  peer_->on_goodbye();
  timer_->wait_until(now() + kHandshakeTime, supervised(shared_from_this(), [this] { on_time(); }));
  stream_.close(code, reason, done([this](error_code, std::size_t) { finish("closed by us"); }));
}

void WebSocket::finish(std::string_view why) {
  if (std::exchange(finished_, true)) return;
  tell_end(closing_ ? farewell_ : why);
  timer_->cancel();
  if (pause_) pause_->cancel();
  pause_reading(false);
  hold(0);
  options_.share.reset();
  stream_.channel().close();
  if (const auto peer = std::exchange(peer_, nullptr)) peer->on_closed();
  // A turn of its own: the caller may go through all connections, and this may be the last reference to us.
  net_.loop.post(supervised(shared_from_this(), [this] { stream_.abandon(); }));
}

void WebSocket::tell_end(std::string_view why) const {
  const auto line =
      access_line(options_.record, "ended: " + std::string(why), peer_ ? peer_->spoken_languages() : "", now());
  spdlog::log(access_level(net_.shared.options().access_log), "{}", line);
}

void WebSocket::trace(const char* direction, std::size_t size, std::string_view text) const {
  if (net_.shared.options().trace)
    spdlog::info("{} {} {} {} bytes", options_.record.name, direction, frame_kind(text), size);
}

}  // namespace

void start_web_socket(NetLoop& net, Channel channel, const WebSocketStream::Request& request,
                      ConnectionOptions options) {
  std::make_shared<WebSocket>(net, std::move(channel), std::move(options))->accept(request);
}

}  // namespace ptyd
