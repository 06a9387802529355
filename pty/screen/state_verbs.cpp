#include "pty/screen/state_verbs.hpp"

#include <utility>

#include "pty/screen/mode_rows.hpp"
#include "pty/text/sequence.hpp"

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
  for (const ModeRow& row : mode_rows())
    if (row.flag != nullptr) state.*row.flag = row.initially;
  whole_margins(state, size);
  state.tabs.resize(size.cols);
  for (std::size_t column = 8; column < state.tabs.size(); column += 8) state.tabs[column] = true;
  return state;
}

void softly_reset(TerminalState& state, Size size) {
  TerminalState fresh = fresh_state(size);
  for (const ModeRow& row : mode_rows())
    if (row.flag != nullptr && !row.soft) fresh.*row.flag = state.*row.flag;
  fresh.caret = state.caret;
  fresh.tabs = std::move(state.tabs);
  fresh.pen.link = state.pen.link;
  state = std::move(fresh);
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
  // A caret saved at home stays at home, like one that was never saved.
  const auto moves = [&state](std::size_t i) { return state.saved[i] && state.saved[i]->caret != Caret{}; };
  for (std::size_t i = 0; i < 2; ++i)
    if (moves(i)) places[i].push_back(place_of(state.saved[i]->caret));

  grid.resize(size, places[0], places[1]);
  const Size now = grid.size();
  state.caret = caret_at(places[active].front(), now);
  // On a line that is not single the caret may be on the screen, but behind the last column of the line.
  if (const int last = grid.columns(state.caret.row) - 1; state.caret.column > last)
    state.caret = {state.caret.row, last, true};
  for (std::size_t i = 0; i < 2; ++i)
    if (moves(i)) state.saved[i]->caret = caret_at(places[i].back(), now);
  whole_margins(state, now);
  const std::size_t before = state.tabs.size();
  state.tabs.resize(now.cols);
  for (std::size_t column = (before + 7) / 8 * 8; column < state.tabs.size(); column += 8) state.tabs[column] = true;
}

bool switch_flag(TerminalState& state, const ModeRow& row, bool on) {
  if (row.needs != nullptr && !(state.*row.needs)) return false;
  if (row.flag != nullptr) state.*row.flag = on;
  return true;
}

BufferSwitch buffer_switch(int mode, bool alternate, Buffer shown) {
  BufferSwitch does;
  does.saves_caret = does.erases_after = mode == 1049 && alternate;
  does.restores_caret = mode == 1049 && !alternate;
  does.erases_before = mode == 1047 && !alternate && shown == Buffer::alternate;
  return does;
}

void save_caret(TerminalState& state, Buffer shown) {
  state.saved[static_cast<std::size_t>(shown)] =
      SavedCaret{state.caret, state.pen, state.charsets, state.origin, state.guarded};
}

Caret take_saved(TerminalState& state, Buffer shown) {
  const SavedCaret saved = state.saved[static_cast<std::size_t>(shown)].value_or(SavedCaret{});
  state.pen = saved.pen;
  state.charsets = saved.charsets;
  state.origin = saved.origin;
  state.guarded = saved.guarded;
  return saved.caret;
}

bool designate(Charsets& charsets, char place, char final) {
  if (place < '(' || place > '+') return false;
  charsets.designated[static_cast<std::size_t>(place - '(')] = final == '0' || final == 'A' ? final : 'B';
  return true;
}

void whole_margins(TerminalState& state, Size size) {
  state.top = state.left = 0;
  state.bottom = size.rows - 1;
  state.right = size.cols - 1;
}

bool set_row_margins(TerminalState& state, Size size, int top, int bottom) {
  bottom = bottom <= 0 ? size.rows : std::min<int>(bottom, size.rows);
  top = std::max(top, 1);
  if (top >= bottom && size.rows > 1) return false;
  state.top = std::min(top, bottom) - 1;
  state.bottom = bottom - 1;
  return true;
}

bool set_column_margins(TerminalState& state, Size size, int left, int right) {
  right = right <= 0 ? size.cols : std::min<int>(right, size.cols);
  left = std::max(left, 1);
  if (left >= right) return false;
  state.left = left - 1;
  state.right = right - 1;
  return true;
}

Area origin_area(const TerminalState& state, Size size) {
  if (!state.origin) return {0, 0, size.rows, size.cols};
  return {state.top, state.left, state.bottom + 1, state.right + 1};
}

Place from_origin(const TerminalState& state, int row, int column) {
  if (!state.origin) return {row, column};
  return {std::clamp(row + state.top, state.top, state.bottom),
          std::clamp(column + state.left, state.left, state.right)};
}

Caret caret_at_origin(const TerminalState& state) {
  const Place origin = from_origin(state, 0, 0);
  return {origin.row, origin.column, false};
}

/// Plain reverse wrap only joins what wrapped; the extended one goes up by any row, and from the topmost to the lowest.
std::optional<Place> before_first_column(const TerminalState& state, const Grid& grid) {
  const int row = state.caret.row, first = state.caret.column >= state.left ? state.left : 0;
  if (!state.autowrap) return std::nullopt;
  if (state.extended_reverse_wrap) {
    const bool within = row >= state.top && row <= state.bottom;
    const int top = within ? state.top : 0, bottom = within ? state.bottom : grid.size().rows - 1;
    const int above = row == top ? bottom : row - 1;
    return Place{above, std::min(state.right, grid.columns(above) - 1)};
  }
  if (!state.reverse_wrap || row == 0 || first != 0) return std::nullopt;
  if (!grid.line(grid.active(), row - 1).wrapped) return std::nullopt;
  return Place{row - 1, grid.columns(row - 1) - 1};
}

Area area_of(const Csi& csi, std::size_t first, const Area& within) {
  const auto from = [&](std::size_t index, int start) { return start + std::max(csi.param(first + index, 1), 1) - 1; };
  const auto to = [&](std::size_t index, int start, int end) {
    const int wanted = csi.param(first + index, 0);
    return wanted == 0 ? end : std::min(start + wanted, end);
  };
  return {from(0, within.top), from(1, within.left), to(2, within.top, within.bottom),
          to(3, within.left, within.right)};
}

AreaCopy area_copy(const Csi& csi, const Area& within) {
  const Place to{within.top + std::max(csi.param(5, 1), 1) - 1, within.left + std::max(csi.param(6, 1), 1) - 1};
  Area from = area_of(csi, 0, within);
  from.bottom = std::min(from.bottom, from.top + within.bottom - to.row);
  from.right = std::min(from.right, from.left + within.right - to.column);
  return {from, to};
}

void settle_caret(TerminalState& state, const Grid& grid) {
  state.caret.column = std::min(state.caret.column, grid.columns(state.caret.row) - 1);
  if (state.caret.pending_wrap && state.caret.column != last_column(state, grid)) state.caret.pending_wrap = false;
}

std::optional<Area> hole_before_wrap(const TerminalState& state, int last) {
  const int first = state.caret.column >= state.left ? state.left : 0;
  if (!state.autowrap || last <= first) return std::nullopt;
  return Area{state.caret.row, state.caret.column, state.caret.row + 1, last + 1};
}

}  // namespace ptyd
