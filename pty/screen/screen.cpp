#include "pty/screen/screen.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "pty/screen/native/native.hpp"
#include "pty/screen/vterm/vterm.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {
namespace {

constexpr std::string_view kFullReset = "\033c";

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
    : grid_(options.size, std::min(options.scrollback, kMaxScrollback)), emulator_(make_of(options)(grid_)) {}

void Screen::feed(const Token& token) {
  emulator_->feed(token);
  if (token.kind == TokenKind::text) return;
  modes_.feed(token, grid_.active());
  if (token.kind == TokenKind::osc) return feed_progress(token);
  const bool full_reset = token.kind == TokenKind::escape && token.bytes == kFullReset;
  if (full_reset) progress_ = {};
}

/// OSC 9;4;state;percent. Failed and paused ones keep the percentage when they tell none.
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
