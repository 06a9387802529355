// The native emulator: control sequences, which function obeys each, and those that move.
#include <algorithm>
#include <array>
#include <vector>

#include "pty/screen/native/native.hpp"
#include "pty/screen/pen_parser.hpp"

namespace ptyd {
namespace {

/// A parameter that counts: 0 is 1.
int counted(const Csi& csi, std::size_t index = 0) {
  return std::max(csi.param(index, 1), 1);
}

/// The parameters of an SGR that holds nothing else, which is what most sequences are; without data for all others.
/// `key` becomes what names them when they are at most eight bytes.
std::string_view plain_sgr(const Token& token, std::uint64_t& key) {
  std::string_view bytes = token.bytes;
  if (token.cancelled || token.overlong || bytes.back() != 'm' || bytes[1] != '[') return {};
  bytes = bytes.substr(2, bytes.size() - 3);
  for (const char c : bytes) {
    if (c < '0' || c > ';') return {};
    key = key << 8 | static_cast<std::uint8_t>(c);
  }
  return bytes;
}

}  // namespace

struct NativeEmulator::Sequence {
  char leader;
  std::string_view intermediates;
  char final;
  Handler handler;
};

struct NativeEmulator::Table {
  static constexpr std::array kRows{
      Sequence{0, "", '@', &NativeEmulator::insert_cells},
      Sequence{0, "", 'A', &NativeEmulator::cursor_up},
      Sequence{0, "", 'B', &NativeEmulator::cursor_down},
      Sequence{0, "", 'C', &NativeEmulator::cursor_forward},
      Sequence{0, "", 'D', &NativeEmulator::cursor_back},
      Sequence{0, "", 'E', &NativeEmulator::next_line},
      Sequence{0, "", 'F', &NativeEmulator::previous_line},
      Sequence{0, "", 'G', &NativeEmulator::cursor_column},
      Sequence{0, "", 'H', &NativeEmulator::cursor_place},
      Sequence{0, "", 'I', &NativeEmulator::forward_tab},
      Sequence{0, "", 'J', &NativeEmulator::erase_display},
      Sequence{0, "", 'K', &NativeEmulator::erase_line},
      Sequence{0, "", 'L', &NativeEmulator::insert_lines},
      Sequence{0, "", 'M', &NativeEmulator::delete_lines},
      Sequence{0, "", 'P', &NativeEmulator::delete_cells},
      Sequence{0, "", 'S', &NativeEmulator::scroll_up},
      Sequence{0, "", 'T', &NativeEmulator::scroll_down},
      Sequence{0, "", 'X', &NativeEmulator::erase_cells},
      Sequence{0, "", 'Z', &NativeEmulator::backward_tab},
      Sequence{0, "", '^', &NativeEmulator::scroll_down},
      Sequence{0, "", '`', &NativeEmulator::cursor_column},
      Sequence{0, "", 'a', &NativeEmulator::relative_column},
      Sequence{0, "", 'b', &NativeEmulator::repeat},
      Sequence{0, "", 'd', &NativeEmulator::cursor_row},
      Sequence{0, "", 'e', &NativeEmulator::relative_row},
      Sequence{0, "", 'f', &NativeEmulator::cursor_place},
      Sequence{0, "", 'g', &NativeEmulator::clear_tabs},
      Sequence{0, "", 'h', &NativeEmulator::switch_modes},
      Sequence{0, "", 'l', &NativeEmulator::switch_modes},
      Sequence{0, "", 'r', &NativeEmulator::rows_margin},
      Sequence{0, "", 's', &NativeEmulator::columns_margin},
      Sequence{0, "", 'u', &NativeEmulator::restore_caret_csi},
      Sequence{'?', "", 'J', &NativeEmulator::erase_display_unguarded},
      Sequence{'?', "", 'K', &NativeEmulator::erase_line_unguarded},
      Sequence{'?', "", 'W', &NativeEmulator::every_eighth_tab},
      Sequence{'?', "", 'h', &NativeEmulator::switch_modes},
      Sequence{'?', "", 'l', &NativeEmulator::switch_modes},
      Sequence{0, " ", '@', &NativeEmulator::scroll_left},
      Sequence{0, " ", 'A', &NativeEmulator::scroll_right},
      Sequence{0, "!", 'p', &NativeEmulator::soft_reset},
      Sequence{0, "\"", 'q', &NativeEmulator::guard},
      Sequence{0, "$", 'v', &NativeEmulator::copy_area},
      Sequence{0, "$", 'x', &NativeEmulator::fill_area},
      Sequence{0, "$", 'z', &NativeEmulator::erase_area},
      Sequence{0, "$", '{', &NativeEmulator::erase_area_unguarded},
      Sequence{0, "'", '}', &NativeEmulator::insert_columns},
      Sequence{0, "'", '~', &NativeEmulator::delete_columns},
  };

  /// The plain ones by their final byte.
  static constexpr auto make_plain() {
    std::array<Handler, 128> plain{};
    for (const Sequence& row : kRows)
      if (row.leader == 0 && row.intermediates.empty()) plain[static_cast<unsigned char>(row.final)] = row.handler;
    return plain;
  }

  static Handler find(const Csi& csi) {
    static constexpr auto kPlain = make_plain();
    if (csi.leader == 0 && csi.intermediates.empty()) return kPlain[static_cast<unsigned char>(csi.final)];
    const auto found = std::find_if(kRows.begin(), kRows.end(), [&csi](const Sequence& row) {
      return csi.is(row.leader, row.intermediates, row.final);
    });
    return found == kRows.end() ? nullptr : found->handler;
  }
};

void NativeEmulator::csi(const Token& token) {
  std::uint64_t key = 0;
  if (const auto parameters = plain_sgr(token, key); parameters.data() != nullptr) return sgr(parameters, key);
  // The introducer's ESC is no control among them: control() does not know it.
  controls_in(token.bytes.substr(1));
  const auto csi = parse_csi(token);
  if (!csi) return;
  if (csi->is(0, "", 'm')) {
    apply_sgr(csi->text, state_.pen);
    return pen_changed();
  }
  if (const Handler handler = Table::find(*csi); handler != nullptr) (this->*handler)(*csi);
}

void NativeEmulator::sgr(std::string_view parameters, std::uint64_t key) {
  if (parameters.size() > sizeof key) {
    apply_sgr(parameters, state_.pen);
    return pen_changed();
  }
  if (!pens_known_) refresh_pens();
  const bool known_before = pen_exact_;
  KnownSgr& known = known_sgr_[(key ^ std::uint64_t{pen_} << 40) * 0x9FB21C651E98DF25U >> 58];
  if (known.parameters == key && known.before == pen_ && known.collections == grid_.collections() && known_before) {
    state_.pen = known.pen;
    pen_ = known.after;
    blank_ = known.blank;
    return;
  }
  const PenId before = pen_;
  const std::uint64_t collections = grid_.collections();
  apply_sgr(parameters, state_.pen);
  refresh_pens();
  if (known_before && pen_exact_ && collections == grid_.collections())
    known = {key, collections, before, pen_, blank_, state_.pen};
}

void NativeEmulator::cursor_up(const Csi& csi) {
  const int first = caret().row >= state_.top ? state_.top : 0;
  place(std::max(caret().row - counted(csi), first), caret().column);
}

void NativeEmulator::cursor_down(const Csi& csi) {
  const int last = caret().row <= state_.bottom ? state_.bottom : rows() - 1;
  place(std::min(caret().row + counted(csi), last), caret().column);
}

void NativeEmulator::cursor_forward(const Csi& csi) {
  place(caret().row, std::min(caret().column + counted(csi), last_column()));
}

void NativeEmulator::cursor_back(const Csi& csi) {
  back(counted(csi));
}

void NativeEmulator::next_line(const Csi& csi) {
  cursor_down(csi);
  carriage_return();
}

void NativeEmulator::previous_line(const Csi& csi) {
  cursor_up(csi);
  carriage_return();
}

void NativeEmulator::cursor_column(const Csi& csi) {
  move_to(caret().row - relative_to_row(), counted(csi) - 1);
}

void NativeEmulator::cursor_row(const Csi& csi) {
  move_to(counted(csi) - 1, caret().column - relative_to_column());
}

void NativeEmulator::cursor_place(const Csi& csi) {
  move_to(counted(csi) - 1, counted(csi, 1) - 1);
}

void NativeEmulator::relative_column(const Csi& csi) {
  move_to(caret().row - relative_to_row(), caret().column - relative_to_column() + counted(csi));
}

void NativeEmulator::relative_row(const Csi& csi) {
  move_to(caret().row - relative_to_row() + counted(csi), caret().column - relative_to_column());
}

void NativeEmulator::forward_tab(const Csi& csi) {
  tab(counted(csi));
}

void NativeEmulator::backward_tab(const Csi& csi) {
  back_tab(counted(csi));
}

void NativeEmulator::clear_tabs(const Csi& csi) {
  if (csi.param(0, 0) == 0) state_.tabs[static_cast<std::size_t>(caret().column)] = false;
  if (csi.param(0, 0) == 3) state_.tabs.assign(state_.tabs.size(), false);
}

/// DECST8C.
void NativeEmulator::every_eighth_tab(const Csi& csi) {
  if (csi.param(0, 0) == 5) state_.tabs = fresh_state(grid_.size()).tabs;
}

/// REP: the glyph left of the caret once more, at most as often as the screen has places.
void NativeEmulator::repeat(const Csi& csi) {
  const int end = caret().column + (caret().pending_wrap ? 1 : 0);
  if (end == 0) return;
  if (!pens_known_) refresh_pens();
  Cell glyph = grid_.cell(caret().row, end - 1);
  if (glyph.width == 0) glyph = grid_.cell(caret().row, end - 2);
  if (glyph.glyph == 0) return;
  glyph.pen = pen_;
  glyph.guarded = static_cast<std::uint8_t>(state_.guarded);
  const int count = std::min(counted(csi), rows() * columns());
  std::vector<Cell> cells;
  for (int i = 0; i < std::min(count, columns()); ++i) {
    cells.push_back(glyph);
    if (glyph.width == 2) cells.push_back({0, glyph.pen, 0, glyph.guarded});
  }
  for (int left = count; left > 0; left -= columns())
    type(std::span(cells).first(static_cast<std::size_t>(std::min(left, columns()) * glyph.width)));
}

/// DECSTBM.
void NativeEmulator::rows_margin(const Csi& csi) {
  if (set_row_margins(state_, grid_.size(), csi.param(0, 1), csi.param(1, 0))) move_to(0, 0);
}

/// DECSLRM where left and right margins are on, else SCOSC.
void NativeEmulator::columns_margin(const Csi& csi) {
  if (!state_.horizontal_margins) return csi.count == 0 ? save_caret() : void();
  if (set_column_margins(state_, grid_.size(), csi.param(0, 1), csi.param(1, 0))) move_to(0, 0);
}

void NativeEmulator::restore_caret_csi(const Csi& csi) {
  if (csi.count == 0) restore_caret();
}

/// DECSCA.
void NativeEmulator::guard(const Csi& csi) {
  if (csi.param(0, 0) <= 2) state_.guarded = csi.param(0, 0) == 1;
}

}  // namespace ptyd
