#include "pty/screen/emulator.hpp"

#include <algorithm>

namespace ptyd {
namespace {

Place place_of(const Caret& caret) {
  return {caret.row, caret.column + (caret.pending_wrap ? 1 : 0)};
}

Caret caret_at(const Place& place, const Size& size) {
  const bool behind = place.column >= size.cols;
  return {std::clamp(place.row, 0, size.rows - 1), behind ? size.cols - 1 : place.column, behind};
}

}  // namespace

TerminalState fresh_state(Size size) {
  TerminalState state;
  state.bottom = size.rows - 1;
  state.right = size.cols - 1;
  state.tabs.resize(size.cols);
  for (std::size_t column = 8; column < state.tabs.size(); column += 8) state.tabs[column] = true;
  return state;
}

Pen background_of(const Pen& pen) {
  Pen erased;
  erased.background = pen.background;
  return erased;
}

std::vector<Pen> kept_pens(const TerminalState& state) {
  std::vector<Pen> kept{state.pen, background_of(state.pen)};
  for (const auto& saved : state.saved)
    if (saved) kept.push_back(saved->pen);
  return kept;
}

void resize_terminal(Grid& grid, TerminalState& state, Size size) {
  std::array<std::vector<Place>, 2> places;
  const auto active = static_cast<std::size_t>(grid.active());
  places[active].push_back(place_of(state.caret));
  // What was saved at home is at home for ever, like what was never saved.
  const auto moves = [&state](std::size_t i) { return state.saved[i] && state.saved[i]->caret != Caret{}; };
  for (std::size_t i = 0; i < 2; ++i)
    if (moves(i)) places[i].push_back(place_of(state.saved[i]->caret));

  grid.resize(size, places[0], places[1]);
  const Size now = grid.size();
  state.caret = caret_at(places[active].front(), now);
  // Behind the last column of a line that is not single it is on the screen, but not on the line.
  if (const int last = grid.columns(state.caret.row) - 1; state.caret.column > last)
    state.caret = {state.caret.row, last, true};
  for (std::size_t i = 0; i < 2; ++i)
    if (moves(i)) state.saved[i]->caret = caret_at(places[i].back(), now);
  state.top = state.left = 0;
  state.bottom = now.rows - 1;
  state.right = now.cols - 1;
  const std::size_t before = state.tabs.size();
  state.tabs.resize(now.cols);
  for (std::size_t column = (before + 7) / 8 * 8; column < state.tabs.size(); column += 8) state.tabs[column] = true;
}

}  // namespace ptyd
