// Refusals of CommandRunner.
#pragma once

#include <string_view>

#include "pty/result.hpp"

namespace ptyd {

/// `command` runs; its beginning is shown.
Error busy_with(std::string_view command);
Error busy_with_a_person();
Error no_integration();
Error shell_has_ended();
/// Its line was given up at the prompt.
Error not_begun();

}  // namespace ptyd
