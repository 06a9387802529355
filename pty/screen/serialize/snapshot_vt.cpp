// Snapshots for terminals: the bytes that make a fresh one, or one that fell behind, into this one.
#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "pty/screen/serialize/line_writer.hpp"
#include "pty/screen/serialize/screen_text.hpp"
#include "pty/screen/serialize/scrollback_text.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "pty/screen/serialize/state_writer.hpp"

namespace ptyd {
namespace {

bool is_plain_blank(const Cell& cell) {
  return cell == Cell{};
}

bool is_empty(const Line& line) {
  return line.size == LineSize::single && std::all_of(line.cells.begin(), line.cells.end(), is_plain_blank);
}

bool is_empty(const Grid& grid, Buffer buffer) {
  for (int row = 0; row < grid.size().rows; ++row) {
    const Line line = grid.line(buffer, row);
    if (!line.cells.empty() || line.size != LineSize::single) return false;
  }
  return true;
}

/// The lowest row that shows something, continues another one, or has the caret.
int last_used_row(const Screen& screen) {
  const int caret = screen.grid().active() == Buffer::primary ? screen.state().caret.row : 0;
  int last = screen.grid().size().rows - 1;
  const auto row = [&screen](int at) { return screen.grid().line(Buffer::primary, at); };
  while (last > caret && is_empty(row(last)) && !row(last - 1).wrapped) --last;
  return last;
}

/// Whether printing the glyph draws it, whatever stands beside it.
bool is_ascii(const Cell& cell) {
  return cell.glyph >= ' ' && cell.glyph < 0x7F;
}

/// Whether writing the rows down to `last` leaves the caret where it has to be.
bool ends_at_caret(const Screen& screen, int last) {
  const TerminalState& state = screen.state();
  if (screen.grid().active() != Buffer::primary || state.caret.row != last || state.caret.pending_wrap) return false;
  const Line line = screen.grid().line(Buffer::primary, last);
  const auto at = std::min(line.cells.size(), static_cast<std::size_t>(state.caret.column));
  const auto end = line.cells.begin() + static_cast<std::ptrdiff_t>(at);
  const bool short_of_it = at < static_cast<std::size_t>(state.caret.column);
  return !state.origin && !short_of_it && line.size == LineSize::single &&
         std::all_of(line.cells.begin(), end, is_ascii) && std::all_of(end, line.cells.end(), is_plain_blank);
}

/// Whether the text has to describe the alternate screen. Its rows matter to viewers only while it is shown: programs
/// erase it when they enter or leave it.
bool has_alternate(const Screen& screen, Reader reader) {
  return reader == Reader::behind || screen.grid().active() == Buffer::alternate ||
         (reader == Reader::screen && !is_empty(screen.grid(), Buffer::alternate)) || screen.state().saved[1] ||
         !screen.modes().keyboard_stack(Buffer::alternate).empty();
}

ScreenText::Extent extent_of(const Screen& screen, Reader reader, int primary, bool continues) {
  const Grid& grid = screen.grid();
  const bool rows = grid.active() == Buffer::alternate || (reader == Reader::screen && has_alternate(screen, reader));
  return {primary, rows ? grid.size().rows : 0, continues};
}

/// Parts beside the lines, by where they stand.
struct StateText {
  std::string begin;               ///< before all lines
  std::string primary, alternate;  ///< behind the lines of the primary, before those of the alternate buffer
  std::string end;
  bool takes_last_glyph = false;  ///< of the lines: `end` prints it, one byte
  std::size_t bytes() const { return begin.size() + primary.size() + alternate.size() + end.size(); }
};

/// Whether lines use DECSC, and may leave the caret where it has to be.
struct DrawnLines {
  bool primary_saves = true, alternate_saves = true;
  bool leave_caret = false;
};

void tell_alternate(const Screen& screen, Reader reader, const DrawnLines& lines, StateText& text) {
  if (!has_alternate(screen, reader)) return;
  StateWriter before(screen, text.alternate, reader), behind(screen, text.end, reader);
  text.alternate += "\x1b[?47h\x1b[H\x1b[2J";
  if (before.saves_before_lines(Buffer::alternate, lines.alternate_saves))
    before.saved_caret_before_lines(Buffer::alternate);
  behind.saved_caret(Buffer::alternate, lines.alternate_saves);
  behind.keyboard(Buffer::alternate);
  if (screen.grid().active() == Buffer::primary) text.end += "\x1b[?47l";
}

StateText state_text(const Screen& screen, Reader reader, const DrawnLines& lines) {
  StateText text;
  StateWriter begin(screen, text.begin, reader), primary(screen, text.primary, reader), end(screen, text.end, reader);
  begin.columns();
  if (reader == Reader::behind) text.begin += "\x1b[?47l\x1b[H\x1b[2J";
  begin.tabs();
  if (begin.saves_before_lines(Buffer::primary, lines.primary_saves)) begin.saved_caret_before_lines(Buffer::primary);
  primary.saved_caret(Buffer::primary, lines.primary_saves);
  // Keyboard flags move no caret.
  const bool is_left = lines.leave_caret && text.primary.empty() && !has_alternate(screen, reader);
  primary.keyboard(Buffer::primary);
  tell_alternate(screen, reader, lines, text);
  end.strings();
  const auto drawn = text.end.size();
  end.margins();
  const bool is_placed = is_left && text.end.size() == drawn;
  end.caret(is_placed);
  end.modes();
  text.takes_last_glyph = is_placed && !text.end.empty() && end.takes_last_glyph();
  if (!is_placed || !text.end.empty()) end.print_again(text.takes_last_glyph);
  return text;
}

/// Upper bound of the bytes of state_text(), whatever the lines are.
std::size_t most_of_state(const Screen& screen, Reader reader) {
  constexpr std::size_t kSavedBefore = 256;
  return state_text(screen, reader, {}).bytes() + kSavedBefore;
}

std::size_t less(std::size_t from, std::size_t what) {
  return from - std::min(from, what);
}

/// Ends a sequence that broke off, and brings everything that decides how text is drawn back to where the writers
/// begin. DECSTR forgets margins, pen, charsets, origin and insert mode.
constexpr std::string_view kBegin =
    "\x18\x1b[?2026h\x1b[!p\x1b[?69l\x1b[?7h\x1b[4;20l\x1b[?45;1045l\x1b]8;;\x1b\\\x1b[0\"q\x1b[m\x1b(B\x1b)B\x1b*"
    "B\x1b+"
    "B\x0f\x1b}";

/// The line that tells a viewer how many lines were skipped.
std::string notice(std::uint64_t lines, std::size_t columns) {
  std::string text = "[ptyd: " + std::to_string(lines) + (lines == 1 ? " line" : " lines") + " skipped]";
  text.resize(std::min(text.size(), columns));
  return text;
}

bool goes_on_above(const Grid& grid) {
  std::vector<Cell> space;
  return grid.scrollback_end() > 0 && grid.scrollback_line(grid.scrollback_end() - 1, space).wrapped;
}

DrawnLines lines_of(const ScreenText& rows, const ScrollbackText& above, bool leave_caret) {
  return {rows.saves_caret(Buffer::primary) || above.saves_caret(), rows.saves_caret(Buffer::alternate), leave_caret};
}

/// Appends all that follows the lines above the screen.
void append_screen(const StateText& state, const ScreenText& rows, std::string& text) {
  text.append(rows.text(Buffer::primary));
  if (state.takes_last_glyph) text.pop_back();
  text.append(state.primary).append(state.alternate);
  text.append(rows.text(Buffer::alternate)).append(state.end);
}

/// `first` comes before all of it, `notice` before the lines above the screen.
std::string joined(const StateText& state, const ScrollbackText& above, const ScreenText& rows,
                   std::string_view first = {}, std::string_view notice = {}) {
  std::string text;
  text.reserve(first.size() + notice.size() + state.bytes() + above.bytes() + rows.bytes());
  text.append(first).append(state.begin).append(notice);
  above.append_to(text);
  append_screen(state, rows, text);
  return text;
}

}  // namespace

std::string vt_snapshot(const Screen& screen, const SnapshotRange& range) {
  constexpr Reader kReader = Reader::newcomer;
  const Grid& grid = screen.grid();
  const std::size_t above = grid.scrollback(range.scrollback);
  const int last = above > 0 ? grid.size().rows - 1 : last_used_row(screen);
  const std::size_t most = most_of_state(screen, kReader);
  LinkBudget links;
  ScreenText rows(grid, extent_of(screen, kReader, last + 1, above > 0 && goes_on_above(grid)));
  rows.draw(links, less(range.max_bytes, most));
  const bool leave_caret = rows.ends_at_text() && ends_at_caret(screen, last);
  const DrawnLines drawn{rows.saves_caret(Buffer::primary), rows.saves_caret(Buffer::alternate), leave_caret};
  const std::size_t state = state_text(screen, kReader, drawn).bytes();
  ScrollbackText scrollback(grid, links, {less(range.max_bytes, state + rows.bytes()), less(most, state)});
  scrollback.add_rows(above);
  return joined(state_text(screen, kReader, lines_of(rows, scrollback, leave_caret)), scrollback, rows);
}

struct CheckpointWriter::Parts {
  static constexpr Reader kReader = Reader::screen;
  /// Cells to lay out in a step, for each row that the step could draw.
  static constexpr std::size_t kCellsPerRow = 1024;

  Parts(const Screen& shown, std::size_t most) : screen(shown), max_bytes(most), links(most) {}

  bool draw_screen();
  bool draw_above(std::size_t count);
  State join(std::size_t count);

  const Screen& screen;
  const std::size_t max_bytes;
  LinkBudget links;
  int last = 0;
  std::optional<ScreenText> rows;
  std::optional<ScrollbackText> above;
  std::size_t left = 0;            // rows above the screen that are not drawn yet
  std::optional<StateText> state;  // once the text has begun
  std::string text;
};

/// Draws the screen. False where that takes too many bytes.
bool CheckpointWriter::Parts::draw_screen() {
  const Grid& grid = screen.grid();
  left = grid.scrollback();
  last = left > 0 ? grid.size().rows - 1 : last_used_row(screen);
  rows.emplace(grid, extent_of(screen, kReader, last + 1, goes_on_above(grid)));
  if (!rows->draw_exactly(links, max_bytes)) return false;
  above.emplace(grid, links, ScrollbackText::Room{less(max_bytes, rows->bytes()), 0});
  return true;
}

/// Draws rows above the screen. False where they take too many bytes.
bool CheckpointWriter::Parts::draw_above(std::size_t count) {
  const auto wanted = std::min(count, left);
  left -= wanted;
  return above->add_rows(wanted) == wanted && !links.has_refused();
}

/// Puts the text together from what is drawn.
CheckpointWriter::State CheckpointWriter::Parts::join(std::size_t count) {
  if (!state) {
    const bool leave_caret = rows->ends_at_text() && ends_at_caret(screen, last);
    state = state_text(screen, kReader, lines_of(*rows, *above, leave_caret));
    const auto bytes = state->bytes() + above->bytes() + rows->bytes();
    if (bytes > max_bytes) return State::too_long;
    text.reserve(bytes);
    text = state->begin;
  }
  if (above->move_rows(count, text)) return State::unfinished;
  append_screen(*state, *rows, text);
  return State::whole;
}

CheckpointWriter::CheckpointWriter(const Screen& screen, std::size_t max_bytes)
    : parts_(std::make_unique<Parts>(screen, max_bytes)) {}

CheckpointWriter::~CheckpointWriter() = default;

CheckpointWriter::State CheckpointWriter::go_on(std::size_t rows) {
  const Grid& grid = parts_->screen.grid();
  if (!parts_->rows && grid.cells_to_lay_out(Scrollback::kUnbounded) > 0) {
    grid.lay_out(Scrollback::kUnbounded, rows * Parts::kCellsPerRow);
    return State::unfinished;
  }
  if (parts_->rows && parts_->left == 0) return parts_->join(rows);
  const bool fits = parts_->rows ? parts_->draw_above(rows) : parts_->draw_screen();
  return fits && !parts_->links.has_refused() ? State::unfinished : State::too_long;
}

std::string CheckpointWriter::take_text() {
  return std::move(parts_->text);
}

std::optional<std::string> vt_checkpoint(const Screen& screen, std::size_t max_bytes) {
  constexpr std::size_t kAllRows = std::size_t{1} << 30;
  CheckpointWriter writer(screen, max_bytes);
  auto state = CheckpointWriter::State::unfinished;
  while (state == CheckpointWriter::State::unfinished) state = writer.go_on(kAllRows);
  if (state == CheckpointWriter::State::too_long) return std::nullopt;
  return writer.take_text();
}

LinesPage vt_lines(const Screen& screen, std::uint64_t from, std::size_t max_bytes) {
  const Grid& grid = screen.grid();
  // Lays out before anything is counted: that changes the number of rows, and may drop the oldest lines.
  grid.lay_out(grid.next_line() - std::clamp(from, grid.first_line(), grid.next_line()));
  LinesPage page;
  page.end_line = grid.next_line() - (goes_on_above(grid) ? 1 : 0);
  page.first_line = page.next_line = std::clamp(from, grid.first_line(), std::max(grid.first_line(), page.end_line));
  page.has_earlier = page.first_line > grid.uncleared_line();
  const std::size_t rows = grid.scrollback(grid.next_line() - page.first_line);
  std::size_t row = grid.scrollback_end() - rows;
  LinkBudget links;
  std::vector<Cell> space;
  for (bool goes_on = false; page.next_line < page.end_line && (goes_on || page.text.size() < max_bytes); ++row) {
    const Line line = grid.scrollback_line(row, space);
    if (page.text.size() < SnapshotRange{}.max_bytes)
      LineWriter(grid, page.text, &links).write(line, goes_on, line.wrapped);
    goes_on = line.wrapped;
    if (goes_on) continue;
    page.text += "\r\n";
    ++page.next_line;
  }
  return page;
}

Repaint vt_repaint(const Screen& screen, const RepaintRange& range) {
  constexpr Reader kReader = Reader::behind;
  const Grid& grid = screen.grid();
  LinkBudget links, links_above;
  const std::uint64_t wanted = std::min<std::uint64_t>(range.skipped, range.lines);
  grid.lay_out(wanted);
  // The first row of the screen continues a line above only where that line is drawn.
  ScrollbackText above(grid, links_above, {range.max_bytes, 0});
  const std::uint64_t shown = above.add_lines(wanted, range.cuts);
  ScreenText rows(grid, extent_of(screen, kReader, grid.size().rows, shown > 0 && goes_on_above(grid)));
  rows.draw(links, less(kMaxRepaintedScreen, kBegin.size() + most_of_state(screen, kReader)));
  const StateText state = state_text(screen, kReader, lines_of(rows, above, false));
  const std::uint64_t missing = range.skipped - shown;
  const std::string hole = missing == 0 ? "" : notice(missing, grid.size().cols) + "\r\n";
  return {joined(state, above, rows, kBegin, hole), missing};
}

}  // namespace ptyd
