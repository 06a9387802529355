// HttpReply: an answer to a plain HTTP request.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/net/access/refusal.hpp"

namespace ptyd {

struct HttpReply {
  unsigned status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::shared_ptr<const std::string> body;  ///< may be null
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<Refusal> refusal;  ///< to be counted; none for what only is not there
  bool delayed = false;            ///< a wrong credential: answered late, and counted against the address
};

HttpReply text_reply(unsigned status, std::string text);
HttpReply json_reply(unsigned status, std::string json);
/// `{"error": sentence}`, as the reference answers.
HttpReply error_reply(unsigned status, std::string_view sentence);
/// The same for a refusal that is counted.
HttpReply refusal_reply(unsigned status, Refusal why, std::string_view sentence);

/// Headers of every answer, the 101 of an upgrade too.
std::vector<std::pair<std::string, std::string>> security_headers();
/// The Content-Security-Policy of every answer. No inline style either: the page sees to it that its emulator needs
/// none.
std::string_view content_policy();

}  // namespace ptyd
