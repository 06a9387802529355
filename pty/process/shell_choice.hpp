// Which shells a terminal tries to run, in which order.
#pragma once

#include <string_view>
#include <vector>

#include "pty/types.hpp"

namespace ptyd {

/// The shells to try: `preferred` (the configured one, may be ""), `shell_variable` ($SHELL of the server, may be ""),
/// then what systems have. Each once; never empty.
std::vector<Program> shell_candidates(std::string_view preferred, std::string_view shell_variable);

}  // namespace ptyd
