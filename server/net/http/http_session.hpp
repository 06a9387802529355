// HttpSession: a connection while it speaks plain HTTP.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "protocol/language/languages.hpp"
#include "server/net/access/http_reply.hpp"
#include "server/net/access/request_facts.hpp"
#include "server/net/access_log.hpp"
#include "server/net/http/routes.hpp"
#include "server/net/net_shared.hpp"
#include "server/net/socket/channel.hpp"
#include "server/net/socket/peer_address.hpp"

namespace ptyd {

/// Reads requests and answers them, one after the other, until one of them asks for a WebSocket: then the channel goes
/// to a Connection. A connection that takes longer than the deadline of a step is cut off. It is a Guest, except while
/// a request that showed a token is carried out.
///
/// Thread  its loop.
class HttpSession final : public Guest, public std::enable_shared_from_this<HttpSession> {
 public:
  static void start(NetLoop& net, StreamSocket socket, PeerAddress peer, std::string name);
  ~HttpSession();

  Channel::executor_type executor() { return net_.loop.context().get_executor(); }
  void on_task_failed(std::string_view what);
  /// Ends it now, whatever is under way.
  void end();
  // Guest
  void cut() override;
  const std::string& bucket() const override { return peer_.bucket; }

 private:
  using Parser = boost::beast::http::request_parser<boost::beast::http::string_body>;
  using SharedParser = std::shared_ptr<Parser>;
  using SharedRequest = std::shared_ptr<HttpRequest>;
  /// How an answer must look.
  struct Asked {
    unsigned version = 11;
    bool head = false;
    bool keep_alive = false;
  };

  HttpSession(NetLoop& net, Channel channel, PeerAddress peer, std::string name);
  boost::asio::awaitable<void> run();
  boost::asio::awaitable<bool> shake_hands();
  boost::asio::awaitable<bool> serve_one();
  boost::asio::awaitable<bool> answer(SharedParser parser, SharedRequest request);
  /// Judges the credential before the body and again behind it, since a body may take long. Until the body is there the
  /// client is a guest.
  boost::asio::awaitable<HttpReply> reply_to(SharedParser parser, SharedRequest request, const Route* route);
  boost::asio::awaitable<bool> read_body(SharedParser parser, SharedRequest request, std::size_t most);
  boost::asio::awaitable<HttpReply> hold_back(HttpReply reply, std::string from);
  boost::asio::awaitable<void> wait(std::chrono::milliseconds time);
  boost::asio::awaitable<void> wait_as_guest();
  boost::asio::awaitable<void> wait_as_client();
  MessageTime& message_time() { return record_.role == Access::full ? net_.message_time : net_.viewer_time; }
  void spend(MessageTime::Duration time);
  boost::asio::awaitable<bool> send(HttpReply reply, Asked asked);
  boost::asio::awaitable<void> linger();
  std::optional<HttpReply> refusal_of(const HttpRequest& request, Needs needs, Judgement& judgement);
  std::optional<HttpReply> refusal_of_upgrade(const Parser& parser, const HttpRequest& request, const Spoken& spoken,
                                              Judgement& judgement);
  boost::asio::awaitable<std::optional<HttpReply>> upgrade(SharedParser parser, SharedRequest request, Spoken spoken);
  void become_guest();
  void become_client();
  std::string describe(const RequestFacts& facts) const;
  void tell(const std::string& what, bool is_refusal);
  bool may_go_on(const Parser& parser, const HttpRequest& request) const;
  void allow(std::chrono::milliseconds time);

  /// Bytes that wait to be parsed: the longest header, or as much of a body as one read brings. Anything longer that
  /// cannot be parsed yet, as an extension of a chunk or a trailer, is refused.
  static constexpr std::size_t kMostBuffered = 80 << 10;

  NetLoop& net_;
  std::optional<Channel> channel_;
  PeerAddress peer_;
  AccessRecord record_;
  boost::asio::steady_timer deadline_, held_back_;
  boost::beast::flat_buffer buffer_{kMostBuffered};
  MessageTime::Share time_share_;  ///< while it is no guest
  RequestTurns::Number turn_ = 0;  ///< the last that it waited for as a guest
  bool is_guest_ = true, is_cut_ = false;
};

}  // namespace ptyd
