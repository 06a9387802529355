// Area: a rectangle of a screen.
#pragma once

#include <algorithm>
#include <cstdint>

namespace ptyd {

/// Places of a screen; `bottom` and `right` are the first ones outside.
struct Area {
  int top = 0, left = 0, bottom = 0, right = 0;
  bool operator==(const Area&) const = default;
};

/// The part of `area` that is on a screen of this size; never inverted.
inline Area clamped(const Area& area, int columns, int rows) {
  Area part;
  part.top = std::clamp(area.top, 0, rows);
  part.bottom = std::clamp(area.bottom, part.top, rows);
  part.left = std::clamp(area.left, 0, columns);
  part.right = std::clamp(area.right, part.left, columns);
  return part;
}

inline std::uint64_t cells_in(const Area& area) {
  return static_cast<std::uint64_t>(area.bottom - area.top) * static_cast<std::uint64_t>(area.right - area.left);
}

}  // namespace ptyd
