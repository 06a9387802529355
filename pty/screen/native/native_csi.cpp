// The native emulator: one row for each control sequence.
#include <algorithm>
#include <array>

#include "pty/screen/native/native_emulator.hpp"

namespace ptyd {

/// Sequences by leader, intermediates and final byte.
struct NativeEmulator::Sequence {
  using Obey = void (*)(NativeEmulator& self, const Csi& csi);

  char leader;
  std::string_view intermediates;
  char final;
  Obey obey;
};

struct NativeEmulator::Table {
  using Self = NativeEmulator;

  /// A parameter that is a count: 0 means 1.
  static int count(const Csi& csi, std::size_t index = 0) { return std::max(csi.param(index, 1), 1); }
  static int what(const Csi& csi) { return csi.param(0, 0); }

  template <auto verb>
  static void move(Self& self, const Csi& csi) {
    (self.moves_.*verb)(count(csi));
  }
  /// Rows and columns count from 1.
  template <auto verb>
  static void move_to(Self& self, const Csi& csi) {
    (self.moves_.*verb)(count(csi) - 1);
  }
  template <auto verb>
  static void edit(Self& self, const Csi& csi) {
    (self.edits_.*verb)(count(csi));
  }
  template <auto verb, bool unguarded>
  static void erase(Self& self, const Csi& csi) {
    (self.edits_.*verb)(what(csi), unguarded);
  }
  template <bool unguarded>
  static void erase_area(Self& self, const Csi& csi) {
    self.edits_.erase_area(csi, unguarded);
  }
  static void place(Self& self, const Csi& csi) { self.moves_.move_to(count(csi) - 1, count(csi, 1) - 1); }
  static void next_line(Self& self, const Csi& csi) {
    self.moves_.down(count(csi));
    self.moves_.carriage_return();
  }
  static void previous_line(Self& self, const Csi& csi) {
    self.moves_.up(count(csi));
    self.moves_.carriage_return();
  }
  static void clear_tabs(Self& self, const Csi& csi) { self.moves_.clear_tabs(what(csi)); }
  /// DECST8C.
  static void every_eighth_tab(Self& self, const Csi& csi) {
    if (what(csi) == 5) self.state_.tabs = fresh_state(self.grid_.size()).tabs;
  }
  static void repeat(Self& self, const Csi& csi) { self.text_.repeat(count(csi)); }
  /// SD. With more parameters CSI T is highlight mouse tracking.
  static void scroll_down(Self& self, const Csi& csi) {
    if (csi.count <= 1) self.edits_.scroll_down(count(csi));
  }
  static void scroll_left(Self& self, const Csi& csi) { self.edits_.shift_columns(count(csi)); }
  static void scroll_right(Self& self, const Csi& csi) { self.edits_.shift_columns(-count(csi)); }
  static void copy_area(Self& self, const Csi& csi) { self.edits_.copy_area(csi); }
  static void fill_area(Self& self, const Csi& csi) { self.edits_.fill_area(csi); }
  static void switch_modes(Self& self, const Csi& csi) { self.switch_modes(csi); }
  static void set_rows(Self& self, const Csi& csi) { self.set_rows(csi.param(0, 1), csi.param(1, 0)); }
  /// DECSLRM where left and right margins are on, else SCOSC.
  static void set_columns(Self& self, const Csi& csi) {
    if (self.state_.horizontal_margins) return self.set_columns(csi.param(0, 1), csi.param(1, 0));
    if (csi.count == 0) self.save_caret();
  }
  static void restore_caret(Self& self, const Csi& csi) {
    if (csi.count == 0) self.restore_caret();
  }
  static void soft_reset(Self& self, const Csi&) { self.soft_reset(); }
  /// DECSCA.
  static void guard(Self& self, const Csi& csi) {
    if (what(csi) <= 2) self.state_.guarded = what(csi) == 1;
  }

  using Moves = NativeMoves;
  using Edits = NativeEdits;
  static constexpr std::array kRows{
      Sequence{0, "", '@', edit<&Edits::insert_cells>},
      Sequence{0, "", 'A', move<&Moves::up>},
      Sequence{0, "", 'B', move<&Moves::down>},
      Sequence{0, "", 'C', move<&Moves::forward>},
      Sequence{0, "", 'D', move<&Moves::back>},
      Sequence{0, "", 'E', next_line},
      Sequence{0, "", 'F', previous_line},
      Sequence{0, "", 'G', move_to<&Moves::to_column>},
      Sequence{0, "", 'H', place},
      Sequence{0, "", 'I', move<&Moves::tab>},
      Sequence{0, "", 'J', erase<&Edits::erase_display, false>},
      Sequence{0, "", 'K', erase<&Edits::erase_line, false>},
      Sequence{0, "", 'L', edit<&Edits::insert_lines>},
      Sequence{0, "", 'M', edit<&Edits::delete_lines>},
      Sequence{0, "", 'P', edit<&Edits::delete_cells>},
      Sequence{0, "", 'S', edit<&Edits::scroll_up>},
      Sequence{0, "", 'T', scroll_down},
      Sequence{0, "", 'X', edit<&Edits::erase_cells>},
      Sequence{0, "", 'Z', move<&Moves::back_tab>},
      Sequence{0, "", '^', scroll_down},
      Sequence{0, "", '`', move_to<&Moves::to_column>},
      Sequence{0, "", 'a', move<&Moves::by_columns>},
      Sequence{0, "", 'b', repeat},
      Sequence{0, "", 'd', move_to<&Moves::to_row>},
      Sequence{0, "", 'e', move<&Moves::by_rows>},
      Sequence{0, "", 'f', place},
      Sequence{0, "", 'g', clear_tabs},
      Sequence{0, "", 'h', switch_modes},
      Sequence{0, "", 'l', switch_modes},
      Sequence{0, "", 'r', set_rows},
      Sequence{0, "", 's', set_columns},
      Sequence{0, "", 'u', restore_caret},
      Sequence{'?', "", 'J', erase<&Edits::erase_display, true>},
      Sequence{'?', "", 'K', erase<&Edits::erase_line, true>},
      Sequence{'?', "", 'W', every_eighth_tab},
      Sequence{'?', "", 'h', switch_modes},
      Sequence{'?', "", 'l', switch_modes},
      Sequence{0, " ", '@', scroll_left},
      Sequence{0, " ", 'A', scroll_right},
      Sequence{0, "!", 'p', soft_reset},
      Sequence{0, "\"", 'q', guard},
      Sequence{0, "$", 'v', copy_area},
      Sequence{0, "$", 'x', fill_area},
      Sequence{0, "$", 'z', erase_area<false>},
      Sequence{0, "$", '{', erase_area<true>},
      Sequence{0, "'", '}', edit<&Edits::insert_columns>},
      Sequence{0, "'", '~', edit<&Edits::delete_columns>},
  };

  /// The sequences without leader and intermediates, by their final byte.
  static constexpr auto make_plain() {
    std::array<Sequence::Obey, 128> plain{};
    for (const Sequence& row : kRows)
      if (row.leader == 0 && row.intermediates.empty()) plain[static_cast<unsigned char>(row.final)] = row.obey;
    return plain;
  }

  static Sequence::Obey find(const Csi& csi) {
    static constexpr auto kPlain = make_plain();
    if (csi.leader == 0 && csi.intermediates.empty()) return kPlain[static_cast<unsigned char>(csi.final)];
    const auto found = std::find_if(kRows.begin(), kRows.end(), [&csi](const Sequence& row) {
      return csi.is(row.leader, row.intermediates, row.final);
    });
    return found == kRows.end() ? nullptr : found->obey;
  }
};

void NativeEmulator::csi(const Token& token) {
  if (pens_.take_plain_sgr(token)) return;
  moves_.controls_in(token.bytes);
  const auto csi = parse_csi(token);
  if (!csi) return;
  if (csi->is(0, "", 'm')) return pens_.sgr(csi->text);
  if (const auto obey = Table::find(*csi); obey != nullptr) obey(*this, *csi);
}

}  // namespace ptyd
