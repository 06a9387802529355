// ScreenText: the rows of a screen as the bytes that draw them.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "pty/screen/grid/grid.hpp"
#include "pty/screen/serialize/detail.hpp"

namespace ptyd {

/// The text of both buffers. Each begins at its top, with the caret in column 0 and all rows empty.
class ScreenText {
 public:
  struct Extent {
    int primary = 0;         ///< rows of the primary buffer
    int alternate = 0;       ///< of the alternate buffer
    bool continues = false;  ///< the first row of the primary goes on from a line that is drawn above it
  };
  ScreenText(const Grid& grid, Extent extent) : grid_(grid), extent_(extent) {}

  /// Draws in the detail for which there is room; lower rows and the buffer that is shown get more. Text is never left
  /// out: where `max_bytes` are too few for that, it is as long as its text.
  void draw(LinkBudget& links, std::size_t max_bytes);
  /// Draws in full detail. False when that takes more than `max_bytes`; then nothing is drawn.
  bool draw_exactly(LinkBudget& links, std::size_t max_bytes);

  std::string text(Buffer buffer) const;
  std::size_t bytes() const;
  /// Whether DECSC is used in the buffer, which forgets what was saved there.
  bool saves_caret(Buffer buffer) const;
  /// Whether the caret is left where the text of the last row of the primary buffer ends.
  bool ends_at_text() const;

 private:
  struct Row {
    std::string text;
    bool saved_caret = false, ended_at_text = false;
  };
  struct Place {
    Buffer buffer;
    int row;
  };

  int rows(Buffer buffer) const { return buffer == Buffer::primary ? extent_.primary : extent_.alternate; }
  std::vector<Place> by_importance() const;
  Row drawn(const Place& place, LinkBudget& links, Detail detail) const;
  void keep(const std::vector<Place>& places, std::vector<Row> rows);

  const Grid& grid_;
  Extent extent_;
  std::array<std::vector<Row>, 2> rows_;  // of each buffer, from the bottom
};

}  // namespace ptyd
