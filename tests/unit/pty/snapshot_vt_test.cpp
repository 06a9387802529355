#include <gtest/gtest.h>

#include <random>
#include <string>

#include "pty/screen/snapshot.hpp"
#include "tests/support/pty/literals.hpp"
#include "tests/support/pty/random_stream.hpp"
#include "tests/support/pty/screens.hpp"

namespace ptyd {
namespace {

using test::FedScreen;
using test::Items;

constexpr std::size_t kScrollback = 12;
constexpr const char* kTyped = "a\u4E00\u0301";

Screen::Options options(Size size) {
  return {.size = size, .scrollback = kScrollback};
}

std::string trouble(const Screen& all, const Screen& rebuilt, std::string_view snapshot, const char* when) {
  const std::string found = test::difference(all, rebuilt);
  if (found.empty()) return found;
  return std::string(when) + ": " + found + "\nall:\n" + test::draw(all) + "rebuilt:\n" + test::draw(rebuilt) +
         "snapshot: " + test::escaped(snapshot) + "\n";
}

/// Cuts a stream before every token: there a Screen is rebuilt from the snapshot, and must be the same one, also after
/// the next token.
class CutsEverywhere final : public TokenSink {
 public:
  explicit CutsEverywhere(Size size) : size_(size), all_(options(size)) {}

  void on_token(const Token& token) override {
    if (!found.empty()) return;
    const std::string snapshot = vt_snapshot(all_, {});
    FedScreen rebuilt(options(size_));
    rebuilt.feed(snapshot);
    found = trouble(all_, rebuilt.screen, snapshot, "at a cut");
    all_.feed(token);
    rebuilt.screen.feed(token);
    if (found.empty()) found = trouble(all_, rebuilt.screen, snapshot, "one token on");
  }
  std::string found;

 private:
  Size size_;
  Screen all_;
};

std::string cut_everywhere(Size size, const Items& items) {
  CutsEverywhere cuts(size);
  Scanner scanner;
  std::string rest;
  for (const std::string& item : items) {
    rest += item;
    rest.erase(0, scanner.scan(rest, cuts));
  }
  return cuts.found;
}

void hunt(Size size, int seed, int rounds, const std::set<std::string>& without) {
  std::mt19937 random(static_cast<unsigned>(seed));
  for (int round = 0; round < rounds; ++round) {
    Items items = test::random_stream(random, {.size = size, .items = 30, .without = without});
    items.push_back(kTyped);
    if (cut_everywhere(size, items).empty()) continue;
    const Items few = test::shrunk(items, [&](const Items& less) { return !cut_everywhere(size, less).empty(); });
    FAIL() << "round " << round << "\n" << test::printed(few) << cut_everywhere(size, few);
  }
}

TEST(SnapshotVt, RecreatesEverythingAtEveryCut) {
  hunt({12, 6}, 1, 600, {"resize"});
}

}  // namespace
}  // namespace ptyd
