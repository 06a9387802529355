#include "tests/support/pty/screen/screens.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/support/pty/text/literals.hpp"

namespace ptyd::test {
namespace {

std::string hex(unsigned value, int digits) {
  char text[16];
  std::snprintf(text, sizeof text, "%0*X", digits, value);
  return text;
}

std::string shown(const Colour& colour) {
  if (colour.is_default()) return "-";
  return colour.is_indexed() ? std::to_string(colour.value()) : "#" + hex(colour.value(), 6);
}

std::string shown(const Pen& pen, const Grid& grid) {
  std::string text = shown(pen.foreground) + "/" + shown(pen.background) + "/" + shown(pen.underline_colour) +
                     " attributes " + hex(pen.attributes, 2) + " underline " +
                     std::to_string(static_cast<int>(pen.underline));
  if (pen.link != 0) text += " link " + grid.link(pen.link).id + " " + grid.link(pen.link).uri;
  return text;
}

bool is_blank(const Cell& cell) {
  return cell.glyph == 0 && cell.width == 1;
}

/// How a place looks; what cannot be seen of it is left out.
std::string shown(const Cell& cell, const Grid& grid) {
  const Pen& pen = grid.pen(cell.pen);
  if (is_blank(cell)) return "blank on " + shown(pen.background);
  std::string text;
  grid.append_text(cell, text);
  return "'" + escaped(text) + "' width " + std::to_string(cell.width) + " " + shown(pen, grid) +
         (cell.guarded != 0 ? " guarded" : "");
}

Cell cell_of(const Line& line, std::size_t column) {
  return column < line.cells.size() ? line.cells[column] : Cell{};
}

bool same_pen(const Pen& left, const Grid& left_grid, const Pen& right, const Grid& right_grid) {
  Pen unlinked = left;
  unlinked.link = right.link;
  return unlinked == right && left_grid.link(left.link) == right_grid.link(right.link);
}

bool same_text(const Cell& left, const Grid& left_grid, const Cell& right, const Grid& right_grid) {
  if (((left.glyph | right.glyph) & Cell::kCluster) == 0) return left.glyph == right.glyph;
  std::string left_text, right_text;
  left_grid.append_text(left, left_text);
  right_grid.append_text(right, right_text);
  return left_text == right_text;
}

bool same_look(const Cell& left, const Grid& left_grid, const Cell& right, const Grid& right_grid) {
  if (left == Cell{} && right == Cell{}) return true;
  const Pen &left_pen = left_grid.pen(left.pen), &right_pen = right_grid.pen(right.pen);
  if (left.width != right.width || is_blank(left) != is_blank(right)) return false;
  if (is_blank(left)) return left_pen.background == right_pen.background;
  return left.guarded == right.guarded && same_text(left, left_grid, right, right_grid) &&
         same_pen(left_pen, left_grid, right_pen, right_grid);
}

std::string line_difference(const Line& left, const Grid& left_grid, const Line& right, const Grid& right_grid) {
  const std::size_t columns = std::max(left.cells.size(), right.cells.size());
  for (std::size_t column = 0; column < columns; ++column) {
    const Cell l = cell_of(left, column), r = cell_of(right, column);
    if (!same_look(l, left_grid, r, right_grid))
      return "column " + std::to_string(column) + ": " + shown(l, left_grid) + " | " + shown(r, right_grid);
  }
  if (left.wrapped != right.wrapped) return left.wrapped ? "wrapped | not" : "not wrapped | wrapped";
  if (left.size != right.size)
    return "line size " + std::to_string(static_cast<int>(left.size)) + " | " +
           std::to_string(static_cast<int>(right.size));
  return "";
}

std::string buffer_difference(const Grid& left, const Grid& right, Buffer buffer) {
  for (int row = 0; row < left.size().rows; ++row) {
    const std::string found = line_difference(left.line(buffer, row), left, right.line(buffer, row), right);
    if (!found.empty())
      return (buffer == Buffer::primary ? "primary row " : "alternate row ") + std::to_string(row) + ", " + found;
  }
  return "";
}

std::string scrollback_difference(const Grid& left, const Grid& right) {
  if (left.scrollback() != right.scrollback())
    return "scrollback of " + std::to_string(left.scrollback()) + " | " + std::to_string(right.scrollback()) + " lines";
  std::vector<Cell> left_space, right_space;
  for (std::size_t index = 0; index < left.scrollback(); ++index) {
    const std::string found = line_difference(left.scrollback_line(index, left_space), left,
                                              right.scrollback_line(index, right_space), right);
    if (!found.empty()) return "scrollback line " + std::to_string(index) + ", " + found;
  }
  return "";
}

std::string shown(const Caret& caret) {
  return std::to_string(caret.row) + "," + std::to_string(caret.column) + (caret.pending_wrap ? "+wrap" : "");
}

std::string shown(const Charsets& charsets) {
  return std::string(charsets.designated.begin(), charsets.designated.end()) + " GL " + std::to_string(charsets.left) +
         " GR " + std::to_string(charsets.right) + " single " + std::to_string(charsets.single_shift);
}

/// Nothing saved and all saved as it was at the start are the same: DECRC cannot tell them apart.
std::string shown(const std::optional<SavedCaret>& kept, const Grid& grid) {
  const SavedCaret start;
  const SavedCaret* const saved = kept ? &*kept : &start;
  return shown(saved->caret) + " " + shown(saved->pen, grid) + " " + shown(saved->charsets) +
         (saved->origin ? " origin" : "") + (saved->guarded ? " guarded" : "");
}

/// Name and value of everything in a TerminalState.
std::vector<std::pair<std::string, std::string>> facts(const TerminalState& state, const Grid& grid) {
  std::string tabs;
  for (const bool stop : state.tabs) tabs += stop ? '|' : '.';
  const auto yes = [](bool value) { return std::string(value ? "yes" : "no"); };
  return {{"caret", shown(state.caret)},
          {"pen", shown(state.pen, grid)},
          {"guarded", yes(state.guarded)},
          {"charsets", shown(state.charsets)},
          {"autowrap", yes(state.autowrap)},
          {"insert", yes(state.insert)},
          {"newline", yes(state.newline)},
          {"origin", yes(state.origin)},
          {"reverse wrap", yes(state.reverse_wrap)},
          {"extended reverse wrap", yes(state.extended_reverse_wrap)},
          {"horizontal margins", yes(state.horizontal_margins)},
          {"top to bottom", std::to_string(state.top) + "-" + std::to_string(state.bottom)},
          {"left to right", std::to_string(state.left) + "-" + std::to_string(state.right)},
          {"tabs", tabs},
          {"saved caret of the primary", shown(state.saved[0], grid)},
          {"saved caret of the alternate", shown(state.saved[1], grid)}};
}

std::string state_difference(const Screen& left, const Screen& right) {
  const auto l = facts(left.state(), left.grid()), r = facts(right.state(), right.grid());
  for (std::size_t i = 0; i < l.size(); ++i)
    if (l[i] != r[i]) return l[i].first + ": " + l[i].second + " | " + r[i].second;
  return "";
}

std::string shown(const Modes::KeyboardStack& stack) {
  std::string text;
  for (const auto flags : stack) text += " " + std::to_string(flags);
  return text;
}

/// Name and value of what is known of modes and strings; a saved caret (?1048) is the TerminalState's.
std::vector<std::pair<std::string, std::string>> mode_facts(const Screen& screen) {
  const Modes& modes = screen.modes();
  std::vector<std::pair<std::string, std::string>> facts{
      {"caret style", std::to_string(modes.caret_style())},
      {"other keys", std::to_string(modes.other_keys())},
      {"checksum flags", std::to_string(modes.checksum_flags())},
      {"keyboard of the primary", shown(modes.keyboard_stack(Buffer::primary))},
      {"keyboard of the alternate", shown(modes.keyboard_stack(Buffer::alternate))},
      {"titles", modes.titles().window + " and " + modes.titles().icon},
      {"folder", modes.cwd()},
      {"palette", escaped(modes.palette().text())},
      {"progress", std::to_string(screen.progress().state) + " " + std::to_string(screen.progress().percent)}};
  for (const ModeRow& row : mode_rows()) {
    if (row.number == 1048) continue;
    facts.emplace_back("mode " + switch_text(row, true), std::to_string(screen.mode(row)));
  }
  for (const auto& title : modes.kept_titles().window) facts.emplace_back("kept title of the window", title);
  for (const auto& title : modes.kept_titles().icon) facts.emplace_back("kept title of the icon", title);
  return facts;
}

std::string mode_difference(const Screen& left, const Screen& right) {
  const auto l = mode_facts(left), r = mode_facts(right);
  for (std::size_t i = 0; i < std::min(l.size(), r.size()); ++i)
    if (l[i] != r[i]) return escaped(l[i].first) + ": " + l[i].second + " | " + r[i].second;
  return l.size() == r.size() ? "" : "kept titles";
}

}  // namespace

void FedScreen::feed(std::string_view bytes) {
  rest_ += bytes;
  rest_.erase(0, scanner_.scan(rest_, *this));
}

std::string draw(const Screen& screen) {
  const Grid& grid = screen.grid();
  const std::string frame = "+" + std::string(grid.size().cols, '-') + "+\n";
  std::string picture = frame;
  for (int row = 0; row < grid.size().rows; ++row) {
    const Line line = grid.line(grid.active(), row);
    picture += '|';
    for (std::size_t column = 0; column < grid.size().cols; ++column) {
      const Cell cell = cell_of(line, column);
      if (is_blank(cell))
        picture += grid.pen(cell.pen).background.is_default() ? "." : "_";
      else
        grid.append_text(cell, picture);
    }
    picture += line.wrapped ? "\\\n" : "|\n";
  }
  picture += frame;
  for (const auto& [name, value] : facts(screen.state(), grid)) picture += "  " + name + ": " + value + "\n";
  return picture;
}

std::string difference(const Screen& left, const Screen& right, const Comparison& what) {
  const Grid &l = left.grid(), &r = right.grid();
  if (!(l.size() == r.size())) return "size";
  if (l.active() != r.active()) return "active buffer";
  std::string found = buffer_difference(l, r, Buffer::primary);
  const bool alternate = what.hidden_alternate || l.active() == Buffer::alternate;
  if (found.empty() && alternate) found = buffer_difference(l, r, Buffer::alternate);
  if (!found.empty()) return found;
  if (what.scrollback) found = scrollback_difference(l, r);
  if (found.empty() && what.state) found = state_difference(left, right);
  if (found.empty() && what.modes) found = mode_difference(left, right);
  return found;
}

}  // namespace ptyd::test
