// Terminals of MCP: their names, their threads, and how long a call waits for one.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

namespace ptyd::limits {
inline constexpr std::size_t kMaxToolTerminal = 64;  ///< bytes of a terminal's name, which is part of its thread's name
/// A call's wait at most: clients give up after 60 s.
inline constexpr std::chrono::milliseconds kMaxToolWait{55'000};
}  // namespace ptyd::limits

namespace ptyd::mcp {

/// Each terminal of MCP is in a thread of its own, so that none waits for another to start.
inline std::string thread_of_terminal(std::string_view terminal_id) {
  return "mcp/" + std::string(terminal_id);
}

}  // namespace ptyd::mcp
