// drain: prepares a running server for its end.
#pragma once

#include <string_view>

#include "server/config/config.hpp"

namespace ptyd {

struct DrainWish {
  bool undo = false;  ///< the server is to go on as before
  bool wait = false;  ///< until no terminal runs

  /// Takes `word` of the command line where it is --undo or --wait. False: it is an option of serve.
  bool take(std::string_view word);
};

/// Makes the server of the configured state directory drain, or go on, and prints its state. 0: this is done, and where
/// `wait` was asked for, the last terminal or the server has ended. 1: there is no such server, it does not answer, or
/// the drain was undone while it was waited for. 2: the wish makes no sense.
int drain(const ServeConfig& config, const DrainWish& wish);

}  // namespace ptyd
