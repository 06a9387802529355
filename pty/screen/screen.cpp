#include "pty/screen/screen.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "pty/screen/native/native.hpp"
#include "pty/screen/vterm/vterm.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {
namespace {

constexpr Escape kFullReset{0, 'c'};

/// The number before the next semicolon, which is taken; `otherwise` for none.
int take_number(std::string_view& text, int otherwise) {
  const std::string_view one = text.substr(0, text.find(';'));
  text.remove_prefix(std::min(one.size() + 1, text.size()));
  int value = 0;
  const auto [end, error] = std::from_chars(one.data(), one.data() + one.size(), value);
  return error == std::errc() && end == one.data() + one.size() ? value : otherwise;
}

MakeEmulator make_of(const Screen::Options& options) {
  if (options.make) return options.make;
  return options.emulator == EmulatorKind::native ? make_native_emulator : make_vterm_emulator;
}

}  // namespace

Screen::Screen(const Options& options)
    : grid_(options.size, options.scrollback, options.scrollback_cells), emulator_(make_of(options)(grid_)) {}

void Screen::feed(const Token& token) {
  emulator_->feed(token);
  if (token.kind == TokenKind::text) return;
  modes_.feed(token, grid_.active());
  if (token.kind == TokenKind::osc) return feed_progress(token);
  if (token.kind == TokenKind::csi) return feed_kept_modes(token);
  if (parse_escape(token) != kFullReset) return;
  progress_ = {};
  kept_modes_ = {};
}

/// XTSAVE and XTRESTORE.
void Screen::feed_kept_modes(const Token& token) {
  // Colours and caret moves are nearly all there is: look no closer at them.
  const char final = token.bytes.back();
  if (final != 's' && final != 'r') return;
  const auto csi = parse_csi(token);
  if (!csi || csi->leader != '?' || !csi->intermediates.empty()) return;
  for (std::size_t i = 0; i < csi->count; ++i) {
    const ModeRow* const row = mode_row(csi->params[i], false);
    if (row != nullptr && final == 's') keep_mode(*row);
    if (row != nullptr && final == 'r') bring_back_mode(*row);
  }
}

/// XTSAVE of one mode. For ?1048 it saves the caret, as xterm does.
void Screen::keep_mode(const ModeRow& row) {
  if (row.home == ModeRow::Home::saved_caret) return switch_mode(row, true);
  kept_modes_[index_of(row)] = mode(row);
}

/// XTRESTORE of one mode, as if the program switched it. A mode that was never saved stays as it is.
void Screen::bring_back_mode(const ModeRow& row) {
  if (row.home == ModeRow::Home::saved_caret) return switch_mode(row, false);
  const std::optional<bool> kept = kept_modes_[index_of(row)];
  // Switching off one of a group would switch off another, which may just have been brought back.
  const bool is_there = row.group != ModeRow::kAlone && kept == mode(row);
  if (kept && !is_there) switch_mode(row, *kept);
}

void Screen::switch_mode(const ModeRow& row, bool on) {
  const std::string text = switch_text(row, on);
  Token token;
  token.kind = TokenKind::csi;
  token.bytes = text;
  feed(token);
}

/// OSC 9;4;state;percent. The states failed and paused keep the percentage when they have none.
void Screen::feed_progress(const Token& token) {
  auto payload = string_payload(token);
  if (!payload || !payload->starts_with("9;4;")) return;
  payload->remove_prefix(4);
  const int state = take_number(*payload, -1);
  if (state < 0 || state > 4) return;
  const bool keeps = state == 2 || state == 4;
  const int percent = take_number(*payload, keeps ? progress_.percent : 0);
  const bool measured = state == 1 || keeps;
  progress_ = {state, measured ? std::clamp(percent, 0, 100) : 0};
}

void Screen::resize(Size size) {
  emulator_->resize(size);
}

void Screen::clear() {
  emulator_->clear();
}

void Screen::reset() {
  emulator_->reset();
  modes_ = Modes();
  progress_ = {};
  kept_modes_ = {};
}

bool Screen::only_scrolls() const {
  const auto& now = state();
  const int last = grid_.size().rows - 1;
  const auto lowest = grid_.line(Buffer::primary, last);
  const bool is_blank =
      lowest.cells.empty() && lowest.size == LineSize::single && !grid_.line(Buffer::primary, last - 1).wrapped;
  const bool goes_back = now.reverse_wrap || now.extended_reverse_wrap || now.charsets.single_shift != 0;
  return last > 0 && is_blank && !goes_back && grid_.active() == Buffer::primary &&
         now.caret == Caret{last, 0, false} && !now.horizontal_margins && now.top == 0 && now.bottom == last;
}

std::optional<bool> Screen::mode(int number, bool ansi) const {
  const ModeRow* const row = mode_row(number, ansi);
  return row == nullptr ? std::nullopt : std::optional(mode(*row));
}

bool Screen::mode(const ModeRow& row) const {
  switch (row.home) {
    case ModeRow::Home::modes:
      return modes_.is_set(row.number, row.ansi).value_or(row.initially);
    case ModeRow::Home::state:
      return state().*row.flag;
    case ModeRow::Home::buffer:
      return grid_.active() == Buffer::alternate;
    case ModeRow::Home::saved_caret:
      return state().saved[static_cast<std::size_t>(grid_.active())].has_value();
    case ModeRow::Home::fixed:
      break;
  }
  return row.initially;
}

}  // namespace ptyd
