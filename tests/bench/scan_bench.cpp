// How fast the Scanner goes over a coloured build log, beside what memory itself allows, and how fast Scanner and
// Screen together go over the files named on the command line (whose LF become CR LF). Run by hand, release build.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "pty/screen/screen.hpp"
#include "pty/text/scanner.hpp"
#include "tests/support/pty/text/streams.hpp"

namespace {

struct Count final : ptyd::TokenSink {
  void on_token(const ptyd::Token& token) override {
    ++tokens;
    bytes += token.bytes.size();
  }
  std::size_t tokens = 0, bytes = 0;
};

template <class Work>
void measure(const char* name, std::size_t bytes, Work work) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (took.count() < best) best = took.count();
  }
  std::printf("%-32s %8.0f MB/s\n", name, static_cast<double>(bytes) / best / 1e6);
}

void measure_scan(const char* name, const std::string& log) {
  Count count;
  measure(name, log.size(), [&] {
    ptyd::Scanner scanner;
    for (std::size_t at = 0; at < log.size();) at += scanner.scan(std::string_view(log).substr(at, 4096), count);
  });
  std::printf("%32s %8.1f bytes per token\n", "", static_cast<double>(count.bytes) / static_cast<double>(count.tokens));
}

struct Draw final : ptyd::TokenSink {
  explicit Draw(ptyd::EmulatorKind kind) : screen({{120, 40}, ptyd::Screen::kDefaultScrollback, kind}) {}
  void on_token(const ptyd::Token& token) override { screen.feed(token); }
  ptyd::Screen screen;
};

/// Whole lines from the beginning of a file as a terminal would print it; small ones again and again.
std::string output_of(const char* path) {
  constexpr std::size_t kBytes = 20 << 20;
  std::ifstream file(path, std::ios::binary);
  std::string text;
  for (char c = 0; (text.size() < kBytes || c != '\n') && file.get(c);) {
    if (c == '\n' && (text.empty() || text.back() != '\r')) text += '\r';
    text += c;
  }
  const std::string once = text;
  while (!once.empty() && text.size() < kBytes / 4) text += once;
  return text;
}

void measure_screen(const char* path, ptyd::EmulatorKind kind, const char* name) {
  const std::string text = output_of(path);
  measure(name, text.size(), [&] {
    Draw draw(kind);
    ptyd::Scanner scanner;
    std::size_t at = 0;
    for (std::size_t taken = 1; taken != 0; at += taken)
      taken = scanner.scan(std::string_view(text).substr(at, 16384), draw);
  });
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    std::printf("%s, %.1f MB\n", arguments[i], static_cast<double>(output_of(arguments[i]).size()) / 1e6);
    measure_screen(arguments[i], ptyd::EmulatorKind::native, "Scanner and native Screen");
    measure_screen(arguments[i], ptyd::EmulatorKind::vterm, "Scanner and vterm Screen");
    measure_scan("Scanner alone", output_of(arguments[i]));
  }
  if (count > 1) return 0;
  const std::string log = ptyd::test::coloured_log(64 << 20);
  std::string copy(log.size(), '\0');
  measure("memcpy", log.size(), [&] { std::memcpy(copy.data(), log.data(), log.size()); });
  measure("memchr of what is not there", log.size(), [&] {
    if (std::memchr(log.data(), 1, log.size()) != nullptr) std::puts("?");
  });
  measure_scan("Scanner, coloured log, 4 KB", log);
  std::string plain;
  while (plain.size() < log.size())
    plain += "drwxr-xr-x  5 root root  4096 Nov 20 16:48 some plain line of a listing\r\n";
  measure_scan("Scanner, plain log, 4 KB", plain);
}
