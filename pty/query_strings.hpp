// Questions inside OSC, DCS and APC strings; for queries.cpp.
#pragma once

#include "pty/queries.hpp"

namespace ptyd {

/// `token` is a string, whole or not.
Query classify_string(const Token& token, const ViewerTraits& traits);

}  // namespace ptyd
