// Typed text: keys and text that an Execute types besides commands.
#pragma once

#include <string>
#include <string_view>

#include "protocol/execute_messages.hpp"
#include "pty/result.hpp"
#include "pty/text/keys.hpp"

namespace ptyd {

/// Whether `asked` is a key: its whole text names one, and is not meant literally. In lower case some names are also
/// commands of debuggers and languages (`up`, `end` ...): with isInput these are text.
bool is_key(const Execute& asked);
/// Bytes that the key types, in a program with these modes. `asked` is one.
std::string key_bytes(const Execute& asked, const KeyModes& modes);
/// Whether it is a key that terminals send a signal for: C-c, C-z, C-\.
bool is_signal(std::string_view bytes);
/// Errc::bad_request for fields that do not go together.
Result<void> makes_sense(const Execute& asked);
/// Whether it only waits for what runs.
bool is_poll(const Execute& asked);
/// Bytes that isInput types: each line feed is Enter, and Enter is added unless the client wants none. Several lines
/// are in brackets where the program `takes_pastes` (mode 2004).
std::string input_bytes(const Execute& asked, bool takes_pastes);

}  // namespace ptyd
