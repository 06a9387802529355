// ToolCall: a tool call of an agent, which shows a terminal, as the Agent Client Protocol tells of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace ptyd {

namespace limits {
/// UTF-16 units of a tool call's title: a line of a list. Agents put whole commands into it.
inline constexpr std::size_t kMaxToolTitle = 256;
}  // namespace limits

/// Kinds of the Agent Client Protocol; `other` before the agent has told one of them.
enum class ToolKind : std::uint8_t { read, edit, remove, move, search, execute, think, fetch, switch_mode, other };
enum class ToolStatus : std::uint8_t { pending, in_progress, completed, failed };

struct ToolCall {
  std::string title;  ///< one line without control characters, "" where the agent tells none
  ToolKind kind = ToolKind::other;
  ToolStatus status = ToolStatus::pending;
  bool operator==(const ToolCall&) const = default;
};

/// Fields of a ToolCall that an agent has told; the others stay as they are.
struct ToolCallUpdate {
  std::optional<std::string> title;
  std::optional<ToolKind> kind;
  std::optional<ToolStatus> status;
  bool operator==(const ToolCallUpdate&) const = default;

  bool is_empty() const { return !title && !kind && !status; }
  void apply_to(ToolCall& call) const {
    if (title) call.title = *title;
    if (kind) call.kind = *kind;
    if (status) call.status = *status;
  }
};

/// An event: the agent has told more of the tool call that shows the terminal.
struct ToolCallUpdated {
  ToolCall call;
};

}  // namespace ptyd
