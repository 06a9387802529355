// StateWriter: the bytes that recreate everything but cells: carets, margins, tabs, charsets, modes, titles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "pty/screen/screen.hpp"
#include "pty/screen/serialize/line_writer.hpp"

namespace ptyd {

/// Text that makes the charsets of a fresh terminal into these.
std::string charset_text(const Charsets& charsets);

/// Reader of the text.
enum class Reader : std::uint8_t {
  screen,    ///< a fresh Screen, which becomes this one
  newcomer,  ///< a viewer's fresh terminal
  behind,    ///< a viewer's terminal, which may have anything switched on and is told of everything
};

/// Writes for a terminal without margins, with default charsets and autowrap on.
class StateWriter {
 public:
  StateWriter(const Screen& screen, std::string& text, Reader reader)
      : screen_(screen), lines_(screen.grid(), text), text_(text), reader_(reader) {}

  /// Before everything else.
  void columns();
  /// In an empty row.
  void tabs();
  // Written while `buffer` is shown:
  /// `lines_save`: DECSC is used by the lines that are drawn there.
  void saved_caret(Buffer buffer, bool lines_save);
  /// Writes the saved caret where saves_before_lines(): on an empty screen, with the caret at home.
  void saved_caret_before_lines(Buffer buffer);
  bool saves_before_lines(Buffer buffer, bool lines_save) const;
  void keyboard(Buffer buffer);

  // On the active buffer, in this order, after all cells:
  void strings();
  void titles();
  void margins();
  /// `is_placed`: the caret stands at its place already.
  void caret(bool is_placed);
  void modes();
  /// For viewers, last of all: prints the glyph left of the caret once more, where that changes nothing. Emulators such
  /// as xterm.js join a code point to a glyph, or repeat it (REP), only while nothing came in between. `is_placed`: the
  /// glyph was left out of its row, so that the caret stands at its column.
  void print_again(bool is_placed);
  /// Whether the last glyph of a text that ends at the caret may be left to print_again(). So no reader that throws
  /// sequences away finds it twice.
  bool takes_last_glyph() const;

 private:
  /// Places the caret. CUP and rectangles count from the corner of `within`; a caret outside comes to its edge.
  void place(const Caret& caret, Buffer buffer, const Area& within);
  Area everywhere() const;
  std::optional<Place> scratch_place(Buffer buffer, const Area& within, int columns) const;
  void place_by_copying(const std::string& to_begin, Place glyph, Place scratch, int columns);
  void begin_saving(const SavedCaret& saved, bool at_margin);
  void save_here(const SavedCaret& saved);
  void end_saving(const SavedCaret& saved);
  bool fresh() const { return reader_ != Reader::behind; }
  void forget_strings();
  std::optional<std::size_t> column_left_of_caret() const;
  bool prints_as_it_is(const Line& line, std::size_t column) const;
  void shift_once(const Charsets& charsets);
  void tell(const char* osc, const std::string& text);

  const Screen& screen_;
  LineWriter lines_;
  std::string& text_;
  Reader reader_;
};

}  // namespace ptyd
