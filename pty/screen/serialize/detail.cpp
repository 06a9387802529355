#include "pty/screen/serialize/detail.hpp"

#include <cstdlib>
#include <string>
#include <string_view>

#include "pty/screen/palette.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

using Rgb = std::array<int, 3>;

Rgb parts_of(std::uint32_t rgb) {
  return {static_cast<int>(rgb >> 16 & 0xFF), static_cast<int>(rgb >> 8 & 0xFF), static_cast<int>(rgb & 0xFF)};
}

int distance(const Rgb& one, const Rgb& other) {
  int sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) sum += (one[i] - other[i]) * (one[i] - other[i]);
  return sum;
}

// Parts of the 256 colours: a cube, whose first colours are the steps of one of its sides, and a ramp of greys.
constexpr int kCubeBegin = 16, kCubeSide = 6, kRampBegin = 232, kRampLength = 24;

/// Of the steps that begin at colour `first`, the one that is nearest to `value`.
int nearest_step(int first, int count, int value) {
  const auto off = [first, value](int step) {
    return std::abs(static_cast<int>(Palette::initial(static_cast<std::uint8_t>(first + step)) & 0xFF) - value);
  };
  int nearest = 0;
  for (int step = 1; step < count; ++step)
    if (off(step) < off(nearest)) nearest = step;
  return nearest;
}

Colour nearest_indexed(Colour colour) {
  if (!colour.is_rgb()) return colour;
  const Rgb wanted = parts_of(colour.value());
  int place = 0;
  for (const int part : wanted) place = place * kCubeSide + nearest_step(kCubeBegin, kCubeSide, part);
  const int mean = (wanted[0] + wanted[1] + wanted[2]) / 3;
  const auto cube = static_cast<std::uint8_t>(kCubeBegin + place);
  const auto grey = static_cast<std::uint8_t>(kRampBegin + nearest_step(kRampBegin, kRampLength, mean));
  const auto off = [&wanted](std::uint8_t index) { return distance(wanted, parts_of(Palette::initial(index))); };
  return Colour::indexed(off(grey) < off(cube) ? grey : cube);
}

}  // namespace

Pen reduced(Pen pen, Detail detail) {
  if (detail >= Detail::no_looks) return {};
  if (detail >= Detail::unlinked) pen.link = 0;
  if (detail >= Detail::few_colours) {
    pen.foreground = nearest_indexed(pen.foreground);
    pen.background = nearest_indexed(pen.background);
    pen.underline_colour = nearest_indexed(pen.underline_colour);
  }
  return pen;
}

Line reduced(const Line& line, const Grid& grid, Detail detail, std::vector<Cell>& space) {
  if (detail < Detail::first_code_points) return line;
  space.assign(line.cells.begin(), line.cells.end());
  for (Cell& cell : space) cell.glyph = first_code_point(cell, grid);
  return {space, line.wrapped, line.size};
}

char32_t first_code_point(const Cell& cell, const Grid& grid) {
  if ((cell.glyph & Cell::kCluster) == 0) return cell.glyph;
  std::string text;
  grid.append_text(cell, text);
  return utf8::decode(std::string_view(text).substr(0, utf8::unit(text)));
}

bool LinkBudget::take(const Link& link) {
  constexpr std::size_t kAround = 20;  // OSC 8, `id=`, and the sequence that ends it
  const std::size_t bytes = link.id.size() + link.uri.size() + kAround;
  if (bytes > left_) refused_ = true;
  if (bytes > left_) return false;
  left_ -= bytes;
  return true;
}

}  // namespace ptyd
