// VtermMachine: libvterm's state layer, which receives safe sequences only. Only its .cpp knows vterm.h.
#pragma once

#include <initializer_list>
#include <memory>
#include <string_view>

#include "pty/screen/grid/grid.hpp"
#include "pty/types.hpp"

struct VTerm;
struct VTermState;

namespace ptyd {

/// Drawing that libvterm asks for. Every place and every area is inside the screen and not empty, whatever libvterm
/// says.
class VtermCanvas {
 public:
  virtual void put(char32_t glyph, int width, int row, int column) = 0;
  /// Moves what is in `area` by so many rows and columns, at most its own size; what becomes free is erased.
  virtual void scroll(const Area& area, int upward, int leftward) = 0;
  virtual void erase(const Area& area, bool selective) = 0;

 protected:
  ~VtermCanvas() = default;
};

/// libvterm behind a door through which only whole, small, re-encoded pieces pass: 15 parameters at most and no
/// sub-parameter (a 17th writes past an array), numbers that a screen can have, no REP (an endless loop where nothing
/// was printed), no string, no 8-bit control, no query, no character that is cut or whose width libvterm sees
/// otherwise, 256 bytes of text at once (its stack takes what a write has), two columns or more.
///
/// Works with libvterm 0.1.4 and 0.3.
///
/// Owns    one VTerm; a change of size takes a new machine.
/// Thread  one. `canvas` must outlive it, and is called only within a call.
class VtermMachine {
 public:
  static constexpr int kMaxParams = 15;
  /// Far beyond any row, column or mode; libvterm adds them up in ints.
  static constexpr int kMaxParam = 99'999;

  VtermMachine(Size size, VtermCanvas& canvas);
  ~VtermMachine();
  VtermMachine(const VtermMachine&) = delete;
  VtermMachine& operator=(const VtermMachine&) = delete;

  /// Printable ASCII; other bytes are left out.
  void print(std::string_view ascii);
  /// Prints a stand-in of 1 or 2 columns for any other glyph: the canvas is told of it as of any glyph.
  void print_stand_in(int width);
  /// HT, LF, SO ...: 08 to 0F; others are left out.
  void control(char c);
  /// ESC, perhaps an intermediate byte, and a final one. Introducers and RIS are left out.
  void escape(char intermediate, char final);
  /// Parameters below 0 are left empty. REP, queries and SGR are left out.
  void csi(char final, std::initializer_list<int> params, char leader = 0, char intermediate = 0);

  int row() const;
  int column() const;

 private:
  struct Callbacks;
  struct Free {
    void operator()(VTerm* vterm) const;
  };
  void write(std::string_view bytes);

  Size size_;
  VtermCanvas& canvas_;
  std::unique_ptr<VTerm, Free> vterm_;
  VTermState* state_ = nullptr;
};

}  // namespace ptyd
