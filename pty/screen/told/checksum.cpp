#include "pty/screen/told/checksum.hpp"

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

std::uint32_t weight_of_text(const Grid& grid, const Cell& cell) {
  if ((cell.glyph & Cell::kCluster) == 0) return cell.glyph;
  std::string text;
  grid.append_text(cell, text);
  std::uint32_t sum = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view one = rest.substr(0, utf8::unit(rest));
    sum += utf8::decode(one);
    rest.remove_prefix(one.size());
  }
  return sum;
}

}  // namespace

std::uint16_t checksum(const Grid& grid, const Area& area) {
  std::uint32_t sum = 0;
  const int bottom = std::min<int>(area.bottom, grid.size().rows);
  for (int row = std::max(area.top, 0); row < bottom; ++row) {
    const Line line = grid.line(grid.active(), row);
    const int end = std::min(area.right, static_cast<int>(line.cells.size()));
    for (int column = std::max(area.left, 0); column < end; ++column) {
      const Cell& cell = line.cells[static_cast<std::size_t>(column)];
      if (cell.glyph == 0 || cell.width == 0) continue;
      sum += weight_of_text(grid, cell) + weight_of_look(cell, grid.pen(cell.pen));
    }
  }
  return static_cast<std::uint16_t>(-sum);
}

}  // namespace ptyd
