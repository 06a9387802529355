#include "server/execute/drawn_output.hpp"

#include <utility>
#include <vector>

#include "server/execute/joined_rows.hpp"

namespace ptyd {

DrawnOutput::DrawnOutput(Size size, const Room& room)
    : screen_({size, room.lines, EmulatorKind::native, nullptr, room.cells}) {}

void DrawnOutput::take(const Token& token) {
  if (!is_about_looks(token)) tabs_.feed(token);
}

void DrawnOutput::say(std::string_view text) {
  Token token;
  token.bytes = text;
  screen_.feed(token);
}

std::string DrawnOutput::whole() const {
  const Grid& grid = screen_.grid();
  JoinedRows rows(grid);
  std::vector<Cell> space;
  for (std::size_t index = 0; index < grid.scrollback(); ++index) rows.add(grid.scrollback_line(index, space));
  const int used = used_rows(screen_);
  for (int row = 0; row < used; ++row) rows.add(grid.line(Buffer::primary, row));
  rows.end();
  std::string text;
  bool begins = false;
  for (const auto& piece : rows.take()) {
    if (std::exchange(begins, piece.ends)) text += '\n';
    text += piece.text;
  }
  return text;
}

}  // namespace ptyd
