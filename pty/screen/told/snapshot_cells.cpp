// Snapshots to be read: by people as text, by programs as runs of cells.
#include <algorithm>
#include <utility>

#include "pty/screen/told/snapshot.hpp"

namespace ptyd {
namespace {

bool begins_wide(const Line& line) {
  return !line.cells.empty() && line.cells.front().width == 2;
}

bool ends_blank(const Line& line, std::size_t columns) {
  return line.cells.size() < columns || (line.cells.back().glyph == 0 && line.cells.back().width != 0);
}

/// Text of lines, joined where they are one logical line.
class PlainText {
 public:
  explicit PlainText(const Grid& grid) : grid_(grid) {}

  void add(const Line& line, bool goes_on) {
    if (!in_line_) starts_.push_back(text_.size());
    // A wide glyph that did not fit left the last place blank: nobody wrote a space there.
    if (hole_before_ && begins_wide(line)) cut_to(text_.size() - 1);
    for (const Cell& cell : line.cells) grid_.append_text(cell, text_);
    const std::size_t columns = grid_.size().cols;
    if (goes_on) text_.append(columns - std::min(columns, line.cells.size()), ' ');
    if (!goes_on) end_line();
    hole_before_ = goes_on && ends_blank(line, columns);
    in_line_ = goes_on;
  }
  /// What is added from now on is always left.
  void keep_rest() { kept_ = text_.size(); }

  /// Without what stands before the first logical line from which at most `max_bytes` are left.
  std::string take(std::size_t max_bytes) {
    if (in_line_) end_line();
    text_.erase(text_.find_last_not_of('\n') + 1);
    const auto fits = [&](std::size_t start) { return start + max_bytes >= text_.size(); };
    const auto first = std::find_if(starts_.begin(), starts_.end(), fits);
    const std::size_t cut = first == starts_.end() ? kept_ : std::min(*first, kept_);
    return text_.substr(std::min(cut, text_.size()));
  }

 private:
  void end_line() {
    cut_to(std::max(text_.find_last_not_of(' ') + 1, starts_.back()));
    text_ += '\n';
  }
  void cut_to(std::size_t end) {
    text_.resize(end);
    kept_ = std::min(kept_, end);
  }

  const Grid& grid_;
  std::string text_;
  std::vector<std::size_t> starts_;
  std::size_t kept_ = std::string::npos;
  bool in_line_ = false, hole_before_ = false;
};

bool is_default_blank(const Cell& cell, const Grid& grid) {
  return cell.glyph == 0 && cell.width == 1 && grid.pen(cell.pen).background.is_default();
}

/// What a cell looks like. Of a blank only the background counts.
Pen look_of(const Cell& cell, const Grid& grid) {
  Pen pen = grid.pen(cell.pen);
  if (cell.glyph != 0 || cell.width != 1) return pen;
  Pen blank;
  blank.background = pen.background;
  return blank;
}

CellsSnapshot::Row row_of(const Line& line, const Grid& grid) {
  CellsSnapshot::Row row;
  row.wrapped = line.wrapped;
  std::size_t end = line.cells.size();
  while (end > 0 && is_default_blank(line.cells[end - 1], grid)) --end;
  for (const Cell& cell : line.cells.first(end)) {
    const Pen look = look_of(cell, grid);
    if (row.spans.empty() || !(row.spans.back().pen == look)) row.spans.push_back({{}, look, 0});
    grid.append_text(cell, row.spans.back().text);
    ++row.spans.back().columns;
  }
  return row;
}

std::size_t bytes_of(const CellsSnapshot::Row& row) {
  std::size_t bytes = sizeof row;
  for (const Span& span : row.spans) bytes += sizeof span + span.text.size();
  return bytes;
}

}  // namespace

std::string plain_snapshot(const Screen& screen, const SnapshotRange& range) {
  const Grid& grid = screen.grid();
  PlainText text(grid);
  std::vector<Cell> space;
  const std::size_t above = grid.scrollback();
  const bool primary = grid.active() == Buffer::primary;
  for (std::size_t i = above - std::min(range.scrollback, above); i < above; ++i) {
    const Line line = grid.scrollback_line(i, space);
    text.add(line, line.wrapped && (primary || i + 1 < above));
  }
  text.keep_rest();
  for (int row = 0; row < grid.size().rows; ++row) {
    const Line line = grid.line(grid.active(), row);
    text.add(line, line.wrapped);
  }
  return text.take(range.max_bytes);
}

CellsSnapshot cells_snapshot(const Screen& screen, const SnapshotRange& range) {
  const Grid& grid = screen.grid();
  CellsSnapshot snapshot;
  snapshot.size = grid.size();
  snapshot.caret = screen.state().caret;
  snapshot.caret_visible = screen.mode(25, false).value_or(true);
  snapshot.alternate = grid.active() == Buffer::alternate;
  std::size_t bytes = 0;
  for (int row = 0; row < snapshot.size.rows; ++row) {
    snapshot.screen.push_back(row_of(grid.line(grid.active(), row), grid));
    bytes += bytes_of(snapshot.screen.back());
  }
  std::vector<Cell> space;
  const std::size_t above = grid.scrollback();
  for (std::size_t left = std::min(range.scrollback, above), i = above; left > 0; --left) {
    CellsSnapshot::Row row = row_of(grid.scrollback_line(--i, space), grid);
    bytes += bytes_of(row);
    if (bytes > range.max_bytes) break;
    snapshot.scrollback.push_back(std::move(row));
  }
  std::reverse(snapshot.scrollback.begin(), snapshot.scrollback.end());
  return snapshot;
}

}  // namespace ptyd
