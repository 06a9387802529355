// AccessRecord: the access log's line of one connection.
#pragma once

#include <spdlog/common.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "server/loop/clock.hpp"
#include "server/policy/access.hpp"

namespace ptyd {

/// Neither a token nor the query of a path ever gets in here.
///
/// Thread  its connection's loop.
struct AccessRecord {
  std::string name;            ///< "c42"
  std::string from;            ///< its address, and the one for which a proxy says that it connects
  std::optional<Access> role;  ///< of the token that was shown; none: no right one was
  TimePoint begun{};
  std::uint64_t bytes_in = 0, bytes_out = 0;
};

/// One open connection, as /debug/connections tells it.
struct ConnectionDebug {
  AccessRecord record;
  std::string languages;
  bool paused = false;  ///< it is not read now
  std::size_t loop = 0;
};

/// The line about it: `what` happened, "ended: closed by the peer". `languages` are those that were spoken, "" for
/// none.
std::string access_line(const AccessRecord& record, std::string_view what, std::string_view languages, TimePoint now);

/// Of such lines, where the access log is on or is not.
constexpr spdlog::level::level_enum access_level(bool is_on) {
  return is_on ? spdlog::level::info : spdlog::level::debug;
}

std::string_view role_text(std::optional<Access> role);

}  // namespace ptyd
