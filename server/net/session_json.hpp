// The JSON of /debug/sessions: state and positions, never content.
#pragma once

#include <string>
#include <vector>

#include "server/session/session_manager.hpp"

namespace ptyd {

std::string sessions_json(const std::vector<SessionDebug>& sessions);

}  // namespace ptyd
