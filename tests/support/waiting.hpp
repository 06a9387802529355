// How long tests wait for what must come: one deadline for all of them.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdlib>
#include <functional>

namespace ptyd {

/// Far beyond what any healthy run needs, a machine that stands still for seconds included. A machine that is slow on
/// purpose says by PTYD_TEST_SCALE how many times longer it takes.
inline std::chrono::steady_clock::time_point deadline_from_now() {
  const char* scale = std::getenv("PTYD_TEST_SCALE");
  const double times = scale == nullptr ? 1 : std::atof(scale);
  return std::chrono::steady_clock::now() + std::chrono::seconds(static_cast<int>(120 * (times > 1 ? times : 1)));
}

/// Runs `context` until `happened`; false when that takes longer than a test may, or nothing is left to wait for.
inline bool run_until(boost::asio::io_context& context, const std::function<bool()>& happened) {
  const auto deadline = deadline_from_now();
  while (!happened()) {
    context.restart();
    if (context.run_one_until(deadline) == 0) return happened();
  }
  return true;
}

}  // namespace ptyd
