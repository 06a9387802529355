// Refusals of Commands to a session.
#pragma once

#include <functional>

#include "pty/result.hpp"
#include "pty/types.hpp"
#include "server/session/context/caller.hpp"

namespace ptyd {

Error unknown_terminal(const SessionKey& key);
Error not_running(const SessionKey& key);
Error has_exited();
Error server_is_ending();
Error was_cancelled();

/// Answers `caller` with `error`, which is all that is done: then calls `finished`.
void refuse(const Caller& caller, const Error& error, const std::function<void()>& finished);

}  // namespace ptyd
