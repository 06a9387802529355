// Snapshots to be read: by people as text, by programs as runs of cells.
#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "pty/screen/serialize/detail.hpp"
#include "pty/screen/serialize/snapshot.hpp"

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
    // A wide glyph that did not fit left the last place blank: no program wrote a space there.
    if (hole_before_ && begins_wide(line)) cut_to(text_.size() - 1);
    for (const Cell& cell : line.cells) grid_.append_text(cell, text_);
    const std::size_t columns = grid_.size().cols;
    if (goes_on) text_.append(columns - std::min(columns, line.cells.size()), ' ');
    if (!goes_on) end_line();
    hole_before_ = goes_on && ends_blank(line, columns);
    in_line_ = goes_on;
  }
  /// Marks the present end: take() cuts off nothing that is added from now on.
  void keep_rest() { kept_ = text_.size(); }

  /// The text from the first logical line on from which at most `max_bytes` are left.
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

/// Look of a cell. Of a blank only the background counts.
Pen look_of(const Cell& cell, const Grid& grid, Detail detail) {
  const Pen pen = reduced(grid.pen(cell.pen), detail);
  if (cell.glyph != 0 || cell.width != 1) return pen;
  Pen blank;
  blank.background = pen.background;
  return blank;
}

CellsSnapshot::Row row_of(const Line& whole, const Grid& grid, LinkBudget& links, Detail detail) {
  std::vector<Cell> space;
  const Line line = reduced(whole, grid, detail, space);
  CellsSnapshot::Row row;
  row.wrapped = line.wrapped;
  std::size_t end = line.cells.size();
  while (end > 0 && is_default_blank(line.cells[end - 1], grid)) --end;
  Pen last;  // as it would be with every link
  for (const Cell& cell : line.cells.first(end)) {
    const Pen look = look_of(cell, grid, detail);
    if (row.spans.empty() || !(last == look)) {
      row.spans.push_back({{}, look, 0});
      if (look.link != 0 && !links.take(grid.link(look.link))) row.spans.back().pen.link = 0;
    }
    last = look;
    grid.append_text(cell, row.spans.back().text);
    ++row.spans.back().columns;
  }
  return row;
}

// Bytes of JSON for a row and for a span, its text and link aside.
constexpr std::size_t kRowBytes = 30, kSpanBytes = 30, kColourBytes = 23, kUnderlineBytes = 28, kAttributeBytes = 17,
                      kLinkBytes = 10;

std::size_t json_bytes(std::string_view text) {
  const auto is_escaped = [](char c) { return c == '"' || c == '\\'; };
  return text.size() + static_cast<std::size_t>(std::count_if(text.begin(), text.end(), is_escaped));
}

std::size_t bytes_of(const Pen& pen, const Grid& grid) {
  std::size_t bytes = kAttributeBytes * static_cast<std::size_t>(std::popcount(pen.attributes));
  if (!pen.foreground.is_default()) bytes += kColourBytes;
  if (!pen.background.is_default()) bytes += kColourBytes;
  if (!pen.underline_colour.is_default()) bytes += kUnderlineBytes;
  if (pen.underline != Underline::none) bytes += kUnderlineBytes;
  if (pen.link != 0) bytes += kLinkBytes + json_bytes(grid.link(pen.link).uri);
  return bytes;
}

std::size_t bytes_of(const CellsSnapshot::Row& row, const Grid& grid) {
  std::size_t bytes = kRowBytes;
  for (const Span& span : row.spans) bytes += kSpanBytes + json_bytes(span.text) + bytes_of(span.pen, grid);
  return bytes;
}

}  // namespace

std::string plain_snapshot(const Screen& screen, const SnapshotRange& range) {
  const Grid& grid = screen.grid();
  PlainText text(grid);
  std::vector<Cell> space;
  const std::size_t rows_above = grid.scrollback(range.scrollback), above = grid.scrollback_end();
  const bool primary = grid.active() == Buffer::primary;
  for (std::size_t i = above - rows_above; i < above; ++i) {
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
  LinkBudget links;
  const int rows = snapshot.size.rows;
  const auto draw_row = [&](std::size_t from_bottom, Detail detail) {
    return row_of(grid.line(grid.active(), rows - 1 - static_cast<int>(from_bottom)), grid, links, detail);
  };
  const auto bytes_of_row = [&grid](const CellsSnapshot::Row& row) { return bytes_of(row, grid); };
  snapshot.screen =
      drawn_to_fit<CellsSnapshot::Row>(static_cast<std::size_t>(rows), range.max_bytes, draw_row, bytes_of_row);
  std::reverse(snapshot.screen.begin(), snapshot.screen.end());
  std::size_t bytes = 0;
  for (const auto& row : snapshot.screen) bytes += bytes_of_row(row);
  std::vector<Cell> space;
  const std::size_t rows_above = grid.scrollback(range.scrollback);
  for (std::size_t left = rows_above, i = grid.scrollback_end(); left > 0; --left) {
    CellsSnapshot::Row row = row_of(grid.scrollback_line(--i, space), grid, links, Detail::full);
    bytes += bytes_of_row(row);
    if (bytes > range.max_bytes) break;
    snapshot.scrollback.push_back(std::move(row));
  }
  std::reverse(snapshot.scrollback.begin(), snapshot.scrollback.end());
  return snapshot;
}

}  // namespace ptyd
