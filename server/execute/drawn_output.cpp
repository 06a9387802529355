#include "server/execute/drawn_output.hpp"

#include <utility>
#include <vector>

#include "server/execute/joined_rows.hpp"

namespace ptyd {

DrawnOutput::DrawnOutput(Size size, const Room& room)
    : screen_({size, room.lines, EmulatorKind::native, nullptr, room.cells}) {}

void DrawnOutput::take(const Token& token) {
  if (!changes_no_text(token)) tabs_.feed(token);
}

void DrawnOutput::say(std::string_view text) {
  Token token;
  token.bytes = text;
  screen_.feed(token);
}

/// Nearly every cell gives a byte. Where tabs and wide glyphs are many all is read.
std::string DrawnOutput::whole(std::size_t wanted) const {
  const Grid& grid = screen_.grid();
  const auto rows = grid.scrollback_of_cells(wanted + wanted / 16);
  if (rows == grid.scrollback()) return text_from(0);
  auto text = text_from(grid.scrollback() - rows);
  return text.size() > wanted ? text : text_from(0);
}

/// Text from that row of the scrollback on, which begins a line.
std::string DrawnOutput::text_from(std::size_t row) const {
  const Grid& grid = screen_.grid();
  JoinedRows rows(grid);
  std::string text;
  bool begins = false;
  const JoinedRows::Give add = [&](std::string_view piece, bool ends) {
    if (std::exchange(begins, ends)) text += '\n';
    text += piece;
  };
  std::vector<Cell> space;
  for (const auto end = grid.scrollback(); row < end; ++row) rows.add(grid.scrollback_line(row, space), add);
  const int used = used_rows(screen_);
  for (int shown = 0; shown < used; ++shown) rows.add(grid.line(Buffer::primary, shown), add);
  rows.end(add);
  return text;
}

}  // namespace ptyd
