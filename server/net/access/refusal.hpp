// Refusal: why a request, or a connection, was refused.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ptyd {

enum class Refusal : std::uint8_t {
  unreadable,  ///< no HTTP, or one that two readers would read differently
  host,        ///< the Host is none of ours
  origin,      ///< a page of another site
  token,       ///< none, a wrong one, or a cookie alone
  guesses,     ///< too many wrong ones
  rights,      ///< the token may not, or not from there
  places,      ///< all are taken: of WebSockets, or of requests
  address,     ///< it has as many WebSockets as one address may
  bearer,      ///< likewise its token
  draining,    ///< the server is to end soon
  body,        ///< longer than its place takes, or cut
  crowd,       ///< of connections without a token, or of TLS handshakes: it had to make room
  late,        ///< no whole request came in time
};

struct RefusalRow {
  Refusal why;
  std::string_view name;  ///< as /metrics has it
};

inline constexpr std::array kRefusals{
    RefusalRow{Refusal::unreadable, "unreadable"},
    RefusalRow{Refusal::host, "host"},
    RefusalRow{Refusal::origin, "origin"},
    RefusalRow{Refusal::token, "token"},
    RefusalRow{Refusal::guesses, "guesses"},
    RefusalRow{Refusal::rights, "rights"},
    RefusalRow{Refusal::places, "places"},
    RefusalRow{Refusal::address, "address"},
    RefusalRow{Refusal::bearer, "bearer"},
    RefusalRow{Refusal::draining, "draining"},
    RefusalRow{Refusal::body, "body"},
    RefusalRow{Refusal::crowd, "crowd"},
    RefusalRow{Refusal::late, "late"},
};

constexpr bool refusals_in_order() {
  for (std::size_t i = 0; i < kRefusals.size(); ++i)
    if (static_cast<std::size_t>(kRefusals[i].why) != i) return false;
  return kRefusals.size() == static_cast<std::size_t>(Refusal::late) + 1;
}
static_assert(refusals_in_order(), "one row for each Refusal, in the order of the enumeration");

}  // namespace ptyd
