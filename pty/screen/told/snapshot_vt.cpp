// Snapshots for terminals: the bytes that make a fresh one, or one that fell behind, into this one.
#include <algorithm>
#include <utility>

#include "pty/screen/told/snapshot.hpp"
#include "pty/screen/told/state_writer.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {
namespace {

/// What is above the screen, drawn so that it scrolls there.
class ScrollbackText {
 public:
  ScrollbackText(const Grid& grid, std::size_t lines)
      : grid_(grid), end_(grid.scrollback()), first_(end_ - std::min(lines, end_)) {}

  /// As many of the last lines as fit into `max_bytes`.
  std::string take(std::size_t max_bytes) {
    std::vector<std::string> chunks;
    while (end_ > first_ && add_chunk(chunks, max_bytes)) {
    }
    std::string text;
    for (auto chunk = chunks.rbegin(); chunk != chunks.rend(); ++chunk) text += *chunk;
    return text;
  }
  bool saved_caret() const { return saved_caret_; }

 private:
  static constexpr std::size_t kChunk = 256;  // lines that are written before it is asked whether they fit

  bool goes_on(std::size_t index) { return grid_.scrollback_line(index, space_).wrapped; }

  /// The lines before `end_`; false when not all of them fit.
  bool add_chunk(std::vector<std::string>& chunks, std::size_t& room) {
    const std::size_t begin = std::max(first_, end_ - std::min(end_, kChunk));
    std::vector<std::size_t> starts;
    std::string text;
    LineWriter writer(grid_, text);
    bool continues = begin > 0 && goes_on(begin - 1);
    for (std::size_t i = begin; i < end_; ++i) {
      starts.push_back(text.size());
      const Line line = grid_.scrollback_line(i, space_);
      writer.write(line, continues, line.wrapped);
      if (!line.wrapped) text += "\r\n";
      continues = line.wrapped;
    }
    saved_caret_ = saved_caret_ || writer.saved_caret();
    const auto fits = [&](std::size_t start) { return text.size() - start <= room; };
    const auto start = std::find_if(starts.begin(), starts.end(), fits);
    if (start == starts.end()) return false;
    text.erase(0, *start);
    room -= text.size();
    end_ = begin;
    chunks.push_back(std::move(text));
    return start == starts.begin();
  }

  const Grid& grid_;
  std::size_t end_, first_;
  std::vector<Cell> space_;
  bool saved_caret_ = false;
};

void write_rows(const Grid& grid, Buffer buffer, int last, bool continues, LineWriter& lines, std::string& text) {
  for (int row = 0; row <= last; ++row) {
    const Line line = grid.line(buffer, row);
    const bool goes_on = line.wrapped && row < last;
    lines.write(line, continues, goes_on);
    if (row < last && !goes_on) text += "\r\n";
    continues = goes_on;
  }
}

void write_screen(const Grid& grid, Buffer buffer, bool continues, LineWriter& lines, std::string& text) {
  write_rows(grid, buffer, grid.size().rows - 1, continues, lines, text);
}

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

/// The row below which a fresh terminal is as this one, and the caret is not.
int last_used_row(const Screen& screen) {
  const int caret = screen.grid().active() == Buffer::primary ? screen.state().caret.row : 0;
  int last = screen.grid().size().rows - 1;
  const auto row = [&screen](int at) { return screen.grid().line(Buffer::primary, at); };
  while (last > caret && is_empty(row(last)) && !row(last - 1).wrapped) --last;
  return last;
}

/// Is drawn by being printed, whatever is beside it.
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

bool has_alternate(const Screen& screen) {
  return screen.grid().active() == Buffer::alternate || !is_empty(screen.grid(), Buffer::alternate) ||
         screen.state().saved[1] || !screen.modes().keyboard_stack(Buffer::alternate).empty();
}

void write_alternate(const Screen& screen, LineWriter& lines, StateWriter& state, std::string& text) {
  text += "\x1b[?47h\x1b[H\x1b[2J";
  write_screen(screen.grid(), Buffer::alternate, false, lines, text);
  state.saved_caret(Buffer::alternate);
  state.keyboard(Buffer::alternate);
  if (screen.grid().active() == Buffer::primary) text += "\x1b[?47l";
}

/// `is_placed` says that the caret stands where it has to, unless margins are set, which moves it.
void write_rest(StateWriter& state, bool is_placed, const std::string& text) {
  state.strings();
  const auto drawn = text.size();
  state.margins();
  state.caret(is_placed && text.size() == drawn);
  state.modes();
}

/// Ends a sequence that broke off, and brings everything that decides how text is drawn back to where the writers
/// begin. DECSTR forgets margins, pen, charsets, origin and insert mode.
constexpr const char* kBegin =
    "\x18\x1b[?2026h\x1b[!p\x1b[?69l\x1b[?7h\x1b[4;20l\x1b[?45;1045l\x1b]8;;\x1b\\\x1b[0\"q\x1b[m\x1b(B\x1b)B\x1b*"
    "B\x1b+"
    "B\x0f\x1b}";

/// A line that goes into a viewer's scrollback, since nothing else may stand on the screen.
std::string notice(std::uint64_t lines, std::size_t columns) {
  std::string text = "[ptyd: " + std::to_string(lines) + (lines == 1 ? " line" : " lines") + " skipped]";
  text.resize(std::min(text.size(), columns));
  return text;
}

}  // namespace

std::string vt_snapshot(const Screen& screen, const SnapshotRange& range) {
  const Grid& grid = screen.grid();
  const std::size_t above = std::min(range.scrollback, grid.scrollback());
  std::vector<Cell> space;
  const bool continues = above > 0 && grid.scrollback_line(grid.scrollback() - 1, space).wrapped;
  std::string text;
  LineWriter lines(grid, text);
  const int last = above > 0 ? grid.size().rows - 1 : last_used_row(screen);
  write_rows(grid, Buffer::primary, last, continues, lines, text);
  const auto drawn = text.size();
  ScrollbackText scrollback(grid, above);
  const std::string older = scrollback.take(range.max_bytes - std::min(range.max_bytes, text.size()));
  if (scrollback.saved_caret()) lines.expect_saved_caret();
  StateWriter state(screen, lines, text, true);
  state.saved_caret(Buffer::primary);
  const bool is_placed =
      text.size() == drawn && lines.ended_at_text() && !has_alternate(screen) && ends_at_caret(screen, last);
  state.keyboard(Buffer::primary);
  if (has_alternate(screen)) write_alternate(screen, lines, state, text);
  write_rest(state, is_placed, text);
  std::string begin;
  StateWriter before(screen, lines, begin, true);
  before.columns();
  before.tabs();
  return begin + older + text;
}

std::string vt_repaint(const Screen& screen, const RepaintRange& range) {
  const Grid& grid = screen.grid();
  const Size size = grid.size();
  std::string text = kBegin;
  LineWriter lines(grid, text);
  StateWriter state(screen, lines, text, false);
  state.columns();
  text += "\x1b[?47l\x1b[H\x1b[2J";
  state.tabs();
  if (range.skipped != 0) {
    text += notice(range.skipped, size.cols) + "\x1b[" + std::to_string(size.rows) + "H\n\x1b[H";
  }
  write_screen(grid, Buffer::primary, false, lines, text);
  state.saved_caret(Buffer::primary);
  state.keyboard(Buffer::primary);
  write_alternate(screen, lines, state, text);
  write_rest(state, false, text);
  return text;
}

}  // namespace ptyd
