#include "server/net/access/http_reply.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace ptyd {

HttpReply text_reply(unsigned status, std::string text) {
  HttpReply reply;
  reply.status = status;
  reply.body = std::make_shared<const std::string>(std::move(text));
  return reply;
}

HttpReply json_reply(unsigned status, std::string json) {
  auto reply = text_reply(status, std::move(json));
  reply.type = "application/json";
  return reply;
}

HttpReply error_reply(unsigned status, std::string_view sentence) {
  return json_reply(status, boost::json::serialize(boost::json::object{{"error", sentence}}));
}

HttpReply refusal_reply(unsigned status, Refusal why, std::string_view sentence) {
  auto reply = error_reply(status, sentence);
  reply.refusal = why;
  return reply;
}

std::vector<std::pair<std::string, std::string>> security_headers() {
  return {{"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"X-Frame-Options", "DENY"},
          {"Cross-Origin-Opener-Policy", "same-origin"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

std::string_view content_policy() {
  return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src "
         "'self'; "
         "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
}

}  // namespace ptyd
