#include "server/net/http/header_facts.hpp"

#include <boost/beast/core/string.hpp>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace ptyd {
namespace {

namespace http = boost::beast::http;

std::optional<std::string> header_value(const http::request_header<>& header, http::field name, bool& ambiguous) {
  const auto [first, last] = header.equal_range(name);
  if (first == last) return std::nullopt;
  if (std::next(first) != last) ambiguous = true;
  return std::string(first->value());
}

/// Browsers split cookies over several lines in HTTP/2, and proxies may pass them on so.
std::vector<std::string> cookies_of(const http::request_header<>& header, std::string_view name) {
  std::vector<std::string> all;
  const auto [first, last] = header.equal_range(http::field::cookie);
  for (auto line = first; line != last; ++line)
    for (auto& value : cookie_values(std::string(line->value()), name)) all.push_back(std::move(value));
  return all;
}

/// All lines of that name: each proxy may add one of its own.
std::string joined(const http::request_header<>& header, boost::beast::string_view name) {
  std::string all;
  const auto [first, last] = header.equal_range(name);
  for (auto line = first; line != last; ++line) all += (all.empty() ? "" : ", ") + std::string(line->value());
  return all;
}

std::optional<std::string> page_key_of(const http::request_header<>& header, std::string_view subprotocols) {
  if (const auto shown = header.find(boost::beast::string_view(kPageKeyHeader.data(), kPageKeyHeader.size()));
      shown != header.end())
    return std::string(shown->value());
  for (const auto offered : listed(subprotocols))
    if (offered.starts_with(kPageKeyPrefix)) return std::string(offered.substr(kPageKeyPrefix.size()));
  return std::nullopt;
}

std::optional<std::string> bearer_of(const std::string& authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (!boost::beast::iequals(authorization.substr(0, kScheme.size()), kScheme)) return std::nullopt;
  return authorization.substr(kScheme.size());
}

/// Proxies may take for a body what we would take for the next request, or the other way round.
bool has_unknown_coding(const http::request_header<>& header) {
  const auto [first, last] = header.equal_range(http::field::transfer_encoding);
  if (first == last) return false;
  return std::next(first) != last || !boost::beast::iequals(first->value(), "chunked");
}

}  // namespace

RequestFacts facts_of(const http::request_header<>& header, const std::string& cookie_name) {
  RequestFacts facts;
  facts.method = std::string(header.method_string());
  const std::string target(header.target());
  const auto mark = target.find('?');
  facts.path = target.substr(0, mark);
  if (mark != std::string::npos) facts.query = target.substr(mark + 1);
  facts.host = header_value(header, http::field::host, facts.ambiguous);
  facts.origin = header_value(header, http::field::origin, facts.ambiguous);
  if (const auto value = header_value(header, http::field::authorization, facts.ambiguous))
    facts.bearer = bearer_of(*value);
  facts.cookies = cookies_of(header, cookie_name);
  facts.fetch_site = std::string(header["Sec-Fetch-Site"]);
  facts.subprotocols = std::string(header[http::field::sec_websocket_protocol]);
  facts.page_key = page_key_of(header, facts.subprotocols);
  facts.upgrade = boost::beast::iequals(header[http::field::upgrade], "websocket");
  facts.unknown_coding = has_unknown_coding(header);
  facts.expects_continue = boost::beast::iequals(header[http::field::expect], "100-continue");
  facts.forwarded_for = joined(header, header.count("X-Forwarded-For") > 0 ? "X-Forwarded-For" : "Forwarded");
  for (const auto node : listed(facts.forwarded_for)) facts.forwarded_chain.push_back(forwarded_address(node));
  facts.forwarded = header.count(http::field::forwarded) + header.count("X-Forwarded-For") > 0;
  return facts;
}

}  // namespace ptyd
