#include "server/execute/kept_tabs.hpp"

#include <algorithm>
#include <cstddef>

#include "pty/screen/grid/ascii_cells.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

/// A tab that is n columns wide is kFirst + n, then n - 1 times kRest: the end of the last private plane.
constexpr char32_t kFirst = 0x10E000, kRest = 0x10FFFD;
static_assert(kFirst + Grid::kMaxColumns < kRest);
/// A variation selector that no character has.
constexpr std::string_view kWithoutWidth = "\U000E01EF";
constexpr std::string_view kReplacement = "\uFFFD";
constexpr std::size_t kBytesOfOurs = 4;

bool may_hold_ours(std::string_view text) {
  return text.find('\xF4') != text.npos || text.find(kWithoutWidth) != text.npos;
}

bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Whether a character of kFirst to the end of its plane begins `text`.
bool begins_with_ours(std::string_view text) {
  const bool is_there = text.size() >= kBytesOfOurs && (text.starts_with("\xF4\x8E") || text.starts_with("\xF4\x8F"));
  return is_there && continues(text[2]) && continues(text[3]);
}

/// `text` without characters that mean something here.
std::string cleaned(std::string_view text) {
  std::string result(text);
  for (std::size_t at = 0; (at = result.find('\xF4', at)) != result.npos; ++at)
    if (begins_with_ours(std::string_view(result).substr(at))) result.replace(at, kBytesOfOurs, kReplacement);
  for (std::size_t at = 0; (at = result.find(kWithoutWidth, at)) != result.npos;)
    result.erase(at, kWithoutWidth.size());
  return result;
}

/// Columns of the tab that begins with `cell`; 0 where none does.
std::size_t columns_of_tab(const Cell& cell) {
  return cell.glyph > kFirst && cell.glyph <= kFirst + Grid::kMaxColumns ? cell.glyph - kFirst : 0;
}

bool is_ours(const Cell& cell) {
  return cell.glyph == kRest || columns_of_tab(cell) > 0;
}

bool is_whole_tab(std::span<const Cell> cells, std::size_t columns) {
  return columns <= cells.size() && std::all_of(cells.begin() + 1, cells.begin() + static_cast<std::ptrdiff_t>(columns),
                                                [](const Cell& cell) { return cell.glyph == kRest; });
}

void append_cell(const Grid& grid, const Cell& cell, std::string& out) {
  const auto from = out.size();
  grid.append_text(cell, out);
  if ((cell.glyph & Cell::kCluster) == 0) return;
  for (std::size_t at = from; (at = out.find(kWithoutWidth, at)) != out.npos;)
    out.replace(at, kWithoutWidth.size(), "\t");
}

}  // namespace

void KeptTabs::feed(const Token& token) {
  const bool is_plain =
      token.kind != TokenKind::text || (token.bytes.find('\t') == token.bytes.npos && !may_hold_ours(token.bytes));
  if (is_plain) return screen_.feed(token);
  if (!may_hold_ours(token.bytes)) return feed_text(token.bytes);
  feed_text(cleaned(token.bytes));
}

void KeptTabs::feed_text(std::string_view text) {
  for (std::size_t tab = 0; (tab = text.find('\t')) != text.npos; text.remove_prefix(tab + 1)) {
    draw(text.substr(0, tab));
    feed_tab();
  }
  draw(text);
}

void KeptTabs::draw(std::string_view text) {
  if (text.empty()) return;
  Token token;
  token.bytes = text;
  screen_.feed(token);
}

void KeptTabs::feed_tab() {
  const auto& state = screen_.state();
  const int last = screen_.grid().columns(state.caret.row) - 1, from = state.caret.column;
  int to = std::min(from + 1, last);
  while (to < last && !state.tabs[static_cast<std::size_t>(to)]) ++to;
  if (state.insert || state.horizontal_margins || screen_.grid().active() != Buffer::primary) return draw("\t");
  if (state.caret.pending_wrap || from >= last) return draw(kWithoutWidth);
  if (!is_unwritten(state.caret.row, from, to)) return draw("\t");
  space_.clear();
  utf8::append(kFirst + static_cast<char32_t>(to - from), space_);
  for (int column = from + 1; column < to; ++column) utf8::append(kRest, space_);
  draw(space_);
}

bool KeptTabs::is_unwritten(int row, int from, int to) const {
  const auto cells = screen_.grid().line(Buffer::primary, row).cells;
  const auto begin = std::min(static_cast<std::size_t>(from), cells.size());
  const auto end = std::min(static_cast<std::size_t>(to), cells.size());
  const auto places = cells.subspan(begin, end - begin);
  return std::all_of(places.begin(), places.end(), [](const Cell& cell) { return cell.glyph == 0 && cell.width == 1; });
}

std::span<const Cell> append_with_tabs(const Grid& grid, std::span<const Cell> cells, bool goes_on, std::string& out) {
  while (true) {
    while (const auto count = ascii_cells::append_text(cells, out)) cells = cells.subspan(count);
    if (cells.empty()) return cells;
    const auto columns = columns_of_tab(cells.front());
    if (goes_on && columns > cells.size() && is_whole_tab(cells, cells.size())) return cells;
    const bool is_tab = columns > 0 && is_whole_tab(cells, columns);
    if (is_tab) {
      out += '\t';
    } else if (is_ours(cells.front())) {
      out += ' ';
    } else {
      append_cell(grid, cells.front(), out);
    }
    cells = cells.subspan(is_tab ? columns : 1);
  }
}

}  // namespace ptyd
