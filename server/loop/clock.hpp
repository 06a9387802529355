// The time of day.
#pragma once

#include <chrono>

#include "pty/types.hpp"

namespace ptyd {

/// Now, as marks and events carry it.
inline UnixMillis unix_now() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace ptyd
