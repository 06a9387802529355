// JoinedRows: the rows of a Screen as the lines that a program has printed.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {

/// Joins rows that go on in the next one, without what was never written at the end of a line; tabs as KeptTabs has
/// them. A line is given in pieces where it is very long.
///
/// Owns    the text of a line that has not ended. The Grid is borrowed and outlives it.
/// Thread  one.
class JoinedRows {
 public:
  /// Takes a line, or a piece of one. `ends`: the line ends with it.
  using Give = std::function<void(std::string_view text, bool ends)>;
  /// Bytes of a line that are kept before it is given in pieces.
  static constexpr std::size_t kMostBytes = 4096;

  explicit JoinedRows(const Grid& grid) : grid_(&grid) {}

  /// From the top. Gives what comes to an end, and a piece of what has become too long.
  void add(const Line& row, const Give& give);
  /// The line that has not ended ends here.
  void end(const Give& give);
  /// A piece of the line that has not ended was given.
  bool has_given() const { return has_given_; }
  /// Forgets a line that has not ended.
  void reset();

 private:
  void append(std::span<const Cell> cells, bool is_full);
  void give_piece(const Give& give);

  const Grid* grid_;
  std::string text_;           // of a line that goes on, as far as it is written ...
  std::vector<Cell> tab_;      // ... then a tab that may go on in the next row, split by a resize ...
  std::size_t unwritten_ = 0;  // ... then places that are blank where more follows
  bool in_line_ = false, hole_before_ = false, has_given_ = false;
};

/// Rows of the primary buffer down to the last one that is written, or to the caret.
int used_rows(const Screen& screen);

/// Changes no text: says how the text behind it looks (SGR, and xterm's keys), or something beside the screen (titles,
/// links). Outputs are drawn without these: erased to the right margin in a colour, a line would take as many cells as
/// a full one, and links are long.
bool changes_no_text(const Token& token);

}  // namespace ptyd
