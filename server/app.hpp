// App: the composition root of the server.
#pragma once

#include "server/config/config.hpp"

namespace ptyd {

/// Runs the server until SIGTERM or SIGINT, or until SIGHUP where it has a terminal. Returns the exit code: 0 after an
/// orderly end, 1 when it could not start.
int serve(ServeConfig config);

}  // namespace ptyd
