// Policy: the rights of a peer.
#pragma once

#include "server/policy/command_traits.hpp"

namespace ptyd {

/// Whether a Command of this row is allowed. Asked once per Command of a WebSocket; Errc::denied says what is missing.
Result<void> authorise(Access access, const CommandRow& row);

}  // namespace ptyd
