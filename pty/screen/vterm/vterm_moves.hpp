// VtermMoves: libvterm and what it is told; its caret and ours, and where ours may go.
#pragma once

#include <memory>

#include "pty/screen/emulator_part.hpp"
#include "pty/screen/vterm/vterm_machine.hpp"

namespace ptyd {

/// Order  before each step libvterm's caret is brought to ours, after it ours is taken from there: nothing that
/// libvterm hides (its pending wrap above all) outlives a step.
class VtermMoves final : private EmulatorPart {
 public:
  /// `canvas` outlives it. There is no machine before the first tell_all().
  VtermMoves(Grid& grid, TerminalState& state, VtermCanvas& canvas) : EmulatorPart(grid, state), canvas_(canvas) {}

  VtermMachine& machine() { return *machine_; }
  /// Begins anew with a machine of the Grid's size.
  void tell_all();
  void tell_margins();
  void tell_tabs();
  void tell_charsets();

  /// Brings libvterm's caret to ours, with no wrap pending.
  void bring();
  void take();
  void go_to(int row, int column);
  void go_in_origin(int row, int column);
  /// CUU CUD CUF CUB.
  void move(char final, int count);
  /// CHT, CBT. A pending wrap goes backwards only.
  void tab(char final, int count);
  /// Column where a caret stops on its way left: at the margin, or at the edge for a caret left of the margin.
  int first_column() const;

  /// Plain text was printed: either both carets have a wrap pending, or neither has.
  void wait_together(bool pending_wrap);
  /// Something else was printed: libvterm may have a wrap pending.
  void may_wait();
  /// Whether the next plain text may rely on the wrap that libvterm has pending.
  bool wait_is_shared() const { return ahead_ && wraps_; }

 private:
  int first_row() const;
  int last_row() const;

  VtermCanvas& canvas_;
  std::unique_ptr<VtermMachine> machine_;  // anew for each size
  bool ahead_ = false;                     // libvterm may have a pending wrap
  bool wraps_ = false;                     // it has one, and the next plain text may rely on that
};

}  // namespace ptyd
