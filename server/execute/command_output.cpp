#include "server/execute/command_output.hpp"

#include <algorithm>
#include <utility>

#include "pty/text/sequence.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

/// Text is drawn in pieces, so that few rows can leave the screen before they are read.
constexpr std::size_t kPiece = 4096;
/// The rows that one piece or sequence makes leave the screen, at most.
constexpr std::size_t kRowsAtOnce = 8192;

/// ED 3, RIS.
bool wipes_above(const Token& token) {
  if (token.kind == TokenKind::escape) return parse_escape(token) == Escape{0, 'c'};
  const auto csi = token.kind == TokenKind::csi ? parse_csi(token) : std::nullopt;
  return csi && csi->is(0, "", 'J') && csi->param(0, 0) == 3;
}

/// Of `text`, as much as is drawn at once.
std::size_t piece_of(std::string_view text) {
  if (text.size() <= kPiece) return text.size();
  const auto cut = utf8::unfinished_tail(text.substr(0, kPiece));
  return kPiece - cut;
}

void trim(std::string& line) {
  line.erase(line.find_last_not_of(" \t") + 1);
}

}  // namespace

CommandOutput::CommandOutput(Size size, const Room& room)
    : room_(room),
      screen_({size, room.rows + kRowsAtOnce, EmulatorKind::native, nullptr, Scrollback::kUnbounded}),
      untold_(room.text) {}

void CommandOutput::take(const Token& token) {
  total_bytes_ += token.bytes.size();
  if (is_about_looks(token)) return;
  if (token.kind == TokenKind::text) return take_text(token.bytes);
  const bool wipes = wipes_above(token);
  if (wipes) read_above();
  draw(token);
  if (wipes) forget_above();
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

void CommandOutput::read_above() {
  const Grid& grid = screen_.grid();
  const auto rows = grid.scrollback();
  std::vector<Cell> space;
  for (std::size_t row = 0; row < rows; ++row) {
    above_.add(grid.scrollback_line(row, space));
    for (auto& piece : above_.take()) {
      add(untold_, line_, std::move(piece.text), piece.ends);
      if (piece.ends) ++line_;
    }
  }
  screen_.clear_scrollback();
}

/// A person could not read it any more. What goes on from there is a line of its own.
void CommandOutput::forget_above() {
  if (above_.is_in_line()) ++line_;
  above_.reset();
  untold_ = UntoldText(room_.text);
  told_.differs = false;
}

void CommandOutput::add(UntoldText& to, std::uint64_t line, std::string text, bool ends) {
  if (ends) trim(text);
  if (!told_.differs && line < told_.end()) {
    auto& known = told_.lines[static_cast<std::size_t>(line - told_.from)];
    if (ends ? text == known : known.starts_with(text)) {
      known.erase(0, text.size());
      return;
    }
    const bool goes_on = line + 1 == told_.end() && !told_.ended && text.starts_with(known);
    if (goes_on) {
      to.go_on(line);
      text.erase(0, known.size());
    }
    told_.differs = true;
    if (!goes_on) to.begin(line, false);
  }
  if (to.line() != line) to.begin(line, !told_.ended && !told_.differs);
  to.add(text);
  if (ends) to.end_line();
}

CommandOutput::Shown CommandOutput::shown() const {
  const Grid& grid = screen_.grid();
  auto rows = above_;
  const int count = used_rows(screen_);
  for (int row = 0; row < count; ++row) rows.add(grid.line(Buffer::primary, row));
  rows.end();
  Shown shown;
  bool is_new = true;
  for (auto& piece : rows.take()) {
    if (is_new) shown.lines.emplace_back();
    shown.lines.back() += piece.text;
    is_new = piece.ends;
  }
  for (auto& line : shown.lines) trim(line);
  const std::size_t all = shown.lines.size(), kept = above_.is_in_line() ? 1 : 0;
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
  told_ = {line_, std::move(on_screen.lines), on_screen.ended};
  return std::move(now).take();
}

}  // namespace ptyd
