#include "server/net/net_shared.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "server/loop/gather.hpp"
#include "server/net/websocket/connection.hpp"

namespace ptyd {
namespace {

constexpr std::uint16_t kLoginEnded = 1008;  ///< the login, or the token, counts no more
constexpr std::uint16_t kEndedByOperator = 1008;

std::string machine_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

/// Descriptors that this process may have.
std::size_t descriptor_limit() {
  rlimit limit{};
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 0;
}

}  // namespace

UnixSeconds now_in_seconds(const NetLoop& net) {
  return net.loop.clock().unix_now() / 1000;
}

Judgement judge(const NetLoop& net, const RequestFacts& facts) {
  const auto judgement = net.authenticator->judge(facts, now_in_seconds(net));
  const bool has_ended = judgement.login && net.ended_logins.has(*judgement.login);
  return has_ended ? Judgement() : judgement;
}

NetShared::NetShared(Loops& loops, SessionManager& sessions, NetOptions options)
    : all_(loops), main_(loops.main()), sessions_(sessions), options_(std::move(options)) {}

void NetShared::add_loop(Loop& loop, std::shared_ptr<StaticFiles> files) {
  const auto most = Handshakes::most(descriptor_limit(), all_.size());
  loops_.push_back(std::unique_ptr<NetLoop>(new NetLoop{loop, *this, std::move(files), Handshakes(most)}));
  loop.post([net = loops_.back().get()] { net->lag.start(); });
}

void NetShared::set_bound(std::vector<ListenAddress> addresses) {
  Site::Options site;
  site.listening = std::move(addresses);
  site.tls = options_.secrets.tls != nullptr;
  site.public_url = options_.public_url;
  site.machine = machine_name();
  site_.emplace(std::move(site));
  for (const auto& net : loops_) {
    net->authenticator = make_authenticator();
    net->tls = options_.secrets.tls;
  }
}

std::shared_ptr<const Authenticator> NetShared::make_authenticator() const {
  Authenticator::Options auth;
  auth.mode = options_.auth;
  auth.token = options_.secrets.token;
  auth.view_token = options_.secrets.view_token;
  auth.port = site_->port();
  auth.path = site_->base_path() + "/";
  auth.secure = site_->secure();
  return std::make_shared<const Authenticator>(std::move(auth));
}

void NetShared::renew(NetSecrets secrets) {
  const auto old = std::exchange(options_.secrets, std::move(secrets));
  const bool full = options_.secrets.token != old.token, view = options_.secrets.view_token != old.view_token;
  for (const auto& net : loops_)
    net->loop.dispatch([net = net.get(), full, view, authenticator = make_authenticator(), tls = options_.secrets.tls] {
      net->authenticator = authenticator;
      net->tls = tls;
      const auto connections = net->connections;  // one that ends leaves them
      for (auto* connection : connections)
        if (connection->access() == Access::full ? full : view)
          connection->say_goodbye(kLoginEnded, "the token has changed");
    });
}

bool NetShared::has_room(Access access) const {
  const auto now = metrics();
  const auto view = std::min(now.view_connections, now.connections);  // other loops count meanwhile
  const auto open = access == Access::full ? now.connections - view : view;
  return !is_closing() && open < places(access, options_.max_connections);
}

bool NetShared::has_room_for_request() const {
  return metrics().carried_out < places(Access::full, options_.max_connections) + kSpareRequests;
}

void NetShared::end_login(const Login& login) {
  for (const auto& net : loops_)
    net->loop.dispatch([net = net.get(), login] {
      net->ended_logins.end(login, now_in_seconds(*net));
      const auto connections = net->connections;  // one that ends leaves them
      for (auto* connection : connections)
        if (connection->login() == login.number) connection->say_goodbye(kLoginEnded, "logged out");
    });
}

void NetShared::describe(Loop& loop, std::function<void(std::vector<ConnectionDebug>)> done) {
  auto ask = [this](std::size_t index) {
    std::vector<ConnectionDebug> open;
    for (const auto* connection : at(index).connections) open.push_back(connection->debug());
    return open;
  };
  gather<ConnectionDebug>(all_, loop, std::move(ask), std::move(done));
}

void NetShared::close_connection(Loop& loop, const std::string& name, std::function<void(bool)> done) {
  auto ask = [this, name](std::size_t index) {
    std::vector<Connection*> found;
    for (auto* connection : at(index).connections)
      if (connection->debug().record.name == name) found.push_back(connection);
    for (auto* connection : found) connection->say_goodbye(kEndedByOperator, "ended by an operator");
    return std::vector<std::size_t>(found.size(), index);
  };
  gather<std::size_t>(all_, loop, std::move(ask),
                      [done = std::move(done)](const std::vector<std::size_t>& loops) { done(!loops.empty()); });
}

NetMetrics NetShared::metrics() const {
  NetMetrics sum;
  for (const auto& net : loops_) sum += net->counters;
  return sum;
}

std::vector<const LagTimes*> NetShared::lags() const {
  std::vector<const LagTimes*> lags;
  for (const auto& net : loops_) lags.push_back(&net->lag.times());
  return lags;
}

void NetShared::on_failure(std::string address, std::function<void(FailureLimiter::Penalty)> done) {
  main_.dispatch([this, address = std::move(address), done = std::move(done)] {
    done(limiter_.on_failure(address, main_.clock().now()));
  });
}

void NetShared::take_share(ConnectionShares::ClientIds client, std::function<void(Taken)> done) {
  main_.dispatch([main = &main_, shares = shares_, client = std::move(client), done = std::move(done)] {
    if (auto refusal = shares->enter(client)) return done({nullptr, std::move(refusal)});
    const auto give_back = [main, shares, client](const void*) {
      main->dispatch([shares, client] { shares->leave(client); });
    };
    done({Share(shares.get(), give_back), std::nullopt});
  });
}

void NetShared::with_mcp_sessions(std::function<void(McpSessions&)> work) {
  main_.dispatch([this, work = std::move(work)] { work(mcp_sessions_); });
}

}  // namespace ptyd
