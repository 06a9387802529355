// Detail: levels of fidelity for drawn lines, lower ones where full fidelity would take too many bytes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "pty/screen/grid/cell.hpp"
#include "pty/screen/grid/grid.hpp"

namespace ptyd {

/// Levels of detail, from all of it down. Each level also leaves out what a person would miss least. Text stays, each
/// glyph in its place.
enum class Detail : std::uint8_t {
  full,
  unlinked,           ///< no hyperlinks
  few_colours,        ///< and each RGB colour is the nearest of the 256
  no_looks,           ///< and no colours, attributes and guards
  first_code_points,  ///< and of what stands in one place only the first code point
};
inline constexpr std::array kDetails{Detail::full, Detail::unlinked, Detail::few_colours, Detail::no_looks,
                                     Detail::first_code_points};

Pen reduced(Pen pen, Detail detail);
/// `space` takes the cells where they change.
Line reduced(const Line& line, const Grid& grid, Detail detail, std::vector<Cell>& space);
char32_t first_code_point(const Cell& cell, const Grid& grid);

/// Bytes of hyperlinks that may still be written. A link costs each time it begins: two links in alternating cells cost
/// once for each cell.
class LinkBudget {
 public:
  /// Of one snapshot: hundreds of links of usual length, and a page full of the longest makes no megabytes.
  static constexpr std::size_t kUsual = 64 << 10;

  explicit LinkBudget(std::size_t bytes = kUsual) : left_(bytes) {}

  /// Whether the link may be written; if so, counts its bytes.
  bool take(const Link& link);
  /// Whether a link was left out.
  bool has_refused() const { return refused_; }

 private:
  std::size_t left_;
  bool refused_ = false;
};

/// Draws rows with `draw(index)` until there are `count`, or until they take more than `max_bytes` by `bytes_of(row)`.
template <class Row>
struct Drawn {
  std::vector<Row> rows;
  std::size_t bytes = 0;

  template <class Draw, class BytesOf>
  Drawn(std::size_t count, std::size_t max_bytes, Draw draw, BytesOf bytes_of) {
    while (rows.size() < count && bytes <= max_bytes) {
      rows.push_back(draw(rows.size()));
      bytes += bytes_of(rows.back());
    }
  }
};

/// All `count` rows of a screen, the most important first. All rows get the most detail in which they fit into
/// `max_bytes`; then the first ones get the next better, as long as there is room. In the least detail they may take
/// more than `max_bytes`. Draws at most a few times what fits.
template <class Row, class DrawDetail, class BytesOf>
std::vector<Row> drawn_to_fit(std::size_t count, std::size_t max_bytes, DrawDetail draw, BytesOf bytes_of) {
  std::vector<Row> better;
  for (const Detail detail : kDetails) {
    const bool last = detail == kDetails.back();
    const auto draw_row = [&](std::size_t index) { return draw(index, detail); };
    Drawn<Row> drawn(count, last ? SIZE_MAX : max_bytes, draw_row, bytes_of);
    if (drawn.bytes > max_bytes && !last) {
      better = std::move(drawn.rows);
      continue;
    }
    std::size_t room = max_bytes - std::min(max_bytes, drawn.bytes);
    for (std::size_t i = 0; i < better.size(); ++i) {
      const std::size_t before = bytes_of(drawn.rows[i]);
      const std::size_t more = bytes_of(better[i]) - std::min(before, bytes_of(better[i]));
      if (more > room) break;
      room -= more;
      drawn.rows[i] = std::move(better[i]);
    }
    return std::move(drawn.rows);
  }
  return {};
}

}  // namespace ptyd
