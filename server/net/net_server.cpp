#include "server/net/net_server.hpp"

#include <spdlog/spdlog.h>

#include "server/net/http/http_session.hpp"
#include "server/net/http/static_files.hpp"
#include "server/net/log_text.hpp"
#include "server/net/websocket/connection.hpp"

namespace ptyd {
namespace {

/// For the closing handshakes; a browser answers in milliseconds.
constexpr std::chrono::seconds kClosingTime{2};
/// For the work of connections that were cut after that to come to its end.
constexpr std::chrono::seconds kCuttingTime{2};
constexpr std::chrono::milliseconds kClosingPoll{20};
constexpr std::uint16_t kGoingAway = 1001;

}  // namespace

NetServer::NetServer(Loops& loops, SessionManager& sessions, Options options)
    : loops_(loops), shared_(loops, sessions, std::move(options)), closing_timer_(loops.main().context()) {
  const auto& web_dir = shared_.options().web_dir;
  for (std::size_t i = 0; i < loops.size(); i++) {
    shared_.add_loop(loops.at(i), std::make_shared<StaticFiles>(web_dir));
  }
}

NetServer::~NetServer() {
  stop_accepting();
}

Result<void> NetServer::bind() {
  std::vector<ListenAddress> bound;
  for (const auto& address : shared_.options().listen) {
    auto listener = Listener::bind(loops_.main(), address);
    if (!listener) return listener.error();
    bound.push_back((*listener)->address());
    listeners_.push_back(std::move(*listener));
  }
  shared_.set_bound(std::move(bound));
  return {};
}

void NetServer::start() {
  for (const auto& listener : listeners_) {
    listener->start({[this](Accepted accepted) { deal(std::move(accepted)); }, [this] { free_descriptors(); }});
    spdlog::info("listening on {}", to_string(listener->address()));
  }
}

void NetServer::deal(Accepted accepted) {
  const auto number = next_connection_++;
  auto& net = shared_.at(number % shared_.size());
  net.loop.dispatch([&net, number, family = accepted.family, peer = std::move(accepted.peer),
                     fd = std::make_shared<UniqueFd>(std::move(accepted.fd))]() mutable {
    net.counters.accepted.add();
    StreamSocket socket(net.loop.context().get_executor());
    boost::system::error_code error;
    socket.assign(boost::asio::generic::stream_protocol(family, 0), fd->get(), error);
    if (error) return spdlog::error("connection of {} lost: {}", peer.text, error.message());
    fd->release();
    HttpSession::start(net, std::move(socket), std::move(peer), "c" + std::to_string(number));
  });
}

/// Connections that have shown no token give way to new ones.
void NetServer::free_descriptors() {
  for (std::size_t i = 0; i < shared_.size(); i++) {
    auto& net = shared_.at(i);
    net.loop.dispatch([&net] {
      for (std::size_t cut = 0; cut < Handshakes::kCutWhenExhausted; cut++) net.handshakes.cut_one();
    });
  }
}

void NetServer::stop_accepting() {
  for (const auto& listener : listeners_) listener->stop();
}

void NetServer::close_on(NetLoop& net, const std::string& reason, bool politely) {
  net.loop.dispatch([&net, reason, politely] {
    const auto connections = net.connections;
    for (auto* connection : connections) {
      if (politely) {
        connection->say_goodbye(kGoingAway, reason);
      } else {
        connection->cut();
      }
    }
    const auto http_sessions = net.http_sessions;
    for (auto* session : http_sessions) session->end();
  });
}

void NetServer::close_everywhere(const std::string& reason, bool politely) {
  for (std::size_t i = 0; i < shared_.size(); i++) close_on(shared_.at(i), reason, politely);
}

void NetServer::close_all(std::string reason, std::function<void()> done) {
  shared_.set_closing();
  stop_accepting();
  close_everywhere(reason, true);
  const auto deadline = std::chrono::steady_clock::now() + kClosingTime;
  await_empty(deadline, [this, reason, done = std::move(done)] {
    close_everywhere(reason, false);
    await_empty(std::chrono::steady_clock::now() + kCuttingTime, done);
  });
}

/// Work that a connection has begun refers to this server, so all of it has to end first.
void NetServer::await_empty(std::chrono::steady_clock::time_point deadline, std::function<void()> done) {
  const auto now = shared_.metrics();
  if (now.connections + now.handshakes == 0 || std::chrono::steady_clock::now() >= deadline) return done();
  closing_timer_.expires_after(kClosingPoll);
  closing_timer_.async_wait([this, deadline, done = std::move(done)](boost::system::error_code error) mutable {
    if (!error) await_empty(deadline, std::move(done));
  });
}

}  // namespace ptyd
