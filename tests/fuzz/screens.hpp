// Parts that the targets that draw screens share: how their input is read, and what is true of every Screen.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pty/screen/screen.hpp"
#include "pty/text/utf8.hpp"
#include "tests/fuzz/check.hpp"

namespace ptyd::fuzz {

/// The first two bytes are a size, the rest is output. FE and two bytes in it are a change of size.
struct Input {
  Input(const std::uint8_t* data, std::size_t size) {
    if (size < 2) return;
    start = size_of(data[0], data[1]);
    output = {reinterpret_cast<const char*>(data) + 2, size - 2};
  }
  static Size size_of(std::uint8_t columns, std::uint8_t rows) {
    // 1 and 2 columns are where wide glyphs do not fit; most of the edges are met on small screens.
    return {static_cast<std::uint16_t>(columns % 40 + 1), static_cast<std::uint16_t>(rows % 16 + 1)};
  }

  Size start;
  std::string_view output;
};

/// Calls `on_bytes` for what stands between changes of size, and `on_resize` for these.
template <class OnBytes, class OnResize>
void play(std::string_view output, OnBytes on_bytes, OnResize on_resize) {
  while (!output.empty()) {
    const std::size_t end = std::min(output.find('\xFE'), output.size());
    if (end > 0) on_bytes(output.substr(0, end));
    output.remove_prefix(end);
    if (output.size() < 3) return;
    on_resize(Input::size_of(static_cast<std::uint8_t>(output[1]), static_cast<std::uint8_t>(output[2])));
    output.remove_prefix(3);
  }
}

inline void check_line(const Line& line, const Grid& grid) {
  PTYD_CLAIM(line.cells.size() <= grid.size().cols);
  std::string text;
  for (std::size_t column = 0; column < line.cells.size(); ++column) {
    const Cell& cell = line.cells[column];
    grid.pen(cell.pen);
    grid.append_text(cell, text);
    if (cell.width == 2) {
      PTYD_CLAIM(column + 1 < line.cells.size());
      PTYD_CLAIM(line.cells[column + 1].width == 0);
      PTYD_CLAIM(line.cells[column + 1].pen == cell.pen);
    } else if (cell.width == 0) {
      PTYD_CLAIM(column > 0 && line.cells[column - 1].width == 2);
    } else {
      PTYD_CLAIM(cell.width == 1);
    }
  }
  PTYD_CLAIM(utf8::valid(text));
}

inline void check_place(const Caret& caret, Size size) {
  PTYD_CLAIM(caret.row >= 0 && caret.row < size.rows);
  PTYD_CLAIM(caret.column >= 0 && caret.column < size.cols);
}

/// `max_lines` are logical ones.
inline void check_scrollback(const Grid& grid, std::size_t max_lines) {
  std::vector<Cell> space;
  std::size_t lines = 0;
  bool goes_on = false;
  for (std::size_t index = 0; index < grid.scrollback(); ++index) {
    const Line line = grid.scrollback_line(index, space);
    for (const Cell& cell : line.cells) grid.pen(cell.pen);
    if (!goes_on) ++lines;
    goes_on = line.wrapped;
  }
  PTYD_CLAIM(lines <= max_lines && lines <= grid.scrolled_out());
  PTYD_CLAIM(grid.scrollback() == grid.scrollback(lines));
}

/// Nothing that is drawn later may find the state broken.
inline void check(const Grid& grid, const TerminalState& state, std::size_t max_scrollback) {
  const Size size = grid.size();
  PTYD_CLAIM(size.cols >= Grid::kMinColumns && size.rows >= Grid::kMinRows);
  check_place(state.caret, size);
  PTYD_CLAIM(state.top >= 0 && state.top <= state.bottom && state.bottom < size.rows);
  PTYD_CLAIM(state.left >= 0 && state.left <= state.right && state.right < size.cols);
  PTYD_CLAIM(state.horizontal_margins || (state.left == 0 && state.right == size.cols - 1));
  PTYD_CLAIM(state.tabs.size() == size.cols);
  for (const Buffer buffer : {Buffer::primary, Buffer::alternate})
    for (int row = 0; row < size.rows; ++row) check_line(grid.line(buffer, row), grid);
  check_scrollback(grid, max_scrollback);
}

/// A Screen with its Scanner, checked as it goes.
class Checked final : private TokenSink {
 public:
  /// Few lines, so that they are soon full.
  static constexpr std::size_t kScrollback = 20;

  Checked(Size size, EmulatorKind kind) : screen({.size = size, .scrollback = kScrollback, .emulator = kind}) {}

  void feed(std::string_view bytes) {
    rest_ += bytes;
    rest_.erase(0, scanner_.scan(rest_, *this));
    check(screen.grid(), screen.state(), kScrollback);
  }
  void resize(Size size) {
    screen.resize(size);
    check(screen.grid(), screen.state(), kScrollback);
  }

  Screen screen;

 private:
  void on_token(const Token& token) override { screen.feed(token); }

  Scanner scanner_;
  std::string rest_;
};

}  // namespace ptyd::fuzz
