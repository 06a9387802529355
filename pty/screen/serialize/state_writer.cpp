#include "pty/screen/serialize/state_writer.hpp"

#include <algorithm>
#include <array>

#include "pty/screen/mode_rows.hpp"

namespace ptyd {
namespace {

std::string pair(int first, int second) {
  return std::to_string(first) + ";" + std::to_string(second);
}

/// Charsets of a fresh terminal: all ASCII, G0 to the left, G2 to the right.
constexpr const char* kDefaultCharsets = "\x1b(B\x1b)B\x1b*B\x1b+B\x0f\x1b}";

/// A path as a URL has it.
std::string url_path(const std::string& path) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "/-_.~+@,:=";
  std::string url;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
    if (letter || kPlain.find(c) != kPlain.npos) {
      url += c;
    } else {
      url += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
  return url;
}

/// Draws nothing, and ends a single shift all the same.
constexpr const char* kByteOrderMark = "\xEF\xBB\xBF";

constexpr int kTabWidth = 8;
constexpr int kSynchronized = 2026;

bool has_double_line(const Grid& grid, Buffer buffer) {
  for (int row = 0; row < grid.size().rows; ++row)
    if (grid.line(buffer, row).size != LineSize::single) return true;
  return false;
}

/// The last column of a double line.
int half_column(const Grid& grid) {
  return grid.size().cols / 2 - 1;
}

/// A wrap that was pending where rows do not end now: at a margin, or at the end of a double line that has gone.
bool waits_inside(const Grid& grid, const Caret& caret, Buffer buffer) {
  const bool is_double = grid.line(buffer, caret.row).size != LineSize::single;
  return caret.pending_wrap && caret.column != grid.size().cols - 1 &&
         !(is_double && caret.column == half_column(grid));
}

}  // namespace

std::string charset_text(const Charsets& charsets) {
  std::string text;
  constexpr std::string_view kDesignators = "()*+";
  constexpr std::array kLeft{"\x0f", "\x0e", "\x1bn", "\x1bo"};
  constexpr std::array kRight{"", "\x1b~", "\x1b}", "\x1b|"};
  for (std::size_t i = 0; i < kDesignators.size(); ++i) {
    if (charsets.designated[i] != 'B') text += {'\x1b', kDesignators[i], charsets.designated[i]};
  }
  if (charsets.left != 0) text += kLeft[charsets.left & 3];
  if (charsets.right != 2) text += kRight[charsets.right & 3];
  return text;
}

void StateWriter::tell(const char* osc, const std::string& text) {
  text_ += "\x1b]";
  text_ += osc;
  text_ += text + "\x1b\\";
}

void StateWriter::place(const Caret& wanted, Buffer buffer, const Area& within) {
  const int top = within.top, left = within.left;
  const Caret caret{std::clamp(wanted.row, top, within.bottom - 1), std::clamp(wanted.column, left, within.right - 1),
                    wanted.pending_wrap};
  const Line line = screen_.grid().line(buffer, caret.row);
  const auto at = [&](int column) {
    return static_cast<std::size_t>(column) < line.cells.size() ? line.cells[static_cast<std::size_t>(column)] : Cell{};
  };
  const int row = caret.row - top + 1, column = caret.column - left + 1;
  const bool wide = caret.pending_wrap && caret.column > 0 && at(caret.column).width == 0;
  const int begin = caret.column - (wide ? 1 : 0);
  const auto to_begin = "\x1b[" + pair(row, begin - left + 1) + "H";
  const bool joins = static_cast<std::size_t>(begin) < line.cells.size() && caret.pending_wrap &&
                     lines_.joins_its_neighbour(line.cells, static_cast<std::size_t>(begin));
  const auto scratch = joins ? scratch_place(buffer, within, wide ? 2 : 1) : std::nullopt;
  if (scratch) return place_by_copying(to_begin, {row, begin - left + 1}, *scratch, wide ? 2 : 1);
  text_ += to_begin;
  if (caret.pending_wrap) lines_.wait_behind(at(begin), row, column);
}

/// A place where blanks are, counted from 1 and from the corner of `within`.
std::optional<Place> StateWriter::scratch_place(Buffer buffer, const Area& within, int columns) const {
  const auto blank = [](const Line& line, int column) {
    const auto at = static_cast<std::size_t>(column);
    return at >= line.cells.size() || line.cells[at] == Cell{};
  };
  for (int row = within.top; row < within.bottom; ++row) {
    const Line line = screen_.grid().line(buffer, row);
    if (line.size != LineSize::single) continue;
    for (int column = within.left; column + columns <= within.right; ++column) {
      const bool free = blank(line, column) && blank(line, column + columns - 1);
      if (free) return Place{row - within.top + 1, column - within.left + 1};
    }
  }
  return std::nullopt;
}

/// All places of the screen.
Area StateWriter::everywhere() const {
  const Size size = screen_.grid().size();
  return {0, 0, size.rows, size.cols};
}

/// The glyph stays what it is when it is copied away, overwritten by spaces and copied back: that moves no caret.
void StateWriter::place_by_copying(const std::string& to_begin, Place glyph, Place scratch, int columns) {
  const auto area = [columns](const Place& place) {
    return pair(place.row, place.column) + ";" + pair(place.row, place.column + columns - 1);
  };
  text_ += "\x1b[" + area(glyph) + ";1;" + pair(scratch.row, scratch.column) + "$v" + to_begin;
  text_.append(static_cast<std::size_t>(columns), ' ');
  text_ += "\x1b[" + area(scratch) + ";1;" + pair(glyph.row, glyph.column) + "$v\x1b[" + area(scratch) + "$z";
}

void StateWriter::shift_once(const Charsets& charsets) {
  if (charsets.single_shift != 0) text_ += charsets.single_shift == 2 ? "\x1bN" : "\x1bO";
}

/// Colours and kept titles, which cannot be replaced one by one.
void StateWriter::forget_strings() {
  text_ += "\x1b]104\x1b\\\x1b]105\x1b\\";
  for (int number = Palette::kFirstDynamic; number <= Palette::kLastDynamic; ++number) {
    text_ += "\x1b]" + std::to_string(100 + number) + "\x1b\\";
  }
  for (std::size_t i = 0; i < Modes::kMaxKeptTitles; ++i) text_ += "\x1b[23t";
}

/// DECCOLM, which erases, and what allows it. A viewer that is behind keeps its DECCOLM: it means nothing here, and
/// where a terminal obeys it, its window would change its size.
void StateWriter::columns() {
  const TerminalState& state = screen_.state();
  if (state.columns_132) text_ += "\x1b[?40h\x1b[?3h";
  if (state.column_switch) {
    text_ += "\x1b[?40h";
  } else if (state.columns_132 || !fresh()) {
    text_ += "\x1b[?40l";
  }
}

/// Only a margin or a double line makes a wrap pending inside a row. A margin would make double lines single, and a
/// double line would erase cells, so this comes before the lines. No margin is narrower than two columns.
bool StateWriter::saves_before_lines(Buffer buffer, bool lines_save) const {
  const auto& saved = screen_.state().saved[static_cast<std::size_t>(buffer)];
  const Grid& grid = screen_.grid();
  if (!saved || lines_save || !waits_inside(grid, saved->caret, buffer)) return false;
  return saved->caret.column == 0 ? half_column(grid) == 0 : has_double_line(grid, buffer);
}

void StateWriter::saved_caret_before_lines(Buffer buffer) {
  const SavedCaret& saved = *screen_.state().saved[static_cast<std::size_t>(buffer)];
  const auto there = "\x1b[" + pair(saved.caret.row + 1, saved.caret.column + 1) + "H";
  const bool at_margin = saved.caret.column != 0;
  begin_saving(saved, at_margin);
  text_ += there;
  if (!at_margin) lines_.resize(LineSize::double_width);
  text_ += ' ';
  save_here(saved);
  if (at_margin) text_ += "\x1b[?69l";
  end_saving(saved);
  text_ += there;
  if (!at_margin) lines_.resize(LineSize::single);
  text_ += "\x1b[X\x1b[H";
}

void StateWriter::begin_saving(const SavedCaret& saved, bool at_margin) {
  if (saved.origin) text_ += "\x1b[?6h";
  if (at_margin) text_ += "\x1b[?69h\x1b[" + pair(1, saved.caret.column + 1) + "s";
}

void StateWriter::save_here(const SavedCaret& saved) {
  text_ += charset_text(saved.charsets);
  lines_.look(saved.pen, saved.guarded);
  shift_once(saved.charsets);
  text_ += "\x1b\x37";
}

/// Undoes all but the position of the caret.
void StateWriter::end_saving(const SavedCaret& saved) {
  lines_.plain_look();
  if (!(saved.charsets == Charsets{})) text_ += kDefaultCharsets;
  if (saved.charsets.single_shift != 0) text_ += kByteOrderMark;
  if (saved.origin) text_ += "\x1b[?6l";
}

void StateWriter::saved_caret(Buffer buffer, bool lines_save) {
  const auto& known = screen_.state().saved[static_cast<std::size_t>(buffer)];
  if ((!known && fresh() && !lines_save) || saves_before_lines(buffer, lines_save)) return;
  const SavedCaret saved = known.value_or(SavedCaret{});
  const Grid& grid = screen_.grid();
  const LineSize size = grid.line(buffer, saved.caret.row).size;
  // In the half that a double line does not have: it was single when the caret was saved.
  const bool beyond = size != LineSize::single && saved.caret.column > half_column(grid);
  if (beyond) text_ += "\x1b[" + std::to_string(saved.caret.row + 1) + "H\x1b#5";
  const bool at_margin =
      saved.caret.column != 0 && waits_inside(grid, saved.caret, buffer) && !has_double_line(grid, buffer);
  begin_saving(saved, at_margin);
  place(saved.caret, buffer, everywhere());
  save_here(saved);
  if (at_margin) text_ += "\x1b[?69l";
  if (beyond) lines_.resize(size);
  end_saving(saved);
}

void StateWriter::keyboard(Buffer buffer) {
  if (!fresh()) text_ += "\x1b[<" + std::to_string(Modes::kMaxKeyboardStack) + "u";
  for (const int flags : screen_.modes().keyboard_stack(buffer)) {
    text_ += "\x1b[>" + std::to_string(flags) + "u";
  }
}

void StateWriter::strings() {
  const Modes& modes = screen_.modes();
  if (!fresh()) forget_strings();
  text_ += modes.palette().text();
  titles();
  if (!modes.cwd().empty()) tell("7;file://", url_path(modes.cwd()));
  const Progress progress = screen_.progress();
  if (!fresh() || progress.state != 0) tell("9;4;", pair(progress.state, progress.percent));
}

/// Writes titles that CSI 22 t has kept, then the present ones.
void StateWriter::titles() {
  const auto& [window, icon] = screen_.modes().titles();
  const Modes::KeptTitles& kept = screen_.modes().kept_titles();
  for (const std::string& title : kept.icon) {
    tell("1;", title);
    text_ += "\x1b[22;1t";
  }
  for (const std::string& title : kept.window) {
    tell("2;", title);
    text_ += "\x1b[22;2t";
  }
  if (!fresh() || !kept.icon.empty() || !icon.empty()) tell("1;", icon);
  if (!fresh() || !kept.window.empty() || !window.empty()) tell("2;", window);
}

void StateWriter::tabs() {
  const std::vector<bool>& tabs = screen_.state().tabs;
  bool usual = true;
  for (std::size_t i = 0; i < tabs.size(); ++i) usual = usual && tabs[i] == (i != 0 && i % kTabWidth == 0);
  if (usual && fresh()) return;
  text_ += "\x1b[3g";
  for (std::size_t i = 0; i < tabs.size(); ++i) {
    if (tabs[i]) text_ += "\x1b[" + std::to_string(i + 1) + "G\x1bH";
  }
  text_ += '\r';
}

void StateWriter::margins() {
  const TerminalState& state = screen_.state();
  const Size size = screen_.grid().size();
  if (state.top != 0 || state.bottom != size.rows - 1) text_ += "\x1b[" + pair(state.top + 1, state.bottom + 1) + "r";
  if (!state.horizontal_margins) return;
  // DECLRMM makes the double lines of the shown buffer single, so the other buffer is shown meanwhile.
  const bool shows_primary = screen_.grid().active() == Buffer::primary;
  const bool is_aside = has_double_line(screen_.grid(), screen_.grid().active());
  if (is_aside) text_ += shows_primary ? "\x1b[?47h" : "\x1b[?47l";
  text_ += "\x1b[?69h";
  if (state.left != 0 || state.right != size.cols - 1) text_ += "\x1b[" + pair(state.left + 1, state.right + 1) + "s";
  if (is_aside) text_ += shows_primary ? "\x1b[?47l" : "\x1b[?47h";
}

void StateWriter::caret(bool is_placed) {
  const TerminalState& state = screen_.state();
  const Buffer buffer = screen_.grid().active();
  if (state.origin) text_ += "\x1b[?6h";
  const Area margins{state.top, state.left, state.bottom + 1, state.right + 1};
  if (!is_placed) place(state.caret, buffer, state.origin ? margins : everywhere());
  text_ += charset_text(state.charsets);
  lines_.look(state.pen, state.guarded);
}

void StateWriter::modes() {
  const Modes& modes = screen_.modes();
  // A viewer must not wait for the end of an update that it has not seen begin.
  const auto is_told = [&](const ModeRow& row) {
    return !row.apart && (row.number != kSynchronized || reader_ == Reader::screen);
  };
  const auto on = [&](const ModeRow& row) { return screen_.mode(row); };
  // Modes that are off come first: of a group one would switch off what is on.
  for (const ModeRow& row : mode_rows()) {
    if (is_told(row) && !on(row) && (row.initially || (!fresh() && !row.silent))) text_ += switch_text(row, false);
  }
  for (const ModeRow& row : mode_rows()) {
    if (is_told(row) && on(row) && (!row.initially || !fresh())) text_ += switch_text(row, true);
  }
  if (!fresh() || modes.other_keys() != 0) text_ += "\x1b[>4;" + std::to_string(modes.other_keys()) + "m";
  if (modes.checksum_flags() != 0) text_ += "\x1b[" + std::to_string(modes.checksum_flags()) + "#y";
  if (!fresh() || modes.caret_style() != 0) text_ += "\x1b[" + std::to_string(modes.caret_style()) + " q";
  if (!fresh()) text_ += "\x1b[?2026l";
  // Comes behind all modes, as it affects the next glyph.
  shift_once(screen_.state().charsets);
}

/// Whether the glyph at `column` of the caret's row, printed there now, changes nothing.
bool StateWriter::prints_as_it_is(const Line& line, std::size_t column) const {
  const TerminalState& state = screen_.state();
  const Cell& cell = line.cells[column];
  const bool is_mapped = cell.glyph < 0x80 && !(state.charsets == Charsets{});
  if (cell.glyph == 0 || is_mapped || state.charsets.single_shift != 0 || state.insert) return false;
  const bool looks_so = screen_.grid().pen(cell.pen) == state.pen && (cell.guarded != 0) == state.guarded;
  return looks_so && !lines_.is_squeezed(cell) && !lines_.joins_its_neighbour(line.cells, column);
}

/// The column of the glyph left of the caret, where printing it once more changes nothing.
std::optional<std::size_t> StateWriter::column_left_of_caret() const {
  const TerminalState& state = screen_.state();
  const Caret& caret = state.caret;
  const Line line = screen_.grid().line(screen_.grid().active(), caret.row);
  const auto end = static_cast<std::size_t>(caret.column + (caret.pending_wrap ? 1 : 0));
  const bool waits_at_the_edge = !caret.pending_wrap || end == screen_.grid().size().cols;
  const bool is_plain = line.size == LineSize::single && !state.horizontal_margins && waits_at_the_edge;
  if (reader_ == Reader::screen || !is_plain || end == 0 || end > line.cells.size()) return std::nullopt;
  const auto column = end - (line.cells[end - 1].width == 0 ? 2 : 1);
  const bool ends_here = column + line.cells[column].width == end;
  return ends_here && prints_as_it_is(line, column) ? std::optional(column) : std::nullopt;
}

bool StateWriter::takes_last_glyph() const {
  const TerminalState& state = screen_.state();
  return state.pen == Pen{} && !state.guarded && column_left_of_caret();
}

void StateWriter::print_again(bool is_placed) {
  const auto column = column_left_of_caret();
  if (!column) return;
  const TerminalState& state = screen_.state();
  const int row = state.caret.row - (state.origin ? state.top : 0) + 1;
  if (!is_placed) text_ += "\x1b[" + pair(row, static_cast<int>(*column) + 1) + "H";
  lines_.write_glyph(screen_.grid().line(screen_.grid().active(), state.caret.row).cells[*column]);
}

}  // namespace ptyd
