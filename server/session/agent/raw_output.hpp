// Raw output: that of a program as it printed it, for an agent that wants it so.
#pragma once

#include <cstdint>

#include "protocol/messages.hpp"
#include "pty/journal/journal.hpp"

namespace ptyd {

/// The end of what `journal` holds, as valid UTF-8: its last bytes up to `most`, less where a character or a sequence
/// would be cut, so that it never begins inside one. A character that is not whole yet is left out until the program
/// `has_ended`. Truncated: something came before, here or in what the journal has let go.
///
/// Units  bytes of UTF-8. The journal is that of one program, from its start.
ProgramOutput raw_output(const Journal& journal, std::uint64_t most, bool has_ended);

}  // namespace ptyd
