// Mark: something that happened to a terminal, at its place among the output.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "pty/types.hpp"

namespace ptyd {

/// Kinds of what can happen to a terminal besides output. The numbers are in files: never reuse one.
enum class MarkKind : std::uint8_t {
  started = 1,
  exited = 2,
  restarted = 3,
  cleared = 4,
  resized = 5,
  title = 6,
  activity = 7,
  error = 8,
  // 9 was a question that only a viewer could answer; 11 to 13 were meant for a shell's commands, and never written.
  warning = 10,
  // Given by read() where a mark stood that a newer one made superfluous. Never in a file.
  forgotten = 14,
};

/// Properties of a kind of mark. Each kind is judged by its own marks alone.
struct MarkTraits {
  MarkKind kind;
  bool supersedes_older = false;  ///< the newest one says all that older ones said
  bool supersedes_near = false;   ///< one right behind an older one replaces it; one near it does when space is short
  bool ends_output = false;       ///< sent after all output before it: a client may stop listening there
};

inline constexpr std::array kMarkTraits{
    MarkTraits{.kind = MarkKind::started},
    MarkTraits{.kind = MarkKind::exited, .ends_output = true},
    MarkTraits{.kind = MarkKind::restarted},
    MarkTraits{.kind = MarkKind::cleared},
    MarkTraits{.kind = MarkKind::resized, .supersedes_near = true},
    MarkTraits{.kind = MarkKind::title, .supersedes_older = true},
    MarkTraits{.kind = MarkKind::activity, .supersedes_older = true},
    MarkTraits{.kind = MarkKind::error},
    MarkTraits{.kind = MarkKind::warning},
    MarkTraits{.kind = MarkKind::forgotten},
};

/// Those of `forgotten`, which has none, for kinds without a row: damaged files may hold such.
constexpr const MarkTraits& traits_of(MarkKind kind) {
  for (const MarkTraits& traits : kMarkTraits)
    if (traits.kind == kind) return traits;
  return kMarkTraits.back();
}

/// Something that happened at `position`. The payload's form is the session's affair.
struct Mark {
  Position position = 0;
  MarkKind kind = MarkKind::started;
  UnixMillis time = 0;
  std::string_view payload;       ///< valid until the next append(), mark(), move_tail() or wipe()
  std::optional<Size> size = {};  ///< of the terminal from here on, where the mark tells it
};

/// Bounds that the parts of a journal share; Journal says what they are for.
namespace journal_limits {

inline constexpr std::size_t kMaxPayload = 4096;
inline constexpr std::uint16_t kMaxSide = 4095;
inline constexpr std::size_t kInboxBytes = 64 << 10;
inline constexpr std::uint32_t kMaxHeld = 256, kMaxNamed = 64;

}  // namespace journal_limits

}  // namespace ptyd
