#include "pty/screen/vterm/vterm_emulator.hpp"

#include <algorithm>
#include <string>

#include "pty/screen/pen_parser.hpp"
#include "pty/screen/vterm/vterm.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {

namespace {

bool is_clean(std::string_view text) {
  return utf8::valid(text) && std::none_of(text.begin(), text.end(),
                                           [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

}  // namespace

std::unique_ptr<Emulator> make_vterm_emulator(Grid& grid) {
  return std::make_unique<VtermEmulator>(grid);
}

VtermEmulator::VtermEmulator(Grid& grid) : grid_(grid) {
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
      return text(token.bytes);
    case TokenKind::control:
      return control(static_cast<unsigned char>(token.bytes.back()));
    case TokenKind::escape:
      inner_controls(token.bytes);
      if (!token.cancelled && !token.overlong) escape(token.bytes.substr(1));
      return settle_caret();
    case TokenKind::csi:
      inner_controls(token.bytes);
      if (const auto parsed = parse_csi(token)) csi(*parsed);
      return settle_caret();
    case TokenKind::osc:
      return osc(token);
    default:
      return;
  }
}

/// A double line may have come under the caret, or the margin have gone behind which it waited.
void VtermEmulator::settle_caret() {
  state_.caret.column = std::min(state_.caret.column, grid_.columns(state_.caret.row) - 1);
  if (state_.caret.pending_wrap && state_.caret.column != last_column()) state_.caret.pending_wrap = false;
}

/// Controls inside a sequence are obeyed at once.
void VtermEmulator::inner_controls(std::string_view bytes) {
  for (const char c : bytes.substr(1))
    if (c >= '\b' && c <= '\x0F') control(static_cast<unsigned char>(c));
}

void VtermEmulator::control(unsigned char c) {
  switch (c) {
    case 0x0E:
    case 0x0F:
      state_.charsets.left = c == 0x0E;
      machine_->control(static_cast<char>(c));
      return;
    case 0x84:
      index();
      return;
    case 0x85:
      index();
      return carriage_return();
    case 0x88:
      state_.tabs[static_cast<std::size_t>(state_.caret.column)] = true;
      bring();
      return machine_->escape(0, 'H');
    case 0x8D:
      return reverse_index();
    case 0x8E:
    case 0x8F:
      state_.charsets.single_shift = c == 0x8E ? 2 : 3;
      return;
    default:
      if (c < 0x20) text_control(static_cast<char>(c));
  }
}

void VtermEmulator::escape(std::string_view bytes) {
  std::string body;
  for (const char c : bytes)
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F) body += c;
  if (body.size() == 2) return designate(body[0], body[1]);
  if (body.size() != 1) return;
  switch (body[0]) {
    case 'D':
    case 'E':
    case 'H':
    case 'M':
    case 'N':
    case 'O':
      return control(static_cast<unsigned char>(body[0] + 0x40));
    case '7':
      return save_caret();
    case '8':
      return restore_caret();
    case '6':
      return index_columns(-1);
    case '9':
      return index_columns(1);
    case 'c':
      reset();
      return grid_.clear_scrollback();
    case 'n':
    case 'o':
      state_.charsets.left = body[0] == 'n' ? 2 : 3;
      return machine_->escape(0, body[0]);
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
        return set_line_size(LineSize::double_top);
      case '4':
        return set_line_size(LineSize::double_bottom);
      case '5':
        return set_line_size(LineSize::single);
      case '6':
        return set_line_size(LineSize::double_width);
      case '8':
        return align();
      default:
        return;
    }
  }
  const auto set = std::string_view("()*+").find(intermediate);
  if (set == std::string_view::npos) return;
  state_.charsets.designated[set] = final == '0' || final == 'A' ? final : 'B';
  tell_charsets();
}

void VtermEmulator::csi(const Csi& csi) {
  if (csi.is(0, "", 'm')) return apply_sgr(csi.text, state_.pen);
  if (moved(csi) || edited(csi)) return;
  if (csi.is(0, "", 'h') || csi.is('?', "", 'h')) return set_modes(csi, true);
  if (csi.is(0, "", 'l') || csi.is('?', "", 'l')) return set_modes(csi, false);
  if (csi.is(0, "", 'r')) return set_rows(csi.param(0, 1), csi.param(1, 0));
  if (csi.is(0, "", 's')) {
    if (state_.horizontal_margins) return set_columns(csi.param(0, 1), csi.param(1, 0));
    return csi.count == 0 ? save_caret() : void();
  }
  if (csi.is(0, "", 'u') && csi.count == 0) return restore_caret();
  if (csi.is(0, "!", 'p')) return soft_reset();
  if (csi.is(0, "\"", 'q') && csi.param(0, 0) <= 2) state_.guarded = csi.param(0, 0) == 1;
  if (csi.leader == 0 && csi.intermediates == "$" && std::string_view("xz{v").find(csi.final) != std::string_view::npos)
    return rectangle(csi);
  if (csi.is(0, "", 'b')) repeat(std::max(csi.param(0, 1), 1));
  if (csi.is('?', "", 'W') && csi.param(0, 0) == 5) {
    state_.tabs = fresh_state(grid_.size()).tabs;
    tell_tabs();
  }
  if (csi.is(0, "", 'g')) {
    const int which = csi.param(0, 0);
    if (which == 0) state_.tabs[static_cast<std::size_t>(state_.caret.column)] = false;
    if (which == 3) std::fill(state_.tabs.begin(), state_.tabs.end(), false);
    bring();
    if (which == 0 || which == 3) machine_->csi('g', {which});
  }
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
      move(csi.final, count);
      break;
    case 'D':
      back(count);
      break;
    case 'E':
    case 'F':
      move(csi.final == 'E' ? 'B' : 'A', count);
      carriage_return();
      break;
    case 'G':
    case '`':
      go_in_origin(row, count - 1);
      break;
    case 'H':
    case 'f':
      go_in_origin(count - 1, std::max(csi.param(1, 1), 1) - 1);
      break;
    case 'I':
    case 'Z':
      tab(csi.final, count);
      break;
    case 'a':
      go_in_origin(row, column + count);
      break;
    case 'd':
      go_in_origin(count - 1, column);
      break;
    case 'e':
      go_in_origin(row + count, column);
      break;
    default:
      return false;
  }
  return true;
}

bool VtermEmulator::edited(const Csi& csi) {
  const int count = std::max(csi.param(0, 1), 1);
  if (csi.intermediates == "'" && csi.leader == 0 && (csi.final == '}' || csi.final == '~')) {
    if (!in_margins()) return true;
    bring();
    machine_->csi(csi.final, {count}, 0, '\'');
    return true;
  }
  if (csi.is(0, " ", '@') || csi.is(0, " ", 'A')) {
    shift(csi.final == '@' ? count : -count);
    return true;
  }
  if (!csi.intermediates.empty()) return false;
  if (csi.final == 'J' || csi.final == 'K') {
    if (csi.leader == 0 || csi.leader == '?') erase_in(csi.final, csi);
    return true;
  }
  if (csi.leader != 0) return false;
  switch (csi.final) {
    case '@':
    case 'P':
      across(csi.final, count);
      break;
    case 'L':
    case 'M':
      lines(csi.final, count);
      break;
    case 'S':
      keeps_ = true;
      machine_->csi('S', {count});
      break;
    case 'T':
    case '^':
      if (csi.count <= 1) machine_->csi('T', {count});
      break;
    case 'X':
      erase_cells(count);
      break;
    default:
      return false;
  }
  return true;
}

void VtermEmulator::set_modes(const Csi& csi, bool on) {
  for (std::size_t index = 0; index < csi.count; ++index) set_mode(csi.param(index, -1), csi.leader == 0, on);
}

/// OSC 8 ; key=value:... ; address.
void VtermEmulator::osc(const Token& token) {
  const auto payload = string_payload(token);
  if (!payload || !payload->starts_with("8;")) return;
  const std::size_t end = payload->find(';', 2);
  if (end == std::string_view::npos) return;
  const std::string_view params = payload->substr(2, end - 2);
  Link link;
  link.uri = payload->substr(end + 1);
  for (std::size_t at = 0; at < params.size();) {
    const std::size_t stop = std::min(params.find(':', at), params.size());
    if (params.substr(at).starts_with("id=")) link.id = params.substr(at + 3, stop - at - 3);
    at = stop + 1;
  }
  const bool usable = !link.uri.empty() && is_clean(link.uri) && is_clean(link.id);
  state_.pen.link = usable ? grid_.link_id(link) : LinkId{0};
}

void VtermEmulator::resize(Size size) {
  resize_terminal(grid_, state_, size);
  tell_all();
}

void VtermEmulator::clear() {
  grid_.clear();
  double_lines_ = false;
  state_.caret = {};
}

}  // namespace ptyd
