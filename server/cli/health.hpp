// health: asks a running server whether it is well.
#pragma once

#include "server/config/config.hpp"

namespace ptyd {

/// Asks the server of the configured state directory for /healthz, wherever it listens, and prints its answer. 0 when
/// it is well; 1 when it drains or ends, when it does not answer in time, and when there is none: the error says which.
int health(const ServeConfig& config);

}  // namespace ptyd
