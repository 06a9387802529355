#include "pty/screen/native/native_emulator.hpp"

#include <array>

#include "pty/screen/native/native.hpp"
#include "pty/screen/pen_parser.hpp"

namespace ptyd {

std::unique_ptr<Emulator> make_native_emulator(Grid& grid) {
  return std::make_unique<NativeEmulator>(grid);
}

NativeEmulator::NativeEmulator(Grid& grid)
    : grid_(grid),
      state_(fresh_state(grid.size())),
      pens_(grid, state_),
      moves_(grid, state_, pens_),
      edits_(grid, state_, pens_, moves_),
      text_(grid, state_, pens_, moves_) {
  grid_.keep_pens([this] { return kept_pens(state_); });
}

void NativeEmulator::feed(const Token& token) {
  switch (token.kind) {
    case TokenKind::text:
      return text_.print(token.bytes);
    case TokenKind::csi:
      csi(token);
      return settle_caret(state_, grid_);
    case TokenKind::control:
      return token.bytes.size() == 2 ? escape_final(static_cast<char>(token.bytes[1] - 0x40))
                                     : moves_.control(token.bytes[0]);
    case TokenKind::escape:
      moves_.controls_in(token.bytes);
      if (const auto parsed = parse_escape(token)) escape(*parsed);
      return settle_caret(state_, grid_);
    case TokenKind::osc:
      return osc(token);
    case TokenKind::dcs:
    case TokenKind::string:
      return;
  }
}

void NativeEmulator::resize(Size size) {
  resize_terminal(grid_, state_, size);
}

void NativeEmulator::clear() {
  grid_.clear();
  state_.caret = caret_at_origin(state_);
}

void NativeEmulator::reset() {
  state_ = fresh_state(grid_.size());
  grid_.clear_screens();
  grid_.activate(Buffer::primary);
  pens_.changed();
}

void NativeEmulator::escape(const Escape& escape) {
  if (escape.intermediate == 0) return escape_final(escape.final);
  if (escape.intermediate == '#') return line_height(escape.final);
  designate(state_.charsets, escape.intermediate, escape.final);
}

void NativeEmulator::escape_final(char final) {
  const Caret& caret = state_.caret;
  switch (final) {
    case '6':
      return caret.column == state_.left ? edits_.shift_columns(-1) : moves_.place(caret.row, caret.column - 1);
    case '7':
      return save_caret();
    case '8':
      return restore_caret();
    case '9':
      return caret.column == state_.right ? edits_.shift_columns(1) : moves_.place(caret.row, caret.column + 1);
    case 'D':
      moves_.line_feed();
      return;
    case 'E':
      moves_.line_feed();
      return moves_.carriage_return();
    case 'H':
      return moves_.set_tab();
    case 'M':
      return moves_.reverse_index();
    case 'N':
    case 'O':
      state_.charsets.single_shift = final == 'N' ? 2 : 3;
      return;
    case 'c':
      return full_reset();
    case 'n':
    case 'o':
      state_.charsets.left = final == 'n' ? 2 : 3;
      return;
    case '~':
    case '}':
    case '|':
      state_.charsets.right = static_cast<std::uint8_t>('\x7f' - final);
      return;
    default:
      return;
  }
}

/// DECDHL, DECSWL, DECDWL, DECALN.
void NativeEmulator::line_height(char digit) {
  if (digit == '8') return edits_.align();
  if (digit < '3' || digit > '6') return;
  constexpr std::array kSizes{LineSize::double_top, LineSize::double_bottom, LineSize::single, LineSize::double_width};
  edits_.set_line_size(kSizes[static_cast<std::size_t>(digit - '3')]);
}

/// OSC 8.
void NativeEmulator::osc(const Token& token) {
  const auto link = parse_link(token);
  if (!link) return;
  state_.pen.link = link->uri.empty() ? LinkId{0} : grid_.link_id(*link);
  pens_.changed();
}

}  // namespace ptyd
