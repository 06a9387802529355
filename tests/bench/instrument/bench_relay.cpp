// bench_relay PORT PROGRAM: the ceiling of the server's stack. It relays a program's pty to a WebSocket in the envelope
// protocol with Asio and Beast on two threads, and keeps neither a screen nor a journal.
#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>
#include <csignal>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "tests/bench/instrument/relay_text.hpp"

namespace ptyd::bench {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

/// The most bytes of output in one frame, and in one turn.
constexpr std::size_t kFrame = 16384;

/// One connection and its program. It lives as long as one of its handlers.
class Relayed : public std::enable_shared_from_this<Relayed> {
 public:
  Relayed(tcp::socket socket, std::string program)
      : program_(std::move(program)), socket_(std::move(socket)), pty_(socket_.get_executor()) {}
  ~Relayed() {
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  void start() {
    socket_.next_layer().set_option(tcp::no_delay(true));
    socket_.auto_fragment(false);
    socket_.async_accept([self = shared_from_this()](error_code failed) {
      if (failed) return;
      self->socket_.text(true);
      self->receive();
    });
  }

 private:
  void receive() {
    socket_.async_read(request_, [self = shared_from_this()](error_code failed, std::size_t) {
      if (failed) return self->close();
      self->carry_out({static_cast<const char*>(self->request_.data().data()), self->request_.size()});
      self->request_.consume(self->request_.size());
      self->receive();
    });
  }

  void carry_out(std::string_view request) {
    const auto body = boost::json::parse(request).at("body");
    const auto text = [&body](const char* field) { return std::string(body.at(field).as_string()); };
    if (text("_tag") == "terminal.open") return spawn(text("threadId"));
    const auto typed = text("data");
    if (::write(pty_.native_handle(), typed.data(), typed.size()) < 0) std::perror("write");
  }

  void spawn(const std::string& thread) {
    head_ = R"({"type":"push","channel":"terminal.event","data":{"type":"output","threadId":")" + thread +
            R"(","terminalId":"default","createdAt":"2026-01-01T00:00:00.000Z","data":")";
    int master = -1;
    const winsize size{24, 80, 0, 0};
    child_ = ::forkpty(&master, nullptr, nullptr, &size);
    if (child_ == 0) {
      ::signal(SIGPIPE, SIG_DFL);
      ::execl(program_.c_str(), program_.c_str(), nullptr);
      ::_exit(127);
    }
    ::fcntl(master, F_SETFD, FD_CLOEXEC);
    pty_.assign(master);
    pty_.non_blocking(true);
    watch();
  }

  void watch() {
    if (is_watched_ || !pty_.is_open() || pending_.size() >= kFrame) return;
    is_watched_ = true;
    pty_.async_wait(asio::posix::descriptor_base::wait_read, [self = shared_from_this()](error_code failed) {
      self->is_watched_ = false;
      if (!failed) self->read();
    });
  }

  /// Through one buffer a thread: a session holds only what waits to be sent.
  void read() {
    static thread_local std::string buffer(kFrame, '\0');
    while (pending_.size() < kFrame) {
      const auto length = ::read(pty_.native_handle(), buffer.data(), kFrame - pending_.size());
      if (length < 0 && (errno == EAGAIN || errno == EINTR)) break;
      if (length <= 0) return close();
      pending_.append(buffer, 0, static_cast<std::size_t>(length));
    }
    send();
    watch();
  }

  /// One frame is under way; what comes meanwhile is in the next one.
  void send() {
    if (sends_ || pending_.empty()) return;
    sends_ = true;
    encode();
    socket_.async_write(asio::buffer(frame_), [self = shared_from_this()](error_code failed, std::size_t) {
      self->sends_ = false;
      if (failed) return self->close();
      self->send();
      self->watch();
      if (!self->sends_ && self->pending_.empty()) self->give_back();
    });
  }

  void encode() {
    const auto whole = pending_.size() - unfinished_tail(pending_);
    frame_.assign(head_);
    append_escaped(frame_, std::string_view(pending_).substr(0, whole));
    frame_ += "\"}}";
    pending_.erase(0, whole);
  }

  void give_back() {
    std::string().swap(pending_);
    std::string().swap(frame_);
  }

  void close() {
    error_code ignored;
    pty_.close(ignored);
    socket_.next_layer().close(ignored);
  }

  const std::string program_;
  boost::beast::websocket::stream<tcp::socket> socket_;
  asio::posix::stream_descriptor pty_;
  boost::beast::flat_buffer request_;
  std::string head_, pending_, frame_;
  bool is_watched_ = false, sends_ = false;
  pid_t child_ = -1;
};

/// Deals its connections to two threads in turn.
class Relay {
 public:
  Relay(std::uint16_t port, std::string program)
      : program_(std::move(program)), acceptor_(first_, {asio::ip::address_v4::loopback(), port}) {}

  void run() {
    accept();
    std::thread other([this] {
      const auto work = asio::make_work_guard(second_);
      second_.run();
    });
    first_.run();
    other.join();
  }

 private:
  void accept() {
    std::swap(next_, after_);
    acceptor_.async_accept(*next_, [this](error_code failed, tcp::socket socket) {
      if (!failed) {
        const auto executor = socket.get_executor();
        asio::post(executor, [made = std::make_shared<Relayed>(std::move(socket), program_)] { made->start(); });
      }
      accept();
    });
  }

  const std::string program_;
  asio::io_context first_{1}, second_{1};
  asio::io_context *next_ = &first_, *after_ = &second_;
  tcp::acceptor acceptor_;
};

}  // namespace
}  // namespace ptyd::bench

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: bench_relay PORT PROGRAM\n", stderr);
    return 2;
  }
  ::signal(SIGPIPE, SIG_IGN);
  ptyd::bench::Relay(static_cast<std::uint16_t>(std::stoi(argv[1])), argv[2]).run();
}
