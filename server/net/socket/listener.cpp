#include "server/net/socket/listener.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>

#include "server/loop/supervise.hpp"

namespace ptyd {
namespace {

using boost::system::error_code;

/// Then the loop's other work has its turn.
constexpr int kAcceptsPerTurn = 32;
/// Out of descriptors or memory: trying at once again would only burn the processor.
constexpr std::chrono::milliseconds kPause{200};

/// Faults of one connection that was lost before it was accepted, not of the listener.
bool concerns_one_connection(int error) {
  return error == ECONNABORTED || error == EINTR || error == EPROTO || error == EPERM || error == ENETDOWN ||
         error == EHOSTUNREACH || error == ENETUNREACH || error == EHOSTDOWN || error == ENOPROTOOPT;
}

/// Only this user and root; the directory keeps others away already, this holds where it is opened up later.
bool may_connect(int fd, PeerAddress& peer) {
  ucred credentials{};
  socklen_t length = sizeof(credentials);
  if (::getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &length) != 0) return false;
  peer = describe_unix_peer(credentials.uid);
  return credentials.uid == ::geteuid() || credentials.uid == 0;
}

}  // namespace

Listener::Listener(Loop& loop, ListenAddress address, UniqueFd fd)
    : address_(std::move(address)),
      file_(socket_file(address_)),
      socket_(loop.context().get_executor(), fd.release()),
      timer_(loop.context()) {}

Result<std::shared_ptr<Listener>> Listener::bind(Loop& loop, const ListenAddress& address) {
  auto bound = address;
  auto fd = address.is_unix() ? bind_unix(address) : bind_tcp(bound);
  if (!fd) return fd.error();
  return std::shared_ptr<Listener>(new Listener(loop, std::move(bound), std::move(*fd)));
}

Listener::~Listener() {
  stop();
}

void Listener::start(Callbacks callbacks) {
  callbacks_ = std::move(callbacks);
  wait();
}

void Listener::stop() {
  if (!socket_.is_open()) return;
  if (file_ && socket_file(address_) == file_) ::unlink(address_.path.c_str());
  timer_.cancel();
  error_code ignored;
  socket_.close(ignored);
}

void Listener::on_task_failed(std::string_view what) {
  spdlog::error("{}: accepting failed: {}", to_string(address_), what);
  pause(0);
}

void Listener::wait() {
  socket_.async_wait(socket_.wait_read, supervised(shared_from_this(), [this](error_code error) {
                       if (!error) accept_ready();
                     }));
}

void Listener::accept_ready() {
  for (int i = 0; i < kAcceptsPerTurn; i++) {
    if (!accept_one()) return;
  }
  wait();
}

/// False when there is no more to accept now; what comes next has been arranged then.
bool Listener::accept_one() {
  sockaddr_storage from{};
  socklen_t length = sizeof(from);
  Accepted accepted;
  accepted.fd.reset(
      ::accept4(socket_.native_handle(), reinterpret_cast<sockaddr*>(&from), &length, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (!accepted.fd) {
    if (concerns_one_connection(errno)) return true;
    if (errno == EAGAIN) {
      wait();
    } else {
      const int error = errno;
      if (error == EMFILE || error == ENFILE) callbacks_.exhausted();
      pause(error);
    }
    return false;
  }
  complained_ = false;
  accepted.family = address_.is_unix() ? AF_UNIX : from.ss_family;
  if (!address_.is_unix()) {
    accepted.peer = describe_peer(from);
    const int on = 1;
    ::setsockopt(accepted.fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  } else if (!may_connect(accepted.fd.get(), accepted.peer)) {
    spdlog::warn("{}: refused a connection of {}", to_string(address_), accepted.peer.text);
    return true;
  }
  callbacks_.accepted(std::move(accepted));
  return true;
}

void Listener::pause(int error) {
  if (!complained_ && error != 0) {
    spdlog::error("{}: cannot accept: {}; trying on", to_string(address_), std::strerror(error));
    complained_ = true;
  }
  timer_.expires_after(kPause);
  timer_.async_wait(supervised(shared_from_this(), [this](error_code aborted) {
    if (!aborted) wait();
  }));
}

}  // namespace ptyd
