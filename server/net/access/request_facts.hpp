// RequestFacts: the parts of an HTTP request that decide about it, taken out of it once.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptyd {

/// The key that a page shows besides its cookie once it has logged in: in this header, or offered as a subprotocol
/// behind this prefix. A page that does so for an upgrade offers kPageProtocol as well, which is chosen.
inline constexpr std::string_view kPageKeyHeader = "Ptyd-Page-Key", kPageKeyPrefix = "ptyd.key.",
                                  kPageProtocol = "ptyd";

/// Where Host, Origin or Authorization is given twice, `ambiguous` is set and the request is refused.
struct RequestFacts {
  std::string method;
  std::string path;   ///< as sent, without query
  std::string query;  ///< as sent, without the question mark
  std::optional<std::string> host;
  std::optional<std::string> origin;
  std::optional<std::string> bearer;    ///< of Authorization: Bearer
  std::vector<std::string> cookies;     ///< the values of cookies with our name: others may have planted some
  std::optional<std::string> page_key;  ///< of a page that has logged in, see kPageKeyHeader
  std::string fetch_site;               ///< Sec-Fetch-Site
  std::string subprotocols;             ///< Sec-WebSocket-Protocol, with its commas
  bool upgrade = false;                 ///< asks for a WebSocket
  bool forwarded = false;               ///< came through a proxy that says so
  std::string forwarded_for;            ///< as that proxy says: for the log, not to be believed
  /// The addresses in it, without ports, the nearest last: see TrustedProxies.
  std::vector<std::string> forwarded_chain;
  bool ambiguous = false;
  bool unknown_coding = false;    ///< of the body's transfer: its end cannot be found
  bool expects_continue = false;  ///< the body comes when the server has said 100

  bool reads_only() const { return !upgrade && (method == "GET" || method == "HEAD"); }
};

/// The value of `name` in a query, percent-decoded; nothing when it is absent or badly encoded.
std::optional<std::string> query_value(std::string_view query, std::string_view name);
/// The address in a node of X-Forwarded-For, or of Forwarded as `for="[2001:db8::1]:4711";proto=https`; "" where there
/// is none.
std::string forwarded_address(std::string_view node);
/// `text` with `%41` as A, and a plus sign as it is; nothing when a percent sign is not followed by two hex digits.
std::optional<std::string> percent_decode(std::string_view text);
/// Everything but letters, digits and -._~ as %41.
std::string percent_encode(std::string_view text);
/// The tokens of a header that holds a list with commas.
std::vector<std::string_view> listed(std::string_view header);
/// Whether an Accept-Encoding takes `coding`, which is in lower case, by its name: RFC 9110, 12.5.3.
bool takes_coding(std::string_view accept_encoding, std::string_view coding);
/// The values of all cookies `name` in a Cookie header.
std::vector<std::string> cookie_values(std::string_view header, std::string_view name);

}  // namespace ptyd
