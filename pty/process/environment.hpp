// The environment of terminals: the part of the server's own that reaches a child.
#pragma once

#include <string_view>

#include "pty/types.hpp"

namespace ptyd {

/// Search path for programs where none is given.
inline constexpr std::string_view kDefaultPath = "/usr/local/bin:/usr/bin:/bin";

/// This process' environment.
Environment current_environment();

/// The environment of a person's terminal: `server`'s less what is_kept_from_children(), with our TERM, COLORTERM and
/// TERM_PROGRAM, with UTF-8 as the character set, and `requested` on top of all. Every name occurs once. PWD is `cwd`
/// when that is absolute, so that a shell shows the path a person asked for.
Environment child_environment(const Environment& server, const Environment& requested, std::string_view cwd = {});

/// The environment of a program that an agent runs: an allow-list of `server`'s names, a PATH in any case, our TERM,
/// COLORTERM and TERM_PROGRAM, UTF-8, no pager and no prompt for passwords, and `requested` on top, literally, less
/// what is_refused_to_agents. Names and PWD are as in child_environment().
Environment agent_environment(const Environment& server, const Environment& requested, std::string_view cwd = {});

/// True for names that would have other code run before or inside the program that was named: a rule or a log that
/// judges it by its name must not be misled. No agent is held back by that: its program can set them for its own
/// children.
bool is_refused_to_agents(std::string_view name);

/// True for names that belong to the server (its secrets, sockets, libraries) or to the terminal it was started from.
bool is_kept_from_children(std::string_view name);

/// The last value of `name`; `otherwise` when there is none.
std::string_view value_of(const Environment& environment, std::string_view name, std::string_view otherwise = {});

}  // namespace ptyd
