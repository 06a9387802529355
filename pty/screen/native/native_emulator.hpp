// NativeEmulator: which part obeys a token.
#pragma once

#include "pty/screen/emulator.hpp"
#include "pty/screen/native/native_edits.hpp"
#include "pty/screen/native/native_moves.hpp"
#include "pty/screen/native/native_pens.hpp"
#include "pty/screen/native/native_text.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {

/// See Emulator. Its parts share the Grid and the TerminalState; left here is the dispatch of sequences
/// (native_emulator.cpp escapes, native_csi.cpp the table of control sequences), and what is switched and kept
/// (native_modes.cpp).
class NativeEmulator final : public Emulator {
 public:
  explicit NativeEmulator(Grid& grid);
  NativeEmulator(const NativeEmulator&) = delete;
  NativeEmulator& operator=(const NativeEmulator&) = delete;

  void feed(const Token& token) override;
  void resize(Size size) override;
  void clear() override;
  void reset() override;
  const TerminalState& state() const override { return state_; }

 private:
  struct Sequence;
  struct Table;

  void escape(const Escape& escape);
  void escape_final(char final);
  void line_height(char digit);
  void osc(const Token& token);
  void csi(const Token& token);

  void switch_modes(const Csi& csi);
  void switch_mode(const ModeRow& row, bool on);
  void clear_columns();
  void switch_margins(bool on);
  void switch_buffer(int mode, bool alternate);
  void set_rows(int top, int bottom);
  void set_columns(int left, int right);
  void soft_reset();
  void full_reset();
  void save_caret() { ptyd::save_caret(state_, grid_.active()); }
  void restore_caret();

  Grid& grid_;
  TerminalState state_;
  NativePens pens_;
  NativeMoves moves_;
  NativeEdits edits_;
  NativeText text_;
};

}  // namespace ptyd
