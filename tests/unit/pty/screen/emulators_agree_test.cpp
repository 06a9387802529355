#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/pty/screen/random_stream.hpp"
#include "tests/support/pty/screen/screens.hpp"
#include "tests/support/source_dir.hpp"

namespace ptyd {
namespace {

using test::difference;
using test::draw;
using test::FedScreen;
using test::Items;

/// The same output through both emulators.
struct Pair {
  explicit Pair(Size size)
      : native({.size = size, .scrollback = 8, .emulator = EmulatorKind::native}),
        vterm({.size = size, .scrollback = 8, .emulator = EmulatorKind::vterm}) {}

  void feed(std::string_view item) {
    if (const auto size = test::resize_of(item)) {
      native.screen.resize(*size);
      vterm.screen.resize(*size);
    } else {
      native.feed(item);
      vterm.feed(item);
    }
  }
  std::string found() const { return difference(native.screen, vterm.screen); }

  FedScreen native, vterm;
};

/// The first difference, looked for after each item; at last one more glyph shows what cannot be seen otherwise.
std::string first_difference(Size size, const Items& items) {
  Pair pair(size);
  for (const std::string& item : items) {
    pair.feed(item);
    if (std::string found = pair.found(); !found.empty()) return found;
  }
  pair.feed("\x18x");
  return pair.found();
}

std::string report(Size size, const Items& items) {
  Pair pair(size);
  for (const std::string& item : items) pair.feed(item);
  return first_difference(size, items) + " (native | vterm), size " + std::to_string(size.cols) + "x" +
         std::to_string(size.rows) + "\n" + test::printed(items) + "native\n" + draw(pair.native.screen) + "vterm\n" +
         draw(pair.vterm.screen);
}

/// A line of tests/screens/exclusions.txt.
struct Exclusion {
  std::string kind;    ///< `mended`: libvterm does it wrongly, the vterm emulator does not; `class`: left out below
  std::string stream;  ///< that shows it, or the name of the class
  std::string reason;
};

std::string unescaped(const std::string& text) {
  std::string bytes;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\\') {
      bytes += text[at];
      continue;
    }
    switch (text[++at]) {
      case 'e':
        bytes += '\x1B';
        break;
      case 'r':
        bytes += '\r';
        break;
      case 'n':
        bytes += '\n';
        break;
      case 't':
        bytes += '\t';
        break;
      case 'x':
        bytes += static_cast<char>(std::stoi(text.substr(at + 1, 2), nullptr, 16));
        at += 2;
        break;
      default:
        bytes += text[at];
    }
  }
  return bytes;
}

std::vector<Exclusion> exclusions() {
  std::ifstream file(test::source_dir() + "/tests/screens/exclusions.txt");
  EXPECT_TRUE(file.is_open());
  std::vector<Exclusion> all;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream fields(line);
    Exclusion one;
    std::getline(std::getline(std::getline(fields, one.kind, '|'), one.stream, '|'), one.reason);
    EXPECT_FALSE(one.reason.empty()) << line;
    all.push_back(one);
  }
  return all;
}

/// How many streams are tried: PTYD_STREAMS, else what takes a few seconds with sanitizers.
int stream_count() {
  const char* wanted = std::getenv("PTYD_STREAMS");
  return wanted == nullptr ? 3000 : std::atoi(wanted);
}

TEST(EmulatorsAgree, on_random_streams) {
  test::StreamOptions options;
  for (const Exclusion& one : exclusions())
    if (one.kind == "class") options.without.insert(one.stream);
  const char* seed = std::getenv("PTYD_SEED");
  const unsigned first = seed == nullptr ? 1 : static_cast<unsigned>(std::atoi(seed));
  const Size sizes[] = {{12, 6}, {2, 1}, {5, 3}, {3, 2}, {12, 1}, {20, 4}};
  for (int round = 0; round < stream_count(); ++round) {
    std::mt19937 random(first + static_cast<unsigned>(round));
    options.size = sizes[round % 2 == 0 ? 0 : random() % std::size(sizes)];
    options.items = 5 + random() % 40;
    const Items items = test::random_stream(random, options);
    if (first_difference(options.size, items).empty()) continue;
    const Items fewer =
        test::shrunk(items, [&](const Items& some) { return !first_difference(options.size, some).empty(); });
    FAIL() << "seed " << first + static_cast<unsigned>(round) << ": " << report(options.size, fewer);
  }
}

TEST(EmulatorsAgree, where_libvterm_alone_is_wrong) {
  int mended = 0;
  for (const Exclusion& one : exclusions()) {
    if (one.kind != "mended") continue;
    ++mended;
    const Items items{unescaped(one.stream)};
    for (const Size size : {Size{12, 6}, Size{2, 1}, Size{7, 4}})
      EXPECT_EQ(first_difference(size, items), "") << one.reason << "\n" << report(size, items);
  }
  EXPECT_GT(mended, 30);
}

TEST(EmulatorsAgree, and_every_exclusion_names_what_there_is) {
  const auto classes = test::stream_classes();
  for (const Exclusion& one : exclusions()) {
    EXPECT_TRUE(one.kind == "mended" || one.kind == "class") << one.kind;
    const bool known = std::find(classes.begin(), classes.end(), one.stream) != classes.end();
    EXPECT_EQ(known, one.kind == "class") << one.stream;
  }
}

}  // namespace
}  // namespace ptyd
