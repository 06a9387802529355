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
  // 9 and 11 to 13 are taken: earlier versions had kinds of these numbers.
  warning = 10,
  // Given by read() where a mark stood that a newer one made superfluous. Never in a file.
  forgotten = 14,
};

/// Properties of a kind of mark. Each kind is judged by its own marks alone.
struct MarkTraits {
  MarkKind kind;
  bool supersedes_older = false;  ///< the newest one says all that older ones said
  bool supersedes_near = false;   ///< one right behind an older one replaces it; one near it does when space is short
};

inline constexpr std::array kMarkTraits{
    MarkTraits{.kind = MarkKind::started},
    MarkTraits{.kind = MarkKind::exited},
    MarkTraits{.kind = MarkKind::restarted},
    MarkTraits{.kind = MarkKind::cleared},
    MarkTraits{.kind = MarkKind::resized, .supersedes_near = true},
    MarkTraits{.kind = MarkKind::title, .supersedes_older = true},
    MarkTraits{.kind = MarkKind::activity, .supersedes_older = true},
    MarkTraits{.kind = MarkKind::error},
    MarkTraits{.kind = MarkKind::warning},
    MarkTraits{.kind = MarkKind::forgotten},
};

/// The traits of `kind`. For a kind without a row, which a damaged file may hold, those of `forgotten`, which are all
/// false.
constexpr const MarkTraits& traits_of(MarkKind kind) {
  for (const MarkTraits& traits : kMarkTraits)
    if (traits.kind == kind) return traits;
  return kMarkTraits.back();
}

/// Something that happened at `position`. The session defines the form of the payload.
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
