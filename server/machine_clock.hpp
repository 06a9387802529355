// The machine's clock, for the program alone: in tests of sessions and connections no clock runs by itself.
#pragma once

#include "server/loop/clock.hpp"

namespace ptyd {

/// Thread  any.
Clock& machine_clock();

}  // namespace ptyd
