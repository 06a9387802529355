// App: the composition root of the server.
#pragma once

#include "server/config/config.hpp"

namespace ptyd {

/// Runs the server until SIGTERM, SIGINT or SIGHUP; returns the exit code. 0: it was told to end and did. 1: it could
/// not start.
int serve(ServeConfig config);

}  // namespace ptyd
