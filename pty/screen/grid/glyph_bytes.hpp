// Glyphs of cells as bytes, for rows that have left the screen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "pty/screen/grid/cell.hpp"

namespace ptyd::glyph_bytes {

// A glyph is UTF-8, or one of these and three bytes: UTF-8 has no such bytes.
inline constexpr std::uint8_t kClusterByte = 0xFF, kPointByte = 0xFE;
inline constexpr std::size_t kMost = 4;

/// Writes kMost bytes, of which as many count as it returns.
inline std::size_t encode(std::uint32_t glyph, char* out) {
  const auto write = [out](std::uint32_t first, std::uint32_t second, std::uint32_t third, std::uint32_t fourth) {
    const std::uint32_t bytes = first | second << 8 | third << 16 | fourth << 24;
    std::memcpy(out, &bytes, sizeof bytes);
  };
  const auto tail = [glyph](unsigned shift) { return 0x80 | (glyph >> shift & 0x3F); };
  if (glyph < 0x80) return write(glyph, 0, 0, 0), 1;
  if (glyph < 0x800) return write(0xC0 | glyph >> 6, tail(0), 0, 0), 2;
  if (glyph < 0x10000) return write(0xE0 | glyph >> 12, tail(6), tail(0), 0), 3;
  if ((glyph & Cell::kCluster) == 0) return write(0xF0 | glyph >> 18, tail(12), tail(6), tail(0)), 4;
  return write(kClusterByte, glyph >> 16 & 0xFF, glyph >> 8 & 0xFF, glyph & 0xFF), 4;
}

/// Reads the glyph at `in`, and moves `in` behind it.
inline std::uint32_t decode(const std::uint8_t*& in) {
  const std::uint32_t first = *in++;
  const auto tail = [&](std::uint32_t so_far) { return so_far << 6 | (*in++ & 0x3FU); };
  if (first < 0x80) return first;
  if (first < 0xE0) return tail(first & 0x1F);
  if (first < 0xF0) {
    const std::uint32_t high = tail(first & 0x0F);
    return tail(high);
  }
  if (first < kPointByte) {
    const std::uint32_t high = tail(first & 0x07), middle = tail(high);
    return tail(middle);
  }
  in += 3;
  const std::uint32_t number =
      static_cast<std::uint32_t>(in[-3]) << 16 | static_cast<std::uint32_t>(in[-2]) << 8 | in[-1];
  return first == kClusterByte ? number | Cell::kCluster : number;
}

/// Overwrites the four bytes of a cluster with one code point.
inline void write_point(char32_t point, std::uint8_t* place) {
  place[0] = kPointByte;
  place[1] = static_cast<std::uint8_t>(point >> 16);
  place[2] = static_cast<std::uint8_t>(point >> 8);
  place[3] = static_cast<std::uint8_t>(point);
}

}  // namespace ptyd::glyph_bytes
