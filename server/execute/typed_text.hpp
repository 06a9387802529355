// What an Execute types besides commands.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/execute_messages.hpp"
#include "pty/result.hpp"

namespace ptyd {

/// The bytes of the key that `name` names, which has to be all of it: `C-a` to `C-z`, `Enter`, `Escape`.
std::optional<std::string> key_bytes(std::string_view name);
/// Whether it is a key that terminals send a signal for: C-c, C-z.
bool is_signal(std::string_view bytes);
/// Errc::bad_request for fields that do not go together.
Result<void> makes_sense(const Execute& asked);
/// Whether it only waits for what runs.
bool is_poll(const Execute& asked);
/// What isInput types: each line feed is Enter, and Enter is added unless the client wants none.
std::string input_bytes(const Execute& asked);

}  // namespace ptyd
