// drain: prepares a running server for its end.
#pragma once

#include <string_view>

#include "server/config/config.hpp"

namespace ptyd {

struct DrainWish {
  bool undo = false;  ///< the server is to go on as before
  bool wait = false;  ///< until no terminal runs

  /// Whether `word` of the command line is about this, and not an option of serve.
  bool take(std::string_view word);
};

/// Makes the server of the configured state directory drain, or go on; prints how it stands. 0 when that is so, and,
/// where it was to be waited for, the last terminal has ended; 1 when there is no such server or it does not answer; 2
/// when the wish makes no sense.
int drain(const ServeConfig& config, const DrainWish& wish);

}  // namespace ptyd
