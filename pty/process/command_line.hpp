// Command lines of agents: the programs that one may mean, and the error when none of them could be started.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pty/result.hpp"
#include "pty/types.hpp"

namespace ptyd {

/// The candidate of programs_for() that is a line for a shell, where there is one: see Pty::candidate().
inline constexpr std::size_t kShellLine = 1;

/// Candidates for `command`, as LaunchSpec takes them: the program of this name with `args`. Many agents send a whole
/// line without arguments: where the line has a blank or a character that means something to a shell, and no program
/// has such a name, `/bin/sh` gets it as it is. A rule that restricts agents' programs has to judge both.
std::vector<Program> programs_for(const std::string& command, const std::vector<std::string>& args);

/// How a shell would have told that a program cannot be run.
struct LaunchFailure {
  int exit_code = 0;     ///< 127: there is none; 126: it cannot be executed
  std::string sentence;  ///< one line, printable, bounded
};

/// The failure that an agent is told of after a failed launch of programs_for(`command`). Nothing where something other
/// than the program failed: the working directory, a request that no exec can take, an exhausted machine.
std::optional<LaunchFailure> launch_failure(const Error& error, std::string_view command);

}  // namespace ptyd
