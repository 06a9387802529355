#include "server/execute/command_output.hpp"

#include <algorithm>
#include <utility>

#include "pty/text/sequence.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

/// Text is drawn in pieces, so that few rows can leave the screen before they are read.
constexpr std::size_t kPiece = 1024;
/// Most rows that one piece or sequence can push off the screen.
constexpr std::size_t kRowsAtOnce = std::max<std::size_t>(kPiece, Grid::kMaxRows);

/// ED 3, RIS.
bool wipes_above(const Token& token) {
  if (token.kind == TokenKind::escape) return parse_escape(token) == Escape{0, 'c'};
  const auto csi = token.kind == TokenKind::csi ? parse_csi(token) : std::nullopt;
  return csi && csi->is(0, "", 'J') && csi->param(0, 0) == 3;
}

/// Bytes of `text` that are drawn at once.
std::size_t piece_of(std::string_view text) {
  if (text.size() <= kPiece) return text.size();
  const auto cut = utf8::unfinished_tail(text.substr(0, kPiece));
  return kPiece - cut;
}

std::string_view trimmed(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

}  // namespace

CommandOutput::CommandOutput(Size size, const Room& room)
    : room_(room),
      screen_({size, room.rows + kRowsAtOnce, EmulatorKind::native, nullptr, Scrollback::kUnbounded}),
      untold_(room.text) {}

void CommandOutput::take(const Token& token) {
  total_bytes_ += token.bytes.size();
  if (changes_no_text(token)) return;
  if (token.kind == TokenKind::text) return take_text(token.bytes);
  wipes_above(token) ? wipe(token) : draw(token);
}

void CommandOutput::take_text(std::string_view text) {
  while (!text.empty()) {
    Token piece;
    piece.bytes = text.substr(0, piece_of(text));
    text.remove_prefix(piece.bytes.size());
    draw(piece);
  }
}

void CommandOutput::draw(const Token& token) {
  tabs_.feed(token);
  if (screen_.grid().scrollback() > room_.rows) read_above();
}

/// The last row stays where it goes on in row 0 of the screen: it may yet be parted from that.
void CommandOutput::read_above() {
  const Grid& grid = screen_.grid();
  const auto rows = grid.scrollback();
  std::size_t read = 0;
  std::vector<Cell> space;
  const JoinedRows::Give take = [this](std::string_view text, bool ends) {
    add(untold_, line_, text, ends);
    if (ends) ++line_;
  };
  for (; read < rows; ++read) {
    const auto row = grid.scrollback_line(read, space);
    if (read + 1 == rows && row.wrapped) break;
    above_.add(row, take);
  }
  screen_.drop_scrollback(read);
}

/// A person could not read any more what was above the screen. Text that goes on from there is a line of its own.
void CommandOutput::wipe(const Token& token) {
  read_above();
  if (screen_.grid().scrollback() > 0) ++line_;
  draw(token);
  above_.reset();
  untold_ = UntoldText(room_.text);
  reported_.differs = false;
}

void CommandOutput::add(UntoldText& to, std::uint64_t line, std::string_view text, bool ends) {
  if (ends) text = trimmed(text);
  if (!reported_.differs && line < reported_.end()) {
    auto& known = reported_.lines[static_cast<std::size_t>(line - reported_.from)];
    const bool is_open = line + 1 == reported_.end() && !reported_.ended;
    const bool is_known = ends ? text == known : known.starts_with(text) || (!is_open && trimmed(text) == known);
    if (is_known) {
      known.erase(0, text.size());
      return;
    }
    const bool goes_on = is_open && text.starts_with(known);
    if (goes_on) {
      to.go_on(line);
      text.remove_prefix(known.size());
    }
    reported_.differs = true;
    if (!goes_on) to.begin(line, false);
  }
  if (to.line() != line) to.begin(line, !reported_.ended && !reported_.differs);
  to.add(text);
  if (ends) to.end_line();
}

/// Lines of the rows that read_above() has left, and of the screen.
CommandOutput::Shown CommandOutput::shown() const {
  const Grid& grid = screen_.grid();
  auto rows = above_;
  Shown shown;
  bool is_new = true;
  const JoinedRows::Give take = [&](std::string_view text, bool ends) {
    if (is_new) shown.lines.emplace_back();
    shown.lines.back() += text;
    is_new = ends;
  };
  std::vector<Cell> space;
  for (std::size_t row = 0; row < grid.scrollback(); ++row) rows.add(grid.scrollback_line(row, space), take);
  const int count = used_rows(screen_);
  for (int row = 0; row < count; ++row) rows.add(grid.line(Buffer::primary, row), take);
  rows.end(take);
  for (auto& line : shown.lines) line.resize(trimmed(line).size());
  const std::size_t all = shown.lines.size(), kept = above_.has_given() ? 1 : 0;
  while (shown.lines.size() > kept && shown.lines.back().empty()) shown.lines.pop_back();
  shown.ended = shown.lines.size() < all || shown.lines.empty();
  return shown;
}

TextWindow CommandOutput::tell() {
  read_above();
  const auto empty_above = untold_.empty_lines();
  auto now = std::exchange(untold_, UntoldText(room_.text));
  auto on_screen = shown();
  for (std::size_t i = 0; i < on_screen.lines.size(); ++i) add(now, line_ + i, on_screen.lines[i], true);
  if (on_screen.lines.empty()) untold_.begin_with_empty(empty_above);
  reported_ = {line_, std::move(on_screen.lines), on_screen.ended};
  return std::move(now).take();
}

}  // namespace ptyd
