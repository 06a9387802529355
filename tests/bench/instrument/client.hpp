// Client: one WebSocket connection to the measured server, in the envelope protocol.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace ptyd::bench {

/// Thread  the one that runs its io_context.
/// Errors  a connection that is lost is not is_alive(); open() throws boost::system::system_error.
class Client {
 public:
  Client(boost::asio::io_context& context, std::uint16_t port, std::string thread);
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client();

  /// Called with what the terminal has printed, frame by frame.
  std::function<void(std::string_view)> on_output = [](std::string_view) {};

  /// Connects, which blocks, and asks for the terminal.
  void open();
  void type(std::string_view data);
  /// Reads nothing any more.
  void pause() { is_paused_ = true; }
  void resume();
  /// Closes the TCP connection at once.
  void drop();
  bool is_alive() const { return is_open_ && !has_failed_; }
  /// Of what the terminal has printed.
  std::uint64_t output_bytes() const { return output_bytes_; }

 private:
  void send(std::string frame);
  void flush();
  void read();
  void on_frame();

  const std::uint16_t port_;
  const std::string thread_;
  boost::beast::websocket::stream<boost::asio::ip::tcp::socket> socket_;
  boost::beast::flat_buffer frame_;
  std::string decoded_;
  std::deque<std::string> waiting_;
  std::uint64_t output_bytes_ = 0;
  bool is_open_ = false, has_failed_ = false, is_paused_ = false, reads_ = false, writes_ = false;
  std::shared_ptr<bool> lives_ = std::make_shared<bool>(true);  // for handlers that come behind its end
};

/// Runs handlers until `done`, or until `limit_s` seconds are over: false.
bool run_until(boost::asio::io_context& context, double limit_s, const std::function<bool()>& done);
/// Runs handlers for so long.
void run_for(boost::asio::io_context& context, double duration_s);

}  // namespace ptyd::bench
