// Which coding agent a command line starts, if any.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ptyd {

/// The agents that clients know by name.
enum class CliKind : std::uint8_t { none, codex, claude };
/// "codex", "claude" or "".
std::string_view wire_name(CliKind kind);
/// From a name as in T3CODE_TERMINAL_CLI_KIND: trimmed, in any case.
CliKind cli_kind_from(std::string_view name);

/// Words as a shell would split them: quotes and backslashes are understood, expansions are not.
std::vector<std::string> split_words(std::string_view line);

/// Program that `line`, once typed, is about to run: an agent, or some other command (CliKind::none). Nothing when the
/// line says nothing about it: an empty one, or a word like cd or ls.
std::optional<CliKind> identify_typed(std::string_view line);

/// Which agent a process with this command line belongs to.
CliKind identify_process(std::string_view command_line);

/// True for shells and multiplexers, which do nothing by themselves; login forms (`-bash`) too.
bool is_shell_like(std::string_view command_line);

}  // namespace ptyd
