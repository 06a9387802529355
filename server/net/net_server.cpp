#include "server/net/net_server.hpp"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <array>

#include "server/net/connection.hpp"
#include "server/net/http_session.hpp"
#include "server/net/log_text.hpp"

namespace ptyd {
namespace {

/// For the closing handshakes; a browser answers in milliseconds.
constexpr std::chrono::seconds kClosingTime{2};
/// For what was cut after that to notice; a timer of a refused login is the longest.
constexpr std::chrono::seconds kCuttingTime{2};
constexpr std::chrono::milliseconds kClosingPoll{20};
constexpr std::uint16_t kGoingAway = 1001;

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

NetServer::NetServer(Loops& loops, SessionManager& sessions, Options options)
    : loops_(loops), sessions_(sessions), options_(std::move(options)), closing_timer_(loops.main().context()) {
  for (std::size_t i = 0; i < loops.size(); i++) {
    net_loops_.push_back(std::make_unique<NetLoop>(loops.at(i), *this, options_.web_dir));
  }
}

NetServer::~NetServer() {
  stop_accepting();
}

Result<void> NetServer::bind() {
  Site::Options site;
  for (const auto& address : options_.listen) {
    auto listener = Listener::bind(loops_.main(), address);
    if (!listener) return listener.error();
    site.listening.push_back((*listener)->address());
    listeners_.push_back(std::move(*listener));
  }
  site.tls = options_.tls != nullptr;
  site.public_url = options_.public_url;
  site.machine = machine_name();
  site_.emplace(std::move(site));
  Authenticator::Options auth;
  auth.mode = options_.auth;
  auth.token = options_.token;
  auth.view_token = options_.view_token;
  auth.port = site_->port();
  auth.path = site_->base_path() + "/";
  auth.secure = site_->secure();
  authenticator_.emplace(std::move(auth));
  return {};
}

void NetServer::start() {
  for (const auto& listener : listeners_) {
    listener->start([this](Accepted accepted) { deal(std::move(accepted)); });
    spdlog::info("listening on {}", to_string(listener->address()));
  }
}

void NetServer::deal(Accepted accepted) {
  const auto number = next_connection_++;
  auto& net = *net_loops_[number % net_loops_.size()];
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
    const auto handshakes = net.handshakes;
    for (auto* session : handshakes) session->cut();
  });
}

void NetServer::close_all(std::string reason, std::function<void()> done) {
  closing_.store(true, std::memory_order_relaxed);
  stop_accepting();
  for (const auto& net : net_loops_) close_on(*net, reason, true);
  const auto deadline = std::chrono::steady_clock::now() + kClosingTime;
  await_empty(deadline, [this, reason, done = std::move(done)] {
    for (const auto& net : net_loops_) close_on(*net, reason, false);
    await_empty(std::chrono::steady_clock::now() + kCuttingTime, done);
  });
}

/// What a connection has begun refers to this server, so all of it has to end first.
void NetServer::await_empty(std::chrono::steady_clock::time_point deadline, std::function<void()> done) {
  const auto now = metrics();
  if (now.connections + now.handshakes == 0 || std::chrono::steady_clock::now() >= deadline) return done();
  closing_timer_.expires_after(kClosingPoll);
  closing_timer_.async_wait([this, deadline, done = std::move(done)](boost::system::error_code error) mutable {
    if (!error) await_empty(deadline, std::move(done));
  });
}

NetMetrics NetServer::metrics() const {
  NetMetrics sum;
  for (const auto& net : net_loops_) {
    const auto& of = net->counters;
    sum.accepted += of.accepted.get();
    sum.requests += of.requests.get();
    sum.refused += of.refused.get();
    sum.failures += of.failures.get();
    sum.handshakes += of.handshakes.get();
    sum.connections += of.connections.get();
    sum.upgrades += of.upgrades.get();
    sum.frames_in += of.frames_in.get();
    sum.frames_out += of.frames_out.get();
    sum.bytes_in += of.bytes_in.get();
    sum.bytes_out += of.bytes_out.get();
  }
  return sum;
}

void NetServer::on_failure(std::string address, std::function<void(bool)> done) {
  loops_.main().dispatch([this, address = std::move(address), done = std::move(done)] {
    done(limiter_.on_failure(address, FailureLimiter::Clock::now()));
  });
}

}  // namespace ptyd
