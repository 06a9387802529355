#include "server/net/http/http_session.hpp"

#include <spdlog/spdlog.h>

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/buffers_to_string.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/span_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "server/loop/await_value.hpp"
#include "server/loop/supervise.hpp"
#include "server/net/access/admission.hpp"
#include "server/net/http/header_facts.hpp"
#include "server/net/http/static_files.hpp"
#include "server/net/http/upgrade.hpp"
#include "server/net/log_text.hpp"
#include "server/net/socket/tls.hpp"
#include "server/net/websocket/web_socket.hpp"

namespace ptyd {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using namespace std::chrono_literals;

constexpr std::uint32_t kMaxHeader = 16 * 1024;  ///< cookies of other ports on this host come along
constexpr auto kRequestTime = 10s;               ///< from the connection (or the last answer) to the end of a request
constexpr auto kAnswerTime = 120s;               ///< to take a file of the page over a slow link
constexpr unsigned kTooMany = 429;               ///< Too Many Requests

bool refuses(unsigned status) {
  return status == 401 || status == 403 || status == 421 || status == kTooMany;
}

/// Something was sent, and it was no HTTP.
bool is_http_error(error_code error) {
  return error.category() == http::make_error_code(http::error::bad_method).category() &&
         error != http::error::end_of_stream && error != http::error::partial_message;
}

}  // namespace

HttpSession::HttpSession(NetLoop& net, Channel channel, PeerAddress peer, std::string name)
    : net_(net),
      channel_(std::move(channel)),
      peer_(std::move(peer)),
      record_{.name = std::move(name), .from = peer_.text, .role = {}, .begun = net.loop.clock().now()},
      deadline_(net.loop.context()),
      held_back_(net.loop.context()) {
  net_.http_sessions.insert(this);
  net_.handshakes.enter(*this);
  net_.counters.handshakes.add();
}

HttpSession::~HttpSession() {
  if (!is_guest_) net_.counters.carried_out.subtract();
  net_.handshakes.leave(*this);
  net_.http_sessions.erase(this);
  net_.counters.handshakes.subtract();
}

void HttpSession::start(NetLoop& net, StreamSocket socket, PeerAddress peer, std::string name) {
  auto channel = net.tls ? Channel(net.tls->make_stream(std::move(socket))) : Channel(std::move(socket));
  std::shared_ptr<HttpSession> session(new HttpSession(net, std::move(channel), std::move(peer), std::move(name)));
  supervise(session, session->run());
}

void HttpSession::on_task_failed(std::string_view what) {
  spdlog::error("{} ended: {}", record_.name, log_text(what));
  end();
}

void HttpSession::cut() {
  net_.counters.count(Refusal::crowd);
  end();
}

/// Its place is free at once, though what is under way comes to its end in later turns.
void HttpSession::end() {
  is_cut_ = true;
  net_.handshakes.leave(*this);
  deadline_.cancel();
  held_back_.cancel();
  net_.request_turns.leave(turn_);
  if (channel_) channel_->close();
}

void HttpSession::become_guest() {
  if (std::exchange(is_guest_, true)) return;
  net_.counters.carried_out.subtract();
  if (!is_cut_) net_.handshakes.enter(*this);
}

/// A request showed a token and is carried out, as long as that may take: no newcomer may end it.
void HttpSession::become_client() {
  if (std::exchange(is_guest_, false)) net_.counters.carried_out.add();
  net_.handshakes.leave(*this);
}

/// Ends what is under way with an error when it takes longer.
void HttpSession::allow(std::chrono::milliseconds time) {
  deadline_.expires_after(time);
  deadline_.async_wait(supervised(shared_from_this(), [this](error_code error) {
    if (error || deadline_.expiry() > asio::steady_timer::clock_type::now()) return;
    if (!is_cut_ && record_.bytes_out == 0) net_.counters.count(Refusal::late);  // else it was idle
    end();
  }));
}

asio::awaitable<void> HttpSession::run() {
  spdlog::debug("{} connected from {}", record_.name, peer_.text);
  allow(kRequestTime);
  bool more = co_await shake_hands();
  while (more) more = co_await serve_one();
  if (channel_) {
    if (record_.role) tell(is_cut_ ? "ended: cut" : "ended", false);
    co_await linger();
  }
  end();
}

asio::awaitable<bool> HttpSession::shake_hands() {
  if (!channel_->is_tls()) co_return true;
  const auto turn = net_.tls_rate_limiter.take(peer_.bucket, net_.loop.clock().now());
  if (!turn) {
    cut();
    co_return false;
  }
  co_await wait(*turn);
  auto handshake = [this](auto done) {
    channel_->tls().handshake(IoDone([done, name = record_.name](error_code error, std::size_t) {
      // Browsers that do not know the certificate break off a few times; that is no event.
      if (error) spdlog::debug("{} TLS handshake failed: {}", name, error.message());
      done(!error);
    }));
  };
  co_return co_await await_value<bool>(executor(), std::move(handshake));
}

/// Lets an answer arrive before the connection goes.
asio::awaitable<void> HttpSession::linger() {
  auto linger = [this](auto done) { channel_->linger(IoDone([done](error_code, std::size_t) { done(true); })); };
  co_await await_value<bool>(executor(), std::move(linger));
}

/// False: nothing more is to be done on this connection.
asio::awaitable<bool> HttpSession::serve_one() {
  const auto parser = std::make_shared<Parser>();
  parser->header_limit(kMaxHeader);
  parser->body_limit(boost::none);  // each place has its own
  error_code error;
  allow(kRequestTime);
  record_.bytes_in +=
      co_await http::async_read_header(*channel_, buffer_, *parser, asio::redirect_error(asio::use_awaitable, error));
  if (is_http_error(error)) {
    net_.counters.count(Refusal::unreadable);
    auto refusal = error_reply(error == http::error::header_limit ? 431 : 400, error.message());
    co_await send(std::move(refusal), Asked{});
  }
  if (error) co_return false;
  co_await wait_as_guest();
  const auto request = std::make_shared<HttpRequest>();
  request->facts = facts_of(parser->get(), net_.authenticator->cookie_name());
  request->path = std::string(net_.shared.site().below_base(request->facts.path));
  request->header = [parser](std::string_view name) {
    return std::string(parser->get()[boost::beast::string_view(name.data(), name.size())]);
  };
  request->peer = peer_;
  request->worked = [this](TimePoint since) { spend(net_.loop.clock().now() - since); };
  record_.from = describe(request->facts);
  co_return co_await answer(parser, request);
}

asio::awaitable<bool> HttpSession::answer(SharedParser parser, SharedRequest request) {
  const auto* route = find_route(request->path);
  auto refusal = refuse_stranger(request->facts, net_.shared.site(), route != nullptr && route->probe);
  const auto offered = listed(request->facts.subprotocols);
  const auto spoken = spoken_at(languages(), request->path, offered);
  if (!refusal && request->facts.upgrade && !spoken.empty()) {
    refusal = co_await upgrade(parser, request, spoken);
    if (!refusal) co_return false;
  }
  HttpReply reply;
  if (refusal) {
    reply = std::move(*refusal);
  } else {
    reply = co_await reply_to(parser, request, route);
  }
  if (reply.delayed) reply = co_await hold_back(std::move(reply), record_.from);
  net_.counters.requests.add();
  if (refuses(reply.status)) net_.counters.refused.add();
  if (reply.refusal) net_.counters.count(*reply.refusal);
  if (request->facts.upgrade && !spoken.empty()) tell("refused an upgrade with " + std::to_string(reply.status), true);
  spdlog::debug("{} {} {} {}", record_.name, log_text(request->facts.method), log_text(request->facts.path),
                reply.status);
  Asked asked;
  asked.version = parser->get().version();
  asked.head = request->facts.method == "HEAD";
  asked.keep_alive = may_go_on(*parser, *request) && reply.status != kTooMany;
  co_return co_await send(std::move(reply), asked);
}

/// Where a request comes from, for the log: behind a proxy also what that says.
std::string HttpSession::describe(const RequestFacts& facts) const {
  return facts.forwarded_for.empty() ? peer_.text : peer_.text + " for " + log_text(facts.forwarded_for);
}

/// A line of the access log. Of refusals, and of those without full access, some may be left out.
void HttpSession::tell(const std::string& what, bool is_refusal) {
  const auto now = net_.loop.clock().now();
  const bool is_bounded = is_refusal || record_.role != Access::full;
  const auto left_out = is_bounded ? net_.bounded_lines.take(now) : 0;
  if (!left_out) return;
  const auto others = *left_out > 0 ? "; " + std::to_string(*left_out) + " such lines before it are left out" : "";
  spdlog::log(access_level(net_.shared.options().access_log), "{}{}", access_line(record_, what, "http", now), others);
}

/// Whether another request may follow: it is known where this one has ended.
bool HttpSession::may_go_on(const Parser& parser, const HttpRequest& request) const {
  const bool has_ended = parser.is_done() && !request.facts.unknown_coding;
  return has_ended && parser.get().keep_alive() && !net_.shared.is_closing();
}

std::optional<HttpReply> HttpSession::refusal_of(const HttpRequest& request, Needs needs, Judgement& judgement) {
  if (needs == Needs::nothing) return std::nullopt;
  judgement = judge(net_, request.facts);
  if (auto refusal = refuse_verdict(judgement.verdict, request.facts.upgrade)) return refusal;
  if (needs_full(needs) && judgement.access != Access::full) return refuse_viewer();
  if (needs_nearness(needs) && (!peer_.local || request.facts.forwarded)) {
    return refusal_reply(403, Refusal::rights, "This is for the server's own machine only.");
  }
  return std::nullopt;
}

asio::awaitable<HttpReply> HttpSession::reply_to(SharedParser parser, SharedRequest request, const Route* route) {
  if (!takes_method(route, request->facts.method)) {
    if (route == nullptr && !net_.files->find(request->path)) co_return error_reply(404, "There is nothing here.");
    auto reply = error_reply(405, "This address does not take that method.");
    reply.headers.emplace_back("Allow", allowed_methods(route));
    co_return reply;
  }
  if (route == nullptr) co_return file_reply(net_, *request);
  Judgement judgement;
  if (auto refusal = refusal_of(*request, route->needs, judgement)) co_return std::move(*refusal);
  if (judgement.verdict == Verdict::granted) record_.role = judgement.access;
  if (!co_await read_body(parser, request, route->max_body))
    co_return refusal_reply(413, Refusal::body,
                            "The body is longer than " + std::to_string(route->max_body) + " bytes or broken.");
  if (auto refusal = refusal_of(*request, route->needs, judgement)) co_return std::move(*refusal);
  if (judgement.verdict == Verdict::granted) {
    if (!net_.shared.has_room_for_request()) co_return refuse_crowd(Access::full);
    become_client();
    co_await wait_as_client();
  }
  allow(route->time);
  co_return co_await route->handle(&net_, request);
}

/// False when it is longer than `most` bytes, or cut.
asio::awaitable<bool> HttpSession::read_body(SharedParser parser, SharedRequest request, std::size_t most) {
  error_code error;
  if (parser->content_length().value_or(0) > most) co_return false;
  if (!parser->is_done()) {
    constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";
    if (request->facts.expects_continue && parser->get().version() >= 11)
      co_await asio::async_write(*channel_, asio::buffer(kContinue), asio::redirect_error(asio::use_awaitable, error));
    parser->body_limit(most);
    record_.bytes_in +=
        co_await http::async_read(*channel_, buffer_, *parser, asio::redirect_error(asio::use_awaitable, error));
  }
  request->body = parser->get().body();
  co_return !error;
}

/// A wrong credential costs its owner time, and too many of them the connection.
asio::awaitable<HttpReply> HttpSession::hold_back(HttpReply reply, std::string from) {
  net_.counters.failures.add();
  auto ask = [this](auto done) { net_.shared.on_failure(peer_.bucket, std::move(done)); };
  const auto penalty = co_await await_value<FailureLimiter::Penalty>(executor(), std::move(ask));
  if (penalty.unreported) {
    const auto others = std::to_string(*penalty.unreported);
    spdlog::warn("{} wrong credential from {}{}", record_.name, from,
                 *penalty.unreported > 0 ? ", and " + others + " since the last such line" : "");
  }
  allow(penalty.delay + kRequestTime);
  co_await wait(penalty.delay);
  if (!penalty.is_too_many) co_return reply;
  auto refusal = refusal_reply(kTooMany, Refusal::guesses, "Too many wrong credentials.");
  refusal.headers.emplace_back("Retry-After", std::to_string(FailureLimiter::kRefill.count()));
  co_return refusal;
}

/// Ends sooner when it is cut.
asio::awaitable<void> HttpSession::wait(std::chrono::milliseconds time) {
  if (is_cut_ || time.count() == 0) co_return;
  error_code error;
  held_back_.expires_after(time);
  co_await held_back_.async_wait(asio::redirect_error(asio::use_awaitable, error));
}

void HttpSession::spend(MessageTime::Duration time) {
  if (is_guest_) return net_.request_turns.spend(time);
  message_time().take(time_share_, time, net_.loop.clock().now());
}

asio::awaitable<void> HttpSession::wait_as_guest() {
  if (is_cut_ || net_.request_turns.take()) co_return;
  auto ask = [this](auto done) { turn_ = net_.request_turns.wait([done] { done(true); }); };
  net_.counters.paused.add();
  net_.counters.pauses.add();
  co_await await_value<bool>(executor(), std::move(ask));
  net_.counters.paused.subtract();
}

/// Requests have the part of the loop's time that frames have, with them, and wait for it alike.
asio::awaitable<void> HttpSession::wait_as_client() {
  const auto now = net_.loop.clock().now();
  const auto turn = message_time().next_turn(time_share_, now);
  if (turn <= now) co_return;
  net_.counters.paused.add();
  net_.counters.pauses.add();
  co_await wait(std::chrono::ceil<std::chrono::milliseconds>(turn - now));
  net_.counters.paused.subtract();
}

asio::awaitable<bool> HttpSession::send(HttpReply reply, Asked asked) {
  http::response<http::span_body<const char>> response(static_cast<http::status>(reply.status), asked.version);
  for (const auto& [name, value] : security_headers()) response.set(name, value);
  response.set("Content-Security-Policy", content_policy());
  response.set(http::field::cache_control, "no-store");
  for (const auto& [name, value] : reply.headers) response.set(name, value);
  if (reply.body) {
    response.set(http::field::content_type, reply.type);
    if (!asked.head) response.body() = {reply.body->data(), reply.body->size()};
  }
  if (reply.status != 304) response.content_length(reply.body ? reply.body->size() : 0);
  response.keep_alive(asked.keep_alive);
  error_code error;
  allow(kAnswerTime);
  record_.bytes_out +=
      co_await http::async_write(*channel_, response, asio::redirect_error(asio::use_awaitable, error));
  become_guest();
  co_return !error && asked.keep_alive;
}

/// The refusal of an upgrade, or nothing; then what is known of its credential is in `judgement`.
std::optional<HttpReply> HttpSession::refusal_of_upgrade(const Parser& parser, const HttpRequest& request,
                                                         const Spoken& spoken, Judgement& judgement) {
  if (auto refusal = refusal_of(request, Needs::token, judgement)) return refusal;
  record_.role = judgement.access;
  if (!parser.is_done()) return refusal_reply(400, Refusal::unreadable, "An upgrade has no body.");
  if (net_.shared.is_draining()) return refuse_while_draining();
  return refuse_agent(request.facts, judgement.access, spoken);
}

/// Nothing: the channel is a WebSocket's now, or cut.
asio::awaitable<std::optional<HttpReply>> HttpSession::upgrade(SharedParser parser, SharedRequest request,
                                                               Spoken spoken) {
  Judgement judgement;
  if (auto refusal = refusal_of_upgrade(*parser, *request, spoken, judgement)) co_return refusal;
  auto ask = [this, client = counted(net_, *request, judgement)](auto done) {
    net_.shared.take_share(client, std::move(done));
  };
  auto taken = co_await await_value<NetShared::Taken>(executor(), std::move(ask));
  if (is_cut_) co_return std::nullopt;
  if (taken.refusal) co_return taken.refusal;
  // The login may have ended meanwhile, or the token changed: only WebSockets that were open were told to leave.
  if (auto refusal = refusal_of_upgrade(*parser, *request, spoken, judgement)) co_return refusal;
  if (!net_.shared.has_room(judgement.access)) co_return refuse_crowd(judgement.access);
  auto options = upgrade_options(*request, judgement, spoken);
  options.record = record_;
  options.share = std::move(taken.share);
  spdlog::log(access_level(net_.shared.options().access_log), "{} WebSocket from {}", record_.name, record_.from);
  deadline_.cancel();
  channel_->put_back(boost::beast::buffers_to_string(buffer_.data()));
  start_web_socket(net_, std::move(*channel_), parser->release(), std::move(options));
  channel_.reset();
  co_return std::nullopt;
}

}  // namespace ptyd
