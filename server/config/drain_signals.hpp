// The signals by which another process of the server's user makes it drain.
#pragma once

#include <csignal>

namespace ptyd {

/// To take up no WebSockets and start no terminals; and to do so again.
inline constexpr int kDrain = SIGUSR1, kUndoDrain = SIGUSR2;

}  // namespace ptyd
