#include "pty/screen/told/detail.hpp"

#include <cstdlib>
#include <string>
#include <string_view>

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

/// Of the 256, colours 16 to 231 are a cube of these, the rest a ramp of greys.
constexpr std::array kCube{0, 95, 135, 175, 215, 255};
constexpr int kFirstOfCube = 16, kFirstGrey = 232, kGreys = 24, kDarkest = 8, kStep = 10;

int nearest_in_cube(int value) {
  int nearest = 0;
  for (int i = 1; i < static_cast<int>(kCube.size()); ++i) {
    const auto off = [value](int at) { return std::abs(kCube[static_cast<std::size_t>(at)] - value); };
    if (off(i) < off(nearest)) nearest = i;
  }
  return nearest;
}

Colour nearest_indexed(Colour colour) {
  if (!colour.is_rgb()) return colour;
  const Rgb wanted = parts_of(colour.value());
  Rgb cube{};
  int index = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const int at = nearest_in_cube(wanted[i]);
    cube[i] = kCube[static_cast<std::size_t>(at)];
    index = index * static_cast<int>(kCube.size()) + at;
  }
  const int mean = (wanted[0] + wanted[1] + wanted[2]) / 3;
  const int grey = std::clamp((mean - kDarkest + kStep / 2) / kStep, 0, kGreys - 1);
  const int level = kDarkest + kStep * grey;
  const bool is_grey = distance(wanted, {level, level, level}) < distance(wanted, cube);
  return Colour::indexed(static_cast<std::uint8_t>(is_grey ? kFirstGrey + grey : kFirstOfCube + index));
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
