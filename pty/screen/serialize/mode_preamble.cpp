#include <algorithm>

#include "pty/screen/mode_rows.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "pty/screen/serialize/state_writer.hpp"
#include "pty/text/sequence.hpp"

namespace ptyd {
namespace {

bool is_screen_switch(const Csi& csi) {
  const auto is_screen = [](int number) {
    const ModeRow* const row = mode_row(number, false);
    return row != nullptr && row->home == ModeRow::Home::buffer;
  };
  return (csi.is('?', "", 'h') || csi.is('?', "", 'l')) &&
         std::any_of(csi.params.begin(), csi.params.begin() + static_cast<std::ptrdiff_t>(csi.count), is_screen);
}

/// Whether a text enters or leaves the alternate screen.
class FindsSwitch final : public TokenSink {
 public:
  void on_token(const Token& token) override {
    if (found || token.kind != TokenKind::csi || (token.bytes.back() | 4) != 'l') return;
    const auto csi = parse_csi(token);
    found = csi && is_screen_switch(*csi);
  }
  bool found = false;
};

bool switches_screen(std::string_view text) {
  FindsSwitch finder;
  Scanner().scan(text, finder);
  return finder.found;
}

}  // namespace

std::string mode_preamble(const Screen& screen, std::string_view replayed) {
  const Modes& modes = screen.modes();
  std::string text;
  const auto keyboard = [&](Buffer buffer) {
    const int flags = modes.keyboard_flags(buffer);
    if (flags != 0) text += "\x1b[=" + std::to_string(flags) + ";1u";
  };
  for (const ModeRow& row : mode_rows()) {
    const bool on = screen.mode(row);
    if (!row.silent && on != row.initially) text += switch_text(row, on);
  }
  keyboard(Buffer::primary);
  if (screen.grid().active() == Buffer::alternate) {
    if (!switches_screen(replayed)) text += "\x1b[?1049h";
    keyboard(Buffer::alternate);
  }
  if (modes.other_keys() != 0) text += "\x1b[>4;" + std::to_string(modes.other_keys()) + "m";
  if (modes.caret_style() != 0) text += "\x1b[" + std::to_string(modes.caret_style()) + " q";
  return text + charset_text(screen.state().charsets);
}

}  // namespace ptyd
