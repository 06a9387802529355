// The native emulator: a state machine after xterm's published semantics (ctlseqs, VT510).
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string_view>

#include "pty/screen/emulator.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {

std::unique_ptr<Emulator> make_native_emulator(Grid& grid);

/// See Emulator. native.cpp draws text, native_controls.cpp obeys single controls and escapes; native_csi.cpp has the
/// table of control sequences and what moves, native_edit.cpp what erases and shifts, native_modes.cpp what is switched
/// and kept.
///
/// Nothing is hidden beside the TerminalState and the Grid: what joins a glyph or repeats it looks at the cell left of
/// the caret, not at what was printed last. So a snapshot of both is all there is.
class NativeEmulator final : public Emulator {
 public:
  explicit NativeEmulator(Grid& grid);

  void feed(const Token& token) override;
  void resize(Size size) override;
  void clear() override;
  void reset() override;
  const TerminalState& state() const override { return state_; }

 private:
  /// Glyphs that are looked up before they are drawn together.
  static constexpr std::size_t kBatch = 64;
  using Handler = void (NativeEmulator::*)(const Csi&);
  struct Sequence;
  struct Table;

  // native.cpp
  void text(std::string_view bytes);
  std::size_t type_unicode(std::string_view bytes);
  void type_ascii(std::string_view run);
  void type_translated(std::string_view run);
  char32_t translated(char c);
  void type(std::span<const Cell> cells);
  void type_joining(char32_t code_point);
  void widen_glyph(char32_t code_point);
  void make_room(int columns, int last);
  bool leave_hole(int last);
  void advance(int columns, int last);
  void take_pending_wrap();
  void wrap();
  void refresh_pens();
  void pen_changed() { pens_known_ = false; }
  PenId blank();
  int last_column() const { return ptyd::last_column(state_, grid_); }
  bool within_columns() const { return caret().column >= state_.left && caret().column <= state_.right; }
  bool within_rows() const { return caret().row >= state_.top && caret().row <= state_.bottom; }

  // native_controls.cpp
  void control(char c);
  void controls_in(std::string_view bytes);
  void escape(std::string_view body);
  void escape_final(char final);
  void line_height(char digit);
  void align();
  void osc(const Token& token);
  bool line_feed();
  void new_line();
  void reverse_index();
  void carriage_return();
  void tab(int count);
  void back_tab(int count);
  void back(int count);
  void place(int row, int column);
  void move_to(int row, int column);

  // native_csi.cpp
  void csi(const Token& token);
  void cursor_up(const Csi& csi);
  void cursor_down(const Csi& csi);
  void cursor_forward(const Csi& csi);
  void cursor_back(const Csi& csi);
  void next_line(const Csi& csi);
  void previous_line(const Csi& csi);
  void cursor_column(const Csi& csi);
  void cursor_row(const Csi& csi);
  void cursor_place(const Csi& csi);
  void relative_column(const Csi& csi);
  void relative_row(const Csi& csi);
  void forward_tab(const Csi& csi);
  void backward_tab(const Csi& csi);
  void clear_tabs(const Csi& csi);
  void every_eighth_tab(const Csi& csi);
  void repeat(const Csi& csi);
  void rows_margin(const Csi& csi);
  void columns_margin(const Csi& csi);
  void restore_caret_csi(const Csi& csi);
  void guard(const Csi& csi);
  int relative_to_row() const { return state_.origin ? state_.top : 0; }
  int relative_to_column() const { return state_.origin ? state_.left : 0; }

  // native_edit.cpp
  void erase_display(const Csi& csi);
  void erase_line(const Csi& csi);
  void erase_display_unguarded(const Csi& csi);
  void erase_line_unguarded(const Csi& csi);
  void erase_cells(const Csi& csi);
  void insert_cells(const Csi& csi);
  void delete_cells(const Csi& csi);
  void insert_lines(const Csi& csi);
  void delete_lines(const Csi& csi);
  void scroll_up(const Csi& csi);
  void scroll_down(const Csi& csi);
  void scroll_left(const Csi& csi);
  void scroll_right(const Csi& csi);
  void shift_columns(int leftward);
  void insert_columns(const Csi& csi);
  void delete_columns(const Csi& csi);
  void copy_area(const Csi& csi);
  void fill_area(const Csi& csi);
  void erase_area(const Csi& csi);
  void erase_area_unguarded(const Csi& csi);
  void erase(const Area& area, bool unguarded);
  void erase_display(int what, bool unguarded);
  void erase_line(int what, bool unguarded);
  Area margins() const { return {state_.top, state_.left, state_.bottom + 1, state_.right + 1}; }
  Area origin() const { return origin_area(state_, grid_.size()); }

  // native_modes.cpp
  void switch_modes(const Csi& csi);
  void switch_mode(const ModeRow& row, bool on);
  void clear_columns();
  void switch_margins(bool on);
  void switch_buffer(int mode, bool alternate);
  void soft_reset(const Csi& csi);
  void full_reset();
  void save_caret() { ptyd::save_caret(state_, grid_.active()); }
  void restore_caret();

  Caret& caret() { return state_.caret; }
  const Caret& caret() const { return state_.caret; }
  int rows() const { return grid_.size().rows; }
  int columns() const { return grid_.size().cols; }

  /// What a short SGR made of a pen before. Programs use few, again and again.
  struct KnownSgr {
    std::uint64_t parameters = ~0ULL;
    std::uint64_t collections = 0;  ///< of the Grid: names are others after one
    PenId before = 0, after = 0, blank = 0;
    Pen pen;
  };
  static constexpr std::size_t kKnownSgr = 64;
  void sgr(std::string_view parameters, std::uint64_t key);

  Grid& grid_;
  TerminalState state_;
  PenId pen_ = 0, blank_ = 0;
  bool pens_known_ = true;  // the two are those of state_.pen
  bool pen_exact_ = true;   // and the first is not a plainer one
  std::array<KnownSgr, kKnownSgr> known_sgr_;
  std::array<Cell, kBatch> batch_;  // scratch of type_unicode, not worth initialising for every character
};

}  // namespace ptyd
