// KeptTabs: tabs that a Screen does not forget.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"

namespace ptyd {

/// Draws output on a Screen whose cells are never shown, with marks where a tab went over places that were never
/// written: private characters as many as the tab is wide, or one without width where the row is full. A tab over
/// written places only moves the caret, as on any terminal. Where a program prints such characters itself, the private
/// ones become U+FFFD, and the one without width is dropped.
///
/// Owns    nothing: the Screen is borrowed and outlives it.
/// Thread  one.
class KeptTabs {
 public:
  explicit KeptTabs(Screen& screen) : screen_(screen) {}

  void feed(const Token& token);

 private:
  void feed_text(std::string_view text);
  void feed_tab();
  void draw(std::string_view text);
  bool is_unwritten(int row, int from, int to) const;

  Screen& screen_;
  std::string space_;
};

/// Appends the text of a line's `cells`, with a tab where all of one is still there and blanks where some is. Where the
/// line `goes_on`, returns those at the end that may be the beginning of a tab.
std::span<const Cell> append_with_tabs(const Grid& grid, std::span<const Cell> cells, bool goes_on, std::string& out);

}  // namespace ptyd
