#include "pty/screen/report/checksum.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

std::uint32_t weight_of_look(const Cell& cell, const Pen& pen) {
  const auto when = [&](std::uint8_t bit, std::uint32_t weight) { return (pen.attributes & bit) != 0 ? weight : 0; };
  return (cell.guarded != 0 ? 0x04U : 0U) + when(attribute::kInvisible, 0x08) +
         (pen.underline != Underline::none ? 0x10U : 0U) + when(attribute::kInverse, 0x20) +
         when(attribute::kBlink, 0x40) + when(attribute::kBold, 0x80);
}

std::uint32_t weight_of_text(const Grid& grid, const Cell& cell, std::uint8_t flags) {
  const bool whole = (flags & checksum_flag::kWhole) != 0;
  std::string text;
  grid.append_text(cell, text);
  std::uint32_t sum = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view one = rest.substr(0, utf8::unit(rest));
    sum += utf8::decode(one);
    if (!whole) return sum & 0xFF;
    rest.remove_prefix(one.size());
  }
  return sum;
}

std::uint32_t weight_of(const Grid& grid, const Cell& cell, std::uint8_t flags) {
  if (cell.width == 0) return 0;
  const auto chosen = [flags](std::uint8_t flag) { return (flags & flag) != 0; };
  const bool drawn = cell.glyph != 0;
  if (!drawn) return chosen(checksum_flag::kBlanks) && !chosen(checksum_flag::kDrawn) ? U' ' : 0;
  const std::uint32_t look = chosen(checksum_flag::kNoLooks) ? 0 : weight_of_look(cell, grid.pen(cell.pen));
  return weight_of_text(grid, cell, flags) + look;
}

}  // namespace

std::uint16_t checksum(const Grid& grid, const Area& area, std::uint8_t flags) {
  std::uint32_t sum = 0;
  const int bottom = std::min<int>(area.bottom, grid.size().rows);
  for (int row = std::max(area.top, 0); row < bottom; ++row) {
    const Line line = grid.line(grid.active(), row);
    const int end = std::min(area.right, grid.columns(row));
    for (int column = std::max(area.left, 0); column < end; ++column) {
      const auto at = static_cast<std::size_t>(column);
      sum += weight_of(grid, at < line.cells.size() ? line.cells[at] : Cell{}, flags);
    }
  }
  return static_cast<std::uint16_t>((flags & checksum_flag::kPositive) != 0 ? sum : -sum);
}

}  // namespace ptyd
