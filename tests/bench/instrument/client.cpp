#include "tests/bench/instrument/client.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address_v4.hpp>
#include <chrono>
#include <utility>

#include "tests/bench/instrument/frames.hpp"
#include "tests/bench/instrument/samples.hpp"

namespace ptyd::bench {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

Client::Client(asio::io_context& context, std::uint16_t port, std::string thread)
    : port_(port), thread_(std::move(thread)), socket_(context) {}

Client::~Client() {
  *lives_ = false;
  drop();
}

void Client::open() {
  auto& stream = socket_.next_layer();
  stream.connect({asio::ip::address_v4::loopback(), port_});
  stream.set_option(tcp::no_delay(true));
  socket_.read_message_max(0);
  socket_.auto_fragment(false);
  socket_.handshake("127.0.0.1:" + std::to_string(port_), "/ws");
  socket_.text(true);
  is_open_ = true;
  send(open_frame(thread_));
  read();
}

void Client::type(std::string_view data) {
  send(write_frame(thread_, data));
}

void Client::resume() {
  is_paused_ = false;
  read();
}

void Client::drop() {
  is_open_ = false;
  error_code ignored;
  socket_.next_layer().close(ignored);
}

void Client::send(std::string frame) {
  waiting_.push_back(std::move(frame));
  flush();
}

void Client::flush() {
  if (writes_ || waiting_.empty() || !is_open_) return;
  writes_ = true;
  socket_.async_write(asio::buffer(waiting_.front()), [this, lives = lives_](error_code failed, std::size_t) {
    if (!*lives) return;
    writes_ = false;
    waiting_.pop_front();
    has_failed_ = has_failed_ || failed;
    if (!failed) flush();
  });
}

void Client::read() {
  if (reads_ || is_paused_ || !is_open_) return;
  reads_ = true;
  socket_.async_read(frame_, [this, lives = lives_](error_code failed, std::size_t) {
    if (!*lives) return;
    reads_ = false;
    has_failed_ = has_failed_ || failed;
    if (failed) return;
    on_frame();
    read();
  });
}

void Client::on_frame() {
  decoded_.clear();
  read_frame({static_cast<const char*>(frame_.data().data()), frame_.size()}, decoded_);
  frame_.consume(frame_.size());
  output_bytes_ += decoded_.size();
  if (!decoded_.empty()) on_output(decoded_);
}

bool run_until(asio::io_context& context, double limit_s, const std::function<bool()>& done) {
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit_s));
  while (!done()) {
    if (Clock::now() >= end) return false;
    context.restart();
    context.run_one_until(end);
  }
  return true;
}

void run_for(asio::io_context& context, double duration_s) {
  run_until(context, duration_s, [] { return false; });
}

}  // namespace ptyd::bench
