#include <algorithm>

#include "pty/screen/vterm_emulator.hpp"

namespace ptyd {

/// ED, EL, DECSED, DECSEL.
void VtermEmulator::erase_in(char final, const Csi& csi) {
  const int what = csi.param(0, 0);
  if (final == 'J' && what == 3 && csi.leader == 0) return grid_.clear_scrollback();
  if (what > 2) return;
  bring();
  machine_->csi(final, {what}, csi.leader);
}

/// ICH, DCH: within the horizontal margins, in any row. libvterm does it between the vertical ones only.
void VtermEmulator::across(char final, int count) {
  if (!in_columns()) return;
  const bool outside = !in_margins();
  if (outside) machine_->csi('r', {});
  bring();
  machine_->csi(final, {count});
  if (outside) tell_margins();
}

/// IL, DL.
void VtermEmulator::lines(char final, int count) {
  if (!in_margins()) return;
  bring();
  keeps_ = false;
  machine_->csi(final, {count});
  go_to(state_.caret.row, state_.left);
}

/// SL, SR: everything between the margins, if the caret is among it.
void VtermEmulator::shift(int leftward) {
  const Area area{state_.top, state_.left, state_.bottom + 1, state_.right + 1};
  const int width = area.right - area.left;
  if (in_margins()) scroll(area, 0, std::clamp(leftward, -width, width));
}

/// DECFI, DECBI: like an index, but sideways.
void VtermEmulator::index_columns(int rightward) {
  const int edge = rightward > 0 ? state_.right : state_.left;
  if (state_.caret.column == edge) return shift(rightward);
  move(rightward > 0 ? 'C' : 'D', 1);
}

/// DECALN.
void VtermEmulator::align() {
  whole_margins();
  pen_ = 0;
  drawn_ = 0;
  const char32_t last = last_;
  erase_screen();
  next_column_ = 0;
  machine_->escape('#', '8');
  last_ = last;
  go_to(0, 0);
}

void VtermEmulator::set_line_size(LineSize size) {
  if (state_.horizontal_margins) return;
  double_lines_ = true;
  grid_.set_line_size(state_.caret.row, size);
  const int last = grid_.columns(state_.caret.row) - 1;
  state_.caret.column = std::min(state_.caret.column, last);
}

/// The area that four parameters name, from `first` on, cut to what the origin allows; empty when it is none.
Area VtermEmulator::area_of(const Csi& csi, std::size_t first) const {
  const Size size = grid_.size();
  const int up = state_.origin ? state_.top : 0, left = state_.origin ? state_.left : 0;
  const int low = state_.origin ? state_.bottom + 1 : size.rows, right = state_.origin ? state_.right + 1 : size.cols;
  const auto number = [&](std::size_t index, int otherwise) {
    const int given = csi.param(index, 0);
    return given == 0 ? otherwise : given;
  };
  Area area{up + number(first, 1) - 1, left + number(first + 1, 1) - 1, up + number(first + 2, size.rows),
            left + number(first + 3, size.cols)};
  area.bottom = std::min(area.bottom, low);
  area.right = std::min(area.right, right);
  return area.top < area.bottom && area.left < area.right ? area : Area{};
}

/// DECFRA, DECERA, DECSERA, DECCRA.
void VtermEmulator::rectangle(const Csi& csi) {
  const Area area = area_of(csi, csi.final == 'x' ? 1 : 0);
  const int glyph = csi.param(0, 0);
  if (area == Area{}) return;
  switch (csi.final) {
    case 'x':
      if ((glyph >= 0x20 && glyph < 0x7F) || (glyph >= 0xA0 && glyph < 0x100))
        grid_.fill(area, static_cast<char32_t>(glyph), grid_.pen_id(state_.pen), state_.guarded);
      return;
    case 'z':
      return erase(area, false);
    case '{':
      return erase(area, true);
    default:
      grid_.copy(area, std::max(csi.param(5, 1), 1) - 1 + (state_.origin ? state_.top : 0),
                 std::max(csi.param(6, 1), 1) - 1 + (state_.origin ? state_.left : 0));
  }
}

}  // namespace ptyd
