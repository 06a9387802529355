#include "pty/screen/reset_text.hpp"

#include <algorithm>

#include "pty/screen/mode_rows.hpp"
#include "pty/screen/modes.hpp"

namespace ptyd {
namespace {

constexpr int kTabWidth = 8;

/// Rows of the primary screen down to the last one that shows something.
int rows_used(const Grid& grid) {
  const auto shows = [](const Cell& cell) { return !(cell == Cell{}); };
  int used = grid.size().rows;
  while (used > 0) {
    const Line line = grid.line(Buffer::primary, used - 1);
    if (line.size != LineSize::single || std::any_of(line.cells.begin(), line.cells.end(), shows)) return used;
    --used;
  }
  return 0;
}

/// Resets keyboard flags. Each screen has its own; some terminals keep flags that are set apart from flags that are
/// pushed.
std::string keyboard() {
  return "\x1b[=0;1u\x1b[<" + std::to_string(Modes::kMaxKeyboardStack) + "u";
}

/// DECSTR forgets margins, origin, charsets and the saved caret of the screen that is shown, without moving the caret.
/// To leave the alternate screen by 1047 empties it, and moves no caret either.
std::string both_screens() {
  const std::string either = "\x1b[!p" + keyboard();
  return "\x1b[?47h" + either + "\x1b[?1047l" + either;
}

/// Resets modes, and overwrites what XTSAVE has kept, which no sequence deletes.
std::string modes() {
  std::string text;
  for (const ModeRow& row : mode_rows()) {
    if (!row.apart) text += switch_text(row, row.initially);
    const bool is_kept = row.home == ModeRow::Home::modes || row.home == ModeRow::Home::state;
    if (is_kept && !row.ansi) text += "\x1b[?" + std::to_string(row.number) + "s";
  }
  return text + "\x1b>\x1b[>4;0m\x1b[0 q\x1b[0#y";
}

/// Colours, kept titles, titles, folder and progress.
std::string strings() {
  std::string text = "\x1b]104\x1b\\\x1b]105\x1b\\";
  for (int number = Palette::kFirstDynamic; number <= Palette::kLastDynamic; ++number)
    text += "\x1b]" + std::to_string(100 + number) + "\x1b\\";
  for (std::size_t i = 0; i < Modes::kMaxKeptTitles; ++i) text += "\x1b[23t";
  return text + "\x1b]0;\x1b\\\x1b]7;\x1b\\\x1b]9;4;0;0\x1b\\";
}

/// Resets tab stops; the caret goes to the first column.
std::string tabs(int columns) {
  std::string text = "\x1b[3g";
  for (int column = kTabWidth; column < columns; column += kTabWidth)
    text += "\x1b[" + std::to_string(column + 1) + "G\x1bH";
  return text + "\r";
}

/// Resets DECCOLM. That erases the screen, so its content is first scrolled into the scrollback.
std::string columns(const Screen& screen) {
  if (!screen.state().columns_132) return "\x1b[?40l";
  const int rows = screen.grid().size().rows;
  return "\x1b[" + std::to_string(rows) + "H" + std::string(static_cast<std::size_t>(rows_used(screen.grid())), '\n') +
         "\x1b[?40h\x1b[?3l\x1b[?40l";
}

std::string caret(const Screen& screen) {
  const int used = screen.state().columns_132 ? 0 : rows_used(screen.grid());
  return used == 0 ? "\x1b[H" : "\x1b[" + std::to_string(used) + "H\r\n";
}

}  // namespace

bool shows_nothing(const Screen& screen) {
  return screen.grid().scrollback_end() == 0 && rows_used(screen.grid()) == 0;
}

std::string reset_text(const Screen& screen) {
  // CAN ends what broke off. The link and what erase spares outlive DECSTR. Where the caret goes no line is a double
  // one, in which tab stops could not be set.
  return "\x18\x1b]8;;\x1b\\\x1b[0\"q" + both_screens() + "\x1b[?69l" + columns(screen) + modes() + strings() +
         "\x1b(B\x1b)B\x1b*B\x1b+B\x0f\x1b}\x1b[m" + caret(screen) + tabs(screen.grid().size().cols);
}

}  // namespace ptyd
