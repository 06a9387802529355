#include "server/execute/command_output.hpp"

#include <algorithm>
#include <utility>

namespace ptyd {
namespace {

constexpr std::string_view kBlanks = " \t";

/// Says how the text behind it looks (SGR, and xterm's keys, which print nothing).
bool is_about_looks(const Token& token) {
  return token.kind == TokenKind::csi && token.bytes.ends_with('m');
}

bool ends_unwritten(const Line& row, std::size_t columns) {
  return row.cells.size() < columns || (row.cells.back().glyph == 0 && row.cells.back().width != 0);
}

bool is_written(const Line& row) {
  return std::any_of(row.cells.begin(), row.cells.end(), [](const Cell& cell) { return cell.glyph != 0; });
}

/// Rows of the primary buffer down to the last one that is written, or to the caret.
int used_rows(const Screen& screen) {
  const Grid& grid = screen.grid();
  int rows = grid.size().rows;
  const int caret = grid.active() == Buffer::primary ? screen.state().caret.row : 0;
  while (rows > caret + 1 && !is_written(grid.line(Buffer::primary, rows - 1))) --rows;
  return rows;
}

}  // namespace

/// Rows into lines, without what was never written at the end of a line.
class CommandOutput::Joiner {
 public:
  explicit Joiner(const Grid& grid) : grid_(grid) {}

  void add(const Line& row) {
    const std::size_t columns = grid_.size().cols;
    if (!in_line_ && !row.wrapped) return end(row.cells);
    // A wide glyph that did not fit left the last place of the row before unwritten.
    if (hole_before_ && !row.cells.empty() && row.cells.front().width == 2) cells_.pop_back();
    cells_.insert(cells_.end(), row.cells.begin(), row.cells.end());
    hole_before_ = row.wrapped && ends_unwritten(row, columns);
    in_line_ = row.wrapped;
    if (!row.wrapped) return end(cells_);
    cells_.resize(cells_.size() + columns - std::min(columns, row.cells.size()));
  }
  /// All lines, with a line feed between each and the next.
  std::string take_text() {
    finish();
    return std::move(text_);
  }
  std::vector<std::string> take_lines() {
    finish();
    std::vector<std::string> lines;
    for (std::size_t line = 0; line < starts_.size(); ++line) {
      const auto end = line + 1 < starts_.size() ? starts_[line + 1] - 1 : text_.size();
      lines.push_back(text_.substr(starts_[line], end - starts_[line]));
    }
    return lines;
  }
  /// The next row begins a line.
  bool is_between() const { return !in_line_; }
  std::size_t count() const { return starts_.size(); }

 private:
  void finish() {
    if (std::exchange(in_line_, false)) end(cells_);
  }
  void end(std::span<const Cell> cells) {
    while (!cells.empty() && cells.back().glyph == 0 && cells.back().width != 0) cells = cells.first(cells.size() - 1);
    if (!starts_.empty()) text_ += '\n';
    starts_.push_back(text_.size());
    append_with_tabs(grid_, cells, text_);
    cells_.clear();
  }

  const Grid& grid_;
  std::vector<Cell> cells_;  // of a line that goes on
  std::string text_;
  std::vector<std::size_t> starts_;  // of lines, in the text
  bool in_line_ = false, hole_before_ = false;
};

struct CommandOutput::Lines {
  std::uint64_t first = 0;    // number of the first line
  std::size_t on_screen = 0;  // the first line that stands on the screen, in whole or in part
  std::vector<std::string> text;
  bool ended = false;  // a line end follows the last one

  std::uint64_t end() const { return first + text.size(); }
  const std::string* at(std::uint64_t number) const {
    return number < first || number >= end() ? nullptr : &text[static_cast<std::size_t>(number - first)];
  }
};

CommandOutput::CommandOutput(Size size, const Room& room)
    : screen_({size, room.lines, EmulatorKind::native, nullptr, room.cells}) {}

/// Without colours: erased to the right margin in one of them, a line would take as many cells as a full one.
void CommandOutput::take(const Token& token) {
  if (!is_about_looks(token)) tabs_.feed(token);
}

void CommandOutput::say(std::string_view text) {
  Token token;
  token.bytes = text;
  screen_.feed(token);
}

void CommandOutput::add_scrollback(std::size_t from, Joiner& joiner) const {
  const Grid& grid = screen_.grid();
  std::vector<Cell> space;
  const auto end = grid.scrollback();
  for (std::size_t index = from; index < end; ++index) joiner.add(grid.scrollback_line(index, space));
}

void CommandOutput::add_screen(Joiner& joiner) const {
  const int rows = used_rows(screen_);
  for (int row = 0; row < rows; ++row) joiner.add(screen_.grid().line(Buffer::primary, row));
}

CommandOutput::Lines CommandOutput::read() const {
  const Grid& grid = screen_.grid();
  Joiner joiner(grid);
  add_scrollback(0, joiner);
  Lines lines;
  lines.on_screen = joiner.count();
  const auto above = joiner.count() + (joiner.is_between() ? 0 : 1);
  lines.first = grid.scrolled_out() - std::min<std::uint64_t>(above, grid.scrolled_out());
  add_screen(joiner);
  lines.text = joiner.take_lines();
  return lines;
}

CommandOutput::Lines CommandOutput::read_trimmed() const {
  auto lines = read();
  for (auto& line : lines.text) line.erase(line.find_last_not_of(kBlanks) + 1);
  const auto all = lines.text.size();
  while (!lines.text.empty() && lines.text.back().empty()) lines.text.pop_back();
  lines.ended = lines.text.size() < all;
  return lines;
}

CommandOutput::Told CommandOutput::tell() {
  const auto now = read_trimmed();
  Told told{since_told(now), has_overflowed() && now.first >= told_from_ + told_.size()};
  remember(now);
  return told;
}

std::string CommandOutput::since_told(const Lines& now) const {
  std::uint64_t next = told_from_ + told_.size();
  std::string text = told_ended_ || next >= now.end() ? "" : "\n";
  for (std::size_t i = 0; i < told_.size(); ++i) {
    const auto number = std::max(told_from_ + i, now.first);
    const auto* line = now.at(number);
    if (number != told_from_ + i || (line && *line == told_[i])) continue;
    next = number;
    text.clear();
    const bool goes_on = line && i + 1 == told_.size() && !told_ended_ && line->starts_with(told_[i]);
    if (!goes_on) break;
    text = line->substr(told_[i].size());
    if (++next < now.end()) text += '\n';
    break;
  }
  next = std::max(next, now.first);
  for (auto number = next; number < now.end(); ++number) text.append(number > next ? "\n" : "").append(*now.at(number));
  return text;
}

void CommandOutput::remember(const Lines& now) {
  const auto from = std::min(now.on_screen, now.text.size());
  told_from_ = now.first + from;
  told_.assign(now.text.begin() + static_cast<std::ptrdiff_t>(from), now.text.end());
  told_ended_ = now.ended || now.text.empty();
}

/// Nearly every cell gives a byte. Where tabs and wide glyphs are many all is read.
std::string CommandOutput::whole(std::size_t wanted) const {
  const Grid& grid = screen_.grid();
  const auto all = grid.scrollback();
  const auto rows = grid.scrollback_of_cells(wanted + wanted / 16);
  for (const auto from : {all - rows, std::size_t{0}}) {
    Joiner joiner(grid);
    add_scrollback(from, joiner);
    add_screen(joiner);
    auto text = joiner.take_text();
    if (from == 0 || text.size() > wanted) return text;
  }
  return {};  // not reached: the last one is from 0
}

}  // namespace ptyd
