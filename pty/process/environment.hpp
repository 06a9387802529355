// The environment of terminals: what of the server's own reaches a child.
#pragma once

#include <string_view>

#include "pty/types.hpp"

namespace ptyd {

/// This process' environment.
Environment current_environment();

/// The environment of a person's terminal: `server`'s, less what is none of a child's business (is_kept_from_children),
/// with our TERM, COLORTERM and TERM_PROGRAM, with UTF-8 as the character set, and `requested` on top of all.
/// Every name occurs once. PWD is `cwd` when that is absolute, so that a shell shows the path a person asked for.
Environment child_environment(const Environment& server, const Environment& requested, std::string_view cwd = {});

/// True for names that belong to the server (its secrets, sockets, libraries) or to the terminal it was started from.
bool is_kept_from_children(std::string_view name);

/// The last value of `name`; "" when there is none.
std::string_view value_of(const Environment& environment, std::string_view name);

}  // namespace ptyd
