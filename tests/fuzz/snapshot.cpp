// A checkpoint and what comes after it make the same Screen as everything did, wherever the stream is cut.
#include "pty/screen/serialize/snapshot.hpp"

#include <cstdio>

#include "tests/fuzz/screens.hpp"
#include "tests/support/pty/screen/screens.hpp"
#include "tests/support/pty/text/literals.hpp"

namespace {

using ptyd::Token;

/// Feeds one Screen; at token `cut` a second one is made from the first one's snapshot, which both get the rest.
class Cut final : public ptyd::TokenSink {
 public:
  Cut(ptyd::Size size, std::size_t cut) : size_(size), all_(options()), rebuilt_(options()), left_(cut) {}

  void on_token(const Token& token) override {
    if (left_ == 0) rebuild();
    if (left_ != kRebuilt) --left_;
    all_.feed(token);
    if (left_ == kRebuilt) rebuilt_.screen.feed(token);
  }
  void compare(const char* when) const {
    if (left_ != kRebuilt) return;
    const std::string found = ptyd::test::difference(all_, rebuilt_.screen);
    if (!found.empty()) {
      std::fprintf(stderr, "%s: %s\n%s%s%s\n", when, found.c_str(), ptyd::test::draw(all_).c_str(),
                   ptyd::test::draw(rebuilt_.screen).c_str(), ptyd::test::escaped(snapshot_).c_str());
    }
    PTYD_CLAIM(found.empty());
  }

 private:
  static constexpr std::size_t kRebuilt = ~std::size_t{0};

  ptyd::Screen::Options options() const { return {.size = size_, .scrollback = ptyd::fuzz::Checked::kScrollback}; }
  void rebuild() {
    left_ = kRebuilt;
    snapshot_ = ptyd::vt_checkpoint(all_, SIZE_MAX).value();
    rebuilt_.feed(snapshot_);
    compare("at the cut");
  }

  ptyd::Size size_;
  ptyd::Screen all_;
  ptyd::test::FedScreen rebuilt_;
  std::size_t left_;
  std::string snapshot_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const ptyd::fuzz::Input input(data + 1, size - 1);
  Cut cut(input.start, data[0]);
  ptyd::Scanner scanner;
  std::string rest;
  // No change of size: what a smaller screen keeps below itself is in no snapshot.
  rest += input.output;
  scanner.scan(rest, cut);
  cut.compare("at the end");
  return 0;
}
