// LaunchConfig: settings that a session's child is started with.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/messages.hpp"
#include "pty/process/pty.hpp"
#include "pty/shell/integration.hpp"
#include "pty/types.hpp"
#include "server/session/context/session_context.hpp"

namespace ptyd {

/// LaunchConfig: what a session's child is started with, its size now, and when anything of a session changed last.
struct LaunchConfig {
  std::string cwd;
  Environment env;
  Size size;
  UnixMillis updated_at = 0;
  std::optional<UnixMillis> started_at;  ///< of the last program that this server started
  std::string name;                      ///< shown to people, "" for nothing
  std::string command_line;              ///< of a program that an agent runs, "" of a shell
  bool takes_input = true;
  std::optional<ToolCall> tool_call;  ///< that shows an agent's program
  bool is_fresh = true;               ///< nothing was adopted yet

  /// Columns or rows that are not asked for stay as they are.
  void adopt(std::string new_cwd, const Environment& new_env, std::optional<std::uint16_t> cols,
             std::optional<std::uint16_t> rows);
  /// The size that adopt() would take; changes nothing.
  Size size_for(const Open& asked) const;
  Size size_for(const Execute& asked) const;
  /// The same of a shell for commands; where it was never started, what is not asked for is `settings`' and kAgentSize.
  void adopt(const Execute& asked, const HostSettings& settings);
  /// Launch for people.
  LaunchSpec shell(const HostSettings& settings) const;
  /// Launch for commands: the first of `shells`, all of one kind, that there is, integrated.
  LaunchSpec shell_for_commands(const HostSettings& settings, const std::vector<Program>& shells,
                                const Integration& with) const;
};

}  // namespace ptyd
