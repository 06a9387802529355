// StateWriter: what is not cells as the bytes that bring it about: carets, margins, tabs, charsets, modes, titles.
#pragma once

#include <optional>
#include <string>

#include "pty/screen/screen.hpp"
#include "pty/screen/told/line_writer.hpp"

namespace ptyd {

/// Makes charsets of a fresh terminal into these.
std::string charset_text(const Charsets& charsets);

/// Writes for a terminal without margins, with default charsets and autowrap on; of everything else it is told whether
/// the terminal is `fresh`, or may have anything switched on and is told of everything.
class StateWriter {
 public:
  StateWriter(const Screen& screen, LineWriter& lines, std::string& text, bool fresh)
      : screen_(screen), lines_(lines), text_(text), fresh_(fresh) {}

  /// Before everything else.
  void columns();
  /// In an empty row.
  void tabs();
  // On the buffer that it is about:
  void saved_caret(Buffer buffer);
  void keyboard(Buffer buffer);

  // On the active buffer, in this order, after all cells:
  void strings();
  void titles();
  void margins();
  /// `is_placed`: it stands where it has to already.
  void caret(bool is_placed);
  void modes();

 private:
  /// Of `within`, which CUP and rectangles count from, all places are free to use.
  void place(const Caret& caret, Buffer buffer, const Area& within);
  Area everywhere() const;
  std::optional<Place> scratch_place(Buffer buffer, const Area& within, int columns) const;
  void place_by_copying(const std::string& to_begin, Place glyph, Place scratch, int columns);
  bool waits_at_margin(const Caret& caret, Buffer buffer) const;
  void forget_strings();
  void shift_once(const Charsets& charsets);
  void tell(const char* osc, const std::string& text);

  const Screen& screen_;
  LineWriter& lines_;
  std::string& text_;
  bool fresh_;
};

}  // namespace ptyd
