// ScrollbackText: the newest lines of the scrollback as the bytes that draw them, above a screen which is drawn next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pty/screen/grid/grid.hpp"
#include "pty/screen/serialize/detail.hpp"

namespace ptyd {

/// Draws from the newest row up, and no more than one row that is not kept; or, of whole lines, one line. Lines that
/// are to be drawn have to be laid out before this is made (Grid::lay_out).
class ScrollbackText {
 public:
  /// Bytes. Where a row needs DECSC, `for_saved_caret` of them are taken for what the screen has to write then.
  struct Room {
    std::size_t bytes = 0;
    std::size_t for_saved_caret = 0;
  };
  ScrollbackText(const Grid& grid, LinkBudget& links, Room room);

  /// As many rows as there is room for, at most `rows`; returns how many.
  std::size_t add_rows(std::size_t rows);
  /// As many whole lines as there is room for, at most `lines`. A line that goes on in the screen counts. Where there
  /// is no room for the newest line, it is left out or, with `cuts`, loses its begin.
  std::uint64_t add_lines(std::uint64_t lines, bool cuts = false);

  void append_to(std::string& text) const;
  /// Appends at most so many rows, the oldest of those that are left, and forgets them; whether any is left.
  bool move_rows(std::size_t rows, std::string& text);
  std::size_t bytes() const { return kept_.bytes; }
  bool saves_caret() const { return kept_.saves_caret; }

 private:
  struct Extent {
    std::size_t begin = 0;   // the oldest row
    std::size_t pieces = 0;  // of pieces_
    std::size_t bytes = 0;
    bool saves_caret = false;
  };

  bool add_row(Extent& extent);
  bool fits(const Extent& extent) const;

  const Grid& grid_;
  LinkBudget& links_;
  Room room_;
  Extent kept_;
  std::vector<std::string> pieces_;         // a row each, the newest first; those beyond kept_ do not count
  std::array<std::vector<Cell>, 2> space_;  // of a row and of the one above it
  Line above_;                              // the row above the last one that was drawn
};

}  // namespace ptyd
