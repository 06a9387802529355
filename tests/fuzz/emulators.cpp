// Output of programs through both emulators: nothing of it hurts libvterm, and both keep the screen whole. That they
// agree is what unit tests show.
#include "tests/fuzz/screens.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ptyd::fuzz::Input input(data, size);
  ptyd::fuzz::Checked native(input.start, ptyd::EmulatorKind::native), vterm(input.start, ptyd::EmulatorKind::vterm);
  ptyd::fuzz::play(
      input.output,
      [&](std::string_view bytes) {
        native.feed(bytes);
        vterm.feed(bytes);
      },
      [&](ptyd::Size to) {
        native.resize(to);
        vterm.resize(to);
      });
  PTYD_CLAIM(native.screen.grid().size() == vterm.screen.grid().size());
  return 0;
}
