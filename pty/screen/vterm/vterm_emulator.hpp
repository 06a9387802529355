// VtermEmulator: which part obeys a token.
#pragma once

#include <string_view>

#include "pty/screen/emulator.hpp"
#include "pty/screen/vterm/vterm_drawing.hpp"
#include "pty/screen/vterm/vterm_edits.hpp"
#include "pty/screen/vterm/vterm_moves.hpp"
#include "pty/screen/vterm/vterm_text.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {

/// libvterm decides where glyphs go, what scrolls and which cells an operation touches; it translates charsets and
/// finds tab stops. It is told of margins, tab stops, charsets and wrapping. Ours are pens, buffers, saved carets,
/// origin, insert and newline mode, double-width lines, widths and clusters, REP, rectangles, and how far a caret may
/// move where margins are, of which libvterm knows little.
///
/// Its parts share the Grid and the TerminalState; left here are the dispatch of sequences (vterm_emulator.cpp), and
/// what is switched and kept (vterm_state.cpp).
class VtermEmulator final : public Emulator {
 public:
  explicit VtermEmulator(Grid& grid);
  VtermEmulator(const VtermEmulator&) = delete;
  VtermEmulator& operator=(const VtermEmulator&) = delete;

  void feed(const Token& token) override;
  void resize(Size size) override;
  void clear() override;
  void reset() override;
  const TerminalState& state() const override { return state_; }

 private:
  // vterm_emulator.cpp
  void control(unsigned char c);
  void escape(const Escape& escape);
  void designate(char intermediate, char final);
  void csi(const Csi& csi);
  void clear_tabs(int which);
  bool moved(const Csi& csi);
  bool edited(const Csi& csi);
  void switch_modes(const Csi& csi);
  void osc(const Token& token);

  // vterm_state.cpp
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

  Grid& grid_;
  TerminalState state_;
  VtermDrawing drawing_;
  VtermMoves moves_;
  VtermEdits edits_;
  VtermText text_;
};

}  // namespace ptyd
