// doctor: says what on this machine stands in the server's way.
#pragma once

#include "server/config/config.hpp"

namespace ptyd {

/// Prints one line per finding; 0 when the server can run as configured, 1 when something must be mended first.
int doctor(const ServeConfig& config);

}  // namespace ptyd
