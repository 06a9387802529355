// Output of programs and changes of size: whatever comes, the Screen stays one.
#include "tests/fuzz/screens.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ptyd::fuzz::Input input(data, size);
  ptyd::fuzz::Checked drawn(input.start, ptyd::EmulatorKind::native);
  ptyd::fuzz::play(
      input.output, [&](std::string_view bytes) { drawn.feed(bytes); }, [&](ptyd::Size to) { drawn.resize(to); });
  return 0;
}
