// VtermEmulator: tokens become pieces that libvterm may see, and what libvterm draws becomes cells.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "pty/screen/emulator.hpp"
#include "pty/screen/vterm/vterm_machine.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {

/// libvterm decides where glyphs go, what scrolls and which cells an operation touches; it translates charsets and
/// finds tab stops. It is told of margins, tab stops, charsets and wrapping. Ours are pens, buffers, saved carets,
/// origin, insert and newline mode, double-width lines, widths and clusters, REP, rectangles, and how far a caret may
/// move where margins are, of which libvterm knows little.
///
/// Order  before each step libvterm's caret is brought to ours, after it ours is taken from there: nothing that
/// libvterm hides (its pending wrap above all) outlives a step.
class VtermEmulator final : public Emulator, private VtermCanvas {
 public:
  explicit VtermEmulator(Grid& grid);
  void feed(const Token& token) override;
  void resize(Size size) override;
  void clear() override;
  void reset() override;
  const TerminalState& state() const override { return state_; }

 private:
  // vterm_emulator.cpp: what a token is.
  void control(unsigned char c);
  void inner_controls(std::string_view bytes);
  void escape(std::string_view bytes);
  void designate(char intermediate, char final);
  void csi(const Csi& csi);
  bool moved(const Csi& csi);
  bool edited(const Csi& csi);
  void switch_modes(const Csi& csi);
  void osc(const Token& token);

  // vterm_text.cpp: text, and the controls among it.
  void text(std::string_view bytes);
  void ascii(std::string_view run);
  void glyph(char32_t code_point);
  void joining(char32_t code_point);
  void widen_at_edge(char32_t code_point);
  void advance(int to, int last);
  void make_room(int columns, int last);
  void one(char32_t code_point, int width);
  void draw(char32_t glyph, int width);
  bool find_room(int width);
  bool leave_hole(int last);
  void take_pending_wrap();
  void wrap();
  void join_wrapped(int row_before);
  void repeat(int count);
  void text_control(char c);
  bool index();
  void reverse_index();
  void carriage_return();
  void back(int count);

  // vterm_moves.cpp: where the caret may go.
  int first_row() const;
  int last_row() const;
  int first_column() const;
  int last_column() const { return ptyd::last_column(state_, grid_); }
  bool in_columns() const;
  bool in_margins() const;
  void go_to(int row, int column);
  void go_in_origin(int row, int column);
  void move(char final, int count);
  void tab(char final, int count);
  void bring();
  void take();

  // vterm_edits.cpp: what changes cells other than by text.
  void erase_in(char final, const Csi& csi);
  void erase_screen();
  void single_lines(int top, int bottom);
  void erase_cells(int count);
  void across(char final, int count);
  void lines(char final, int count);
  void shift(int leftward);
  void index_columns(int rightward);
  void align();
  void set_line_size(LineSize size);
  void rectangle(const Csi& csi);

  // vterm_state.cpp: modes, margins, saved carets, and telling libvterm.
  void switch_mode(const ModeRow& row, bool on);
  void set_rows(int top, int bottom);
  void set_columns(int left, int right);
  void switch_margins(bool on);
  void save_caret() { ptyd::save_caret(state_, grid_.active()); }
  void restore_caret();
  void clear_columns();
  void switch_buffer(int mode, bool alternate);
  void soft_reset();
  void begin();
  void tell_all();
  void tell_margins();
  void tell_tabs();
  void tell_charsets();

  // vterm_canvas.cpp: what libvterm draws.
  void put(char32_t glyph, int width, int row, int column) override;
  void scroll(const Area& area, int upward, int leftward) override;
  void erase(const Area& area, bool selective) override;
  PenId blank_pen();

  static constexpr int kNoEnd = 1 << 16;

  Grid& grid_;
  TerminalState state_;
  std::unique_ptr<VtermMachine> machine_;  // anew for each size
  PenId pen_ = 0;                          // of what is drawn now
  char32_t drawn_ = 0;                     // what the stand-in stands for; 0 where libvterm was given the glyph itself
  bool guarded_ = false;                   // likewise
  int next_column_ = 0;                    // while plain text is printed: where its next glyph goes without a wrap
  int next_row_ = 0;                       // and the row of the glyph before
  bool aligning_ = false;                  // what is drawn is no text
  bool scrolled_ = false;                  // something has scrolled up since this was false
  int row_end_ = kNoEnd;                   // cells of one row are shifted before this column only
  bool ahead_ = false;                     // libvterm may have a pending wrap
  bool wraps_ = false;                     // it has one, and the next plain text may rely on that
  bool keeps_ = false;                     // what scrolls out now may go into the scrollback
  bool double_lines_ = false;              // there may be lines that are not single
};

}  // namespace ptyd
