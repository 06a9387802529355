#include "server/net/access/admission.hpp"

namespace ptyd {

std::optional<HttpReply> refuse_stranger(const RequestFacts& facts, const Site& site, bool probe) {
  if (facts.unknown_coding) return error_reply(501, "Transfer-Encoding: only chunked is known here.");
  if (facts.ambiguous) return error_reply(400, "A header that identifies the client was given twice.");
  if (!facts.host) {
    if (probe) return std::nullopt;
    return error_reply(400, "The Host header is missing.");
  }
  if (!site.answers_to(*facts.host)) {
    return error_reply(421, "This server does not answer to that Host; --public-url gives it another name.");
  }
  if (facts.origin && !site.trusts(*facts.origin, *facts.host)) {
    return error_reply(403,
                       "Pages of that Origin may not speak to this server; --public-url names the page's address.");
  }
  return std::nullopt;
}

std::optional<HttpReply> refuse_verdict(Verdict verdict, bool upgrade) {
  if (verdict == Verdict::granted) return std::nullopt;
  if (verdict == Verdict::cookie_alone) return error_reply(403, "A cookie counts only together with an Origin.");
  // The reference's words, for clients that look at them.
  auto reply =
      upgrade ? text_reply(401, "Unauthorized WebSocket connection")
              : error_reply(401, verdict == Verdict::missing ? "Authentication required." : "Unauthorized request.");
  reply.headers.emplace_back("WWW-Authenticate", "Bearer");
  reply.delayed = verdict == Verdict::wrong;
  return reply;
}

}  // namespace ptyd
