#include "server/cli/health.hpp"

#include <openssl/bio.h>
#include <openssl/ssl.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/cli/running_server.hpp"
#include "server/net/socket/bind.hpp"

namespace ptyd {
namespace {

/// For the connection, and for each part of the answer.
constexpr std::chrono::seconds kAnswerPatience{2};
constexpr std::size_t kMostOfAnswer = 4096;

struct Freed {
  void operator()(BIO* bio) const { ::BIO_free_all(bio); }
  void operator()(SSL_CTX* context) const { ::SSL_CTX_free(context); }
};
using Stream = std::unique_ptr<BIO, Freed>;

/// The certificate is not judged: the lock that the server holds has shown which one it is.
Stream tls_on(Stream plain) {
  const std::unique_ptr<SSL_CTX, Freed> context(::SSL_CTX_new(::TLS_client_method()));
  Stream tls(context ? ::BIO_new_ssl(context.get(), 1) : nullptr);
  if (tls) ::BIO_push(tls.get(), plain.release());
  return tls;
}

/// All that comes, until the end or until nothing has come for too long.
std::string exchange(BIO* stream, const std::string& question) {
  std::string answer(kMostOfAnswer, '\0');
  std::size_t have = 0;
  int count = ::BIO_write(stream, question.data(), static_cast<int>(question.size()));
  while (count > 0 && have < answer.size()) {
    count = ::BIO_read(stream, answer.data() + have, static_cast<int>(answer.size() - have));
    if (count > 0) have += static_cast<std::size_t>(count);
  }
  answer.resize(have);
  return answer;
}

/// "" where it does not answer.
std::string answer_of(const UniqueFd& socket, const RunningServer::Place& place) {
  Stream stream(::BIO_new_socket(socket.get(), BIO_NOCLOSE));
  if (place.tls) stream = tls_on(std::move(stream));
  const auto host = place.address.is_unix() ? "localhost" : to_string(place.address);
  return exchange(stream.get(), "GET /healthz HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n");
}

/// The body of a good answer.
Result<std::string> judge(std::string_view answer) {
  constexpr std::string_view kGood = "HTTP/1.1 200 ", kLineEnd = "\r\n", kBody = "\r\n\r\n";
  if (answer.empty()) return Error(Errc::busy, "there is no answer");
  const auto body = answer.find(kBody);
  std::string text(body == std::string_view::npos ? "" : answer.substr(body + kBody.size()));
  if (answer.starts_with(kGood)) return text;
  return Error(Errc::busy, std::string(answer.substr(0, answer.find(kLineEnd))) + ": " + text);
}

Result<std::string> ask(const ServeConfig& config) {
  const auto server = RunningServer::find(config.sessions.state_dir);
  if (!server) return server.error();
  const auto place = server->place();
  if (!place) return place.error();
  const auto socket = connect_to(place->address, kAnswerPatience);
  if (!socket) return socket.error();
  auto judged = judge(answer_of(*socket, *place));
  if (!judged) return Error(judged.error().code(), to_string(place->address) + ": " + judged.error().detail());
  return judged;
}

}  // namespace

int health(const ServeConfig& config) {
  ::signal(SIGPIPE, SIG_IGN);
  const auto well = ask(config);
  if (!well) return std::fprintf(stderr, "ptyd: %s\n", well.error().detail().c_str()), 1;
  return std::puts(well->c_str()) < 0;
}

}  // namespace ptyd
