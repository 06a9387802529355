#include "server/net/access/admission.hpp"

namespace ptyd {
namespace {

/// For clients that ask when to come again. A crowd disperses sooner than a server is exchanged.
constexpr const char *kSecondsOfCrowd = "5", *kSecondsOfDrain = "30";

HttpReply refuse_for_now(Refusal why, std::string_view sentence, const char* seconds) {
  auto refusal = refusal_reply(503, why, sentence);
  refusal.headers.emplace_back("Retry-After", seconds);
  return refusal;
}

}  // namespace

std::optional<HttpReply> refuse_stranger(const RequestFacts& facts, const Site& site, bool probe) {
  if (facts.unknown_coding)
    return refusal_reply(501, Refusal::unreadable, "Transfer-Encoding: only chunked is known here.");
  if (facts.ambiguous)
    return refusal_reply(400, Refusal::unreadable, "A header that identifies the client was given twice.");
  if (!facts.host) {
    if (probe) return std::nullopt;
    return refusal_reply(400, Refusal::unreadable, "The Host header is missing.");
  }
  if (!site.answers_to(*facts.host)) {
    return refusal_reply(421, Refusal::host,
                         "This server does not answer to that Host; --public-url gives it another name.");
  }
  if (facts.origin && !site.trusts(*facts.origin, *facts.host)) {
    return refusal_reply(403, Refusal::origin,
                         "Pages of that Origin may not speak to this server; --public-url names the page's address.");
  }
  return std::nullopt;
}

std::optional<HttpReply> refuse_verdict(Verdict verdict, bool upgrade) {
  if (verdict == Verdict::granted) return std::nullopt;
  if (verdict == Verdict::cookie_alone)
    return refusal_reply(403, Refusal::token, "A cookie counts only together with an Origin.");
  // The reference's words, for clients that look at them.
  auto reply =
      upgrade ? text_reply(401, "Unauthorized WebSocket connection")
              : error_reply(401, verdict == Verdict::missing ? "Authentication required." : "Unauthorized request.");
  reply.headers.emplace_back("WWW-Authenticate", "Bearer");
  reply.refusal = Refusal::token;
  reply.delayed = verdict == Verdict::wrong;
  return reply;
}

HttpReply refuse_viewer() {
  return refusal_reply(403, Refusal::rights, "A token for viewing cannot run programs.");
}

HttpReply refuse_crowd(Access access) {
  return refuse_for_now(Refusal::places,
                        access == Access::full ? "This server has as many connections as it takes (--max-connections)."
                                               : "This server has as many connections that may only view as it takes "
                                                 "(half of --max-connections).",
                        kSecondsOfCrowd);
}

HttpReply refuse_while_draining() {
  return refuse_for_now(Refusal::draining, "This server is draining: it takes no new connections.", kSecondsOfDrain);
}

}  // namespace ptyd
