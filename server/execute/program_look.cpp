#include "server/execute/program_look.hpp"

#include "pty/screen/serialize/snapshot.hpp"
#include "pty/text/utf8.hpp"

namespace ptyd {
namespace {

constexpr int kCursorKeys = 1, kKeypadKeys = 66, kPasteBrackets = 2004;

bool has_mode(const Screen* screen, int mode) {
  return screen != nullptr && screen->mode(mode, false).value_or(false);
}

InputMode input_mode(const LineMode& mode) {
  if (!mode.canonical) return InputMode::raw;
  return mode.echo ? InputMode::line : InputMode::password;
}

ProgramScreen program_screen(const Screen& screen) {
  const auto cells = cells_snapshot(screen, {.scrollback = 0});
  ProgramScreen shown;
  for (const auto& row : cells.screen) {
    auto& text = shown.rows.emplace_back();
    for (const auto& span : row.spans) text += span.text;
    text.erase(text.find_last_not_of(' ') + 1);
  }
  shown.caret = {cells.caret.row, cells.caret.column, cells.caret_visible};
  return shown;
}

}  // namespace

KeyModes ProgramLook::key_modes() const {
  const auto* shown = screen();
  return {has_mode(shown, kCursorKeys), has_mode(shown, kKeypadKeys)};
}

bool ProgramLook::takes_pastes() const {
  return has_mode(screen(), kPasteBrackets);
}

void ProgramLook::tell(Executed& answer) const {
  answer.input_mode = input_mode(line_mode());
  if (const auto front = foreground()) answer.foreground = utf8::repair(front->name);
  const auto* shown = screen();
  answer.alt_screen = shown != nullptr && shown->grid().active() == Buffer::alternate;
  if (answer.alt_screen) answer.screen = program_screen(*shown);
}

}  // namespace ptyd
