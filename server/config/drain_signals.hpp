// The signals by which another process of the server's user makes it drain.
#pragma once

#include <csignal>

namespace ptyd {

/// kDrain: take up no WebSockets and start no terminals. kUndoDrain: take up and start them again.
inline constexpr int kDrain = SIGUSR1, kUndoDrain = SIGUSR2;

}  // namespace ptyd
