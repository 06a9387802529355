// What a peer may do.
#pragma once

#include <cstdint>

#include "protocol/messages.hpp"

namespace ptyd {

/// What the credential of a connection allows.
enum class Access : std::uint8_t {
  view,  ///< hear and list; nothing that a child or another viewer would notice
  full,
};

/// Whether `command` is allowed, asked for every single message; Errc::denied says what is missing.
Result<void> authorise(Access access, const Command& command);

}  // namespace ptyd
