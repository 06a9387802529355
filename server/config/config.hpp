// Configuration: from flags, environment and file to a ServeConfig.
#pragma once

#include <variant>

#include "server/config/serve_config.hpp"

namespace ptyd {

/// Either the configuration, or the exit code after help or a complaint was printed.
std::variant<ServeConfig, int> parse_serve(int argc, const char* const* argv);

}  // namespace ptyd
