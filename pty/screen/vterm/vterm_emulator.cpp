#include "pty/screen/vterm/vterm_emulator.hpp"

#include <algorithm>
#include <string>

#include "pty/screen/mode_rows.hpp"
#include "pty/screen/pen_parser.hpp"
#include "pty/screen/vterm/vterm.hpp"

namespace ptyd {

std::unique_ptr<Emulator> make_vterm_emulator(Grid& grid) {
  return std::make_unique<VtermEmulator>(grid);
}

VtermEmulator::VtermEmulator(Grid& grid)
    : grid_(grid),
      drawing_(grid, state_),
      moves_(grid, state_, drawing_),
      edits_(grid, state_, drawing_, moves_),
      text_(grid, state_, drawing_, moves_, edits_) {
  grid_.keep_pens([this] { return kept_pens(state_); });
  begin();
}

void VtermEmulator::reset() {
  grid_.clear_screens();
  grid_.activate(Buffer::primary);
  begin();
}

void VtermEmulator::feed(const Token& token) {
  switch (token.kind) {
    case TokenKind::text:
      return text_.print(token.bytes);
    case TokenKind::control:
      return control(static_cast<unsigned char>(token.bytes.back()));
    case TokenKind::escape:
      text_.controls_in(token.bytes);
      if (const auto parsed = parse_escape(token)) escape(*parsed);
      return settle_caret(state_, grid_);
    case TokenKind::csi:
      text_.controls_in(token.bytes);
      if (const auto parsed = parse_csi(token)) csi(*parsed);
      return settle_caret(state_, grid_);
    case TokenKind::osc:
      return osc(token);
    default:
      return;
  }
}

void VtermEmulator::control(unsigned char c) {
  switch (c) {
    case 0x84:
      text_.index();
      return;
    case 0x85:
      text_.index();
      return text_.carriage_return();
    case 0x88:
      state_.tabs[static_cast<std::size_t>(state_.caret.column)] = true;
      moves_.bring();
      return moves_.machine().escape(0, 'H');
    case 0x8D:
      return text_.reverse_index();
    case 0x8E:
    case 0x8F:
      state_.charsets.single_shift = c == 0x8E ? 2 : 3;
      return;
    default:
      if (c < 0x20) text_.control(static_cast<char>(c));
  }
}

void VtermEmulator::escape(const Escape& escape) {
  if (escape.intermediate != 0) return designate(escape.intermediate, escape.final);
  const char final = escape.final;
  switch (final) {
    case 'D':
    case 'E':
    case 'H':
    case 'M':
    case 'N':
    case 'O':
      return control(static_cast<unsigned char>(final + 0x40));
    case '7':
      return save_caret();
    case '8':
      return restore_caret();
    case '6':
      return edits_.index_columns(-1);
    case '9':
      return edits_.index_columns(1);
    case 'c':
      reset();
      return grid_.clear_scrollback();
    case 'n':
    case 'o':
      state_.charsets.left = final == 'n' ? 2 : 3;
      return moves_.machine().escape(0, final);
    case '~':
      state_.charsets.right = 1;
      return;
    case '}':
      state_.charsets.right = 2;
      return;
    case '|':
      state_.charsets.right = 3;
      return;
    default:
      return;
  }
}

void VtermEmulator::designate(char intermediate, char final) {
  if (intermediate == '#') {
    switch (final) {
      case '3':
        return edits_.set_line_size(LineSize::double_top);
      case '4':
        return edits_.set_line_size(LineSize::double_bottom);
      case '5':
        return edits_.set_line_size(LineSize::single);
      case '6':
        return edits_.set_line_size(LineSize::double_width);
      case '8':
        return edits_.align();
      default:
        return;
    }
  }
  if (ptyd::designate(state_.charsets, intermediate, final)) moves_.tell_charsets();
}

void VtermEmulator::csi(const Csi& csi) {
  if (csi.is(0, "", 'm')) return apply_sgr(csi.text, state_.pen);
  if (moved(csi) || edited(csi)) return;
  if (csi.is(0, "", 'h') || csi.is('?', "", 'h') || csi.is(0, "", 'l') || csi.is('?', "", 'l'))
    return switch_modes(csi);
  if (csi.is(0, "", 'r')) return set_rows(csi.param(0, 1), csi.param(1, 0));
  if (csi.is(0, "", 's')) {
    if (state_.horizontal_margins) return set_columns(csi.param(0, 1), csi.param(1, 0));
    return csi.count == 0 ? save_caret() : void();
  }
  if (csi.is(0, "", 'u') && csi.count == 0) return restore_caret();
  if (csi.is(0, "!", 'p')) return soft_reset();
  if (csi.is(0, "\"", 'q') && csi.param(0, 0) <= 2) state_.guarded = csi.param(0, 0) == 1;
  if (csi.leader == 0 && csi.intermediates == "$" && std::string_view("xz{v").find(csi.final) != std::string_view::npos)
    return edits_.rectangle(csi);
  if (csi.is(0, "", 'b')) text_.repeat(std::max(csi.param(0, 1), 1));
  if (csi.is('?', "", 'W') && csi.param(0, 0) == 5) {
    state_.tabs = fresh_state(grid_.size()).tabs;
    moves_.tell_tabs();
  }
  if (csi.is(0, "", 'g')) clear_tabs(csi.param(0, 0));
}

void VtermEmulator::clear_tabs(int which) {
  if (which == 0) state_.tabs[static_cast<std::size_t>(state_.caret.column)] = false;
  if (which == 3) std::fill(state_.tabs.begin(), state_.tabs.end(), false);
  moves_.bring();
  if (which == 0 || which == 3) moves_.machine().csi('g', {which});
}

bool VtermEmulator::moved(const Csi& csi) {
  if (csi.leader != 0 || !csi.intermediates.empty()) return false;
  const int count = std::max(csi.param(0, 1), 1);
  const int row = state_.caret.row - (state_.origin ? state_.top : 0);
  const int column = state_.caret.column - (state_.origin ? state_.left : 0);
  switch (csi.final) {
    case 'A':
    case 'B':
    case 'C':
      moves_.move(csi.final, count);
      break;
    case 'D':
      text_.back(count);
      break;
    case 'E':
    case 'F':
      moves_.move(csi.final == 'E' ? 'B' : 'A', count);
      text_.carriage_return();
      break;
    case 'G':
    case '`':
      moves_.go_in_origin(row, count - 1);
      break;
    case 'H':
    case 'f':
      moves_.go_in_origin(count - 1, std::max(csi.param(1, 1), 1) - 1);
      break;
    case 'I':
    case 'Z':
      moves_.tab(csi.final, count);
      break;
    case 'a':
      moves_.go_in_origin(row, column + count);
      break;
    case 'd':
      moves_.go_in_origin(count - 1, column);
      break;
    case 'e':
      moves_.go_in_origin(row + count, column);
      break;
    default:
      return false;
  }
  return true;
}

bool VtermEmulator::edited(const Csi& csi) {
  const int count = std::max(csi.param(0, 1), 1);
  if (csi.intermediates == "'" && csi.leader == 0 && (csi.final == '}' || csi.final == '~')) {
    edits_.columns(csi.final, count);
    return true;
  }
  if (csi.is(0, " ", '@') || csi.is(0, " ", 'A')) {
    edits_.shift(csi.final == '@' ? count : -count);
    return true;
  }
  if (!csi.intermediates.empty()) return false;
  if (csi.final == 'J' || csi.final == 'K') {
    if (csi.leader == 0 || csi.leader == '?') edits_.erase_in(csi.final, csi);
    return true;
  }
  if (csi.leader != 0) return false;
  switch (csi.final) {
    case '@':
    case 'P':
      edits_.across(csi.final, count);
      break;
    case 'L':
    case 'M':
      edits_.lines(csi.final, count);
      break;
    case 'S':
      edits_.scroll_up(count);
      break;
    case 'T':
    case '^':
      if (csi.count <= 1) edits_.scroll_down(count);
      break;
    case 'X':
      edits_.erase_cells(count);
      break;
    default:
      return false;
  }
  return true;
}

void VtermEmulator::switch_modes(const Csi& csi) {
  for (std::size_t i = 0; i < csi.count; ++i) {
    const ModeRow* const row = mode_row(csi.params[i], csi.leader == 0);
    if (row != nullptr) switch_mode(*row, csi.final == 'h');
  }
}

/// OSC 8.
void VtermEmulator::osc(const Token& token) {
  if (const auto link = parse_link(token); link) state_.pen.link = link->uri.empty() ? LinkId{0} : grid_.link_id(*link);
}

void VtermEmulator::resize(Size size) {
  resize_terminal(grid_, state_, size);
  moves_.tell_all();
}

void VtermEmulator::clear() {
  grid_.clear();
  edits_.forget_double_lines();
  state_.caret = caret_at_origin(state_);
}

}  // namespace ptyd
