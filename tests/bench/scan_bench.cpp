// How fast the Scanner goes over a coloured build log, beside what memory itself allows, and how fast Scanner and
// Screen together go over logs, text beyond ASCII and full-screen programs, or over the files named on the command line
// (whose LF become CR LF). `hostile`: what 16 KiB cost of which each sequence touches as much of the screen as it can.
// `bars RECORDING...`: what scripts/bench asks, as one line of JSON; recordings are taken as they are, size 80x24.
// Release build.
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

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

/// CPU time of this thread: others that want the machine do not count.
std::chrono::nanoseconds computed() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

/// Seconds of the fastest of several rounds.
template <class Work>
double best_of(Work work) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto begin = computed();
    work();
    const std::chrono::duration<double> took = computed() - begin;
    if (took.count() < best) best = took.count();
  }
  return best;
}

template <class Work>
void measure(const char* name, std::size_t bytes, Work work) {
  std::printf("%-32s %8.0f MB/s\n", name, static_cast<double>(bytes) / best_of(work) / 1e6);
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
  explicit Draw(ptyd::EmulatorKind kind, ptyd::Size size = {120, 40})
      : screen({size, ptyd::Screen::kDefaultScrollback, kind}) {}
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

/// In pieces as they come from a pty in a turn.
void draw_all(Draw& draw, std::string_view text) {
  ptyd::Scanner scanner;
  std::size_t at = 0;
  for (std::size_t taken = 1; taken != 0; at += taken) taken = scanner.scan(text.substr(at, 16384), draw);
}

void measure_screen(const std::string& text, ptyd::EmulatorKind kind, const char* name) {
  measure(name, text.size(), [&] {
    Draw draw(kind);
    draw_all(draw, text);
  });
}

void measure_screens(const char* name, const std::string& text) {
  std::printf("%s, %.1f MB\n", name, static_cast<double>(text.size()) / 1e6);
  measure_screen(text, ptyd::EmulatorKind::native, "Scanner and native Screen");
  measure_screen(text, ptyd::EmulatorKind::vterm, "Scanner and vterm Screen");
  measure_scan("Scanner alone", text);
}

// --- ordinary output

constexpr std::size_t kOrdinary = 20 << 20;

std::string repeated(std::string_view text, std::size_t bytes) {
  std::string all;
  while (all.size() < bytes) all += text;
  return all;
}

std::string plain_log(std::size_t bytes) {
  return repeated("drwxr-xr-x  5 root root  4096 Nov 20 16:48 some plain line of a listing\r\n", bytes);
}

/// Letters with marks, Cyrillic, wide glyphs, and clusters.
std::string unicode_log(std::size_t bytes) {
  return repeated(
      "Größe geändert, размер файла изменён, 文件大小已更改 \xF0\x9F\x91\x8D\xF0\x9F\x8F\xBD e\xCC\x81 done\r\n",
      bytes);
}

/// A program that shows a table and a status line, and paints what has changed.
std::string full_screen_program(std::size_t bytes) {
  std::string all = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J";
  for (int frame = 0; all.size() < bytes; ++frame) {
    for (int row = 2; row < 40; ++row) {
      const std::string number = std::to_string(frame * 37 + row * 1009);
      all += "\x1b[" + std::to_string(row) + ";1H\x1b[38;5;" + std::to_string(row + frame % 7) + "m" + number +
             "\x1b[39m root \x1b[1m" + number + "\x1b[0m 0.0 \x1b[7m/usr/bin/program --with options\x1b[27m\x1b[K";
    }
    all += "\x1b[40;1H\x1b[44mframe " + std::to_string(frame) + "\x1b[K\x1b[49m";
  }
  return all;
}

void measure_ordinary() {
  measure_screens("coloured log", ptyd::test::coloured_log(kOrdinary));
  measure_screens("plain log", plain_log(kOrdinary));
  measure_screens("text beyond ASCII", unicode_log(kOrdinary));
  measure_screens("full-screen program", full_screen_program(kOrdinary));
}

// --- hostile output

struct Hostile {
  const char* name;
  std::string_view before;  ///< once
  std::string_view each;    ///< again and again
};

constexpr std::string_view kMargins = "\x1b[?69h\x1b[2;9999s\x1b[44m\x1b[9999;3H";

constexpr Hostile kHostile[]{
    {"LF", "\x1b[9999H", "\n"},
    {"LF, a row of margin", "\x1b[2;9999r\x1b[44m\x1b[9999H", "\n"},
    {"LF between side margins", kMargins, "\n"},
    {"LF and a letter there", kMargins, "\na"},
    {"CR LF in a sequence there", kMargins,
     "\x1b[\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\rm"},
    {"RI between side margins", "\x1b[?69h\x1b[2;9999s\x1b[1;3H", "\x1bM"},
    {"SU between side margins", kMargins, "\x1b[S"},
    {"SD between side margins", kMargins, "\x1b[T"},
    {"SL", "", "\x1b[ @"},
    {"SR", "", "\x1b[ A"},
    {"DECIC", "", "\x1b['}"},
    {"DECDC", "", "\x1b['~"},
    {"ED 2 with colour", "\x1b[44m", "\x1b[2J"},
    {"DECSED 2 with colour", "\x1b[44m", "\x1b[?2J"},
    {"DECALN", "", "\x1b#8"},
    {"DECFRA", "", "\x1b[65$x"},
    {"DECERA with colour", "\x1b[44m", "\x1b[$z"},
    {"DECSERA", "", "\x1b[${"},
    {"DECCRA down", "", "\x1b[;;;;;2$v"},
    {"DECCRA right", "", "\x1b[;;;;;;2$v"},
    {"REP of a letter", "\x1b[Hx", "\x1b[65535b"},
    {"REP of a wide glyph", "\x1b[H\xE4\xB8\x80", "\x1b[65535b"},
    {"REP without wrap", "\x1b[?7l\x1b[H\xE4\xB8\x80", "\x1b[65535b"},
    {"REP between margins, IRM", "\x1b[?69h\x1b[2;9999s\x1b[4h\x1b[Hxx", "\x1b[65535b"},
    {"ICH", "\x1b[5H", "\x1b[@"},
    {"DCH", "\x1b[5H", "\x1b[P"},
    {"IL", "\x1b[2H\x1b[44m", "\x1b[L"},
    {"DL", "\x1b[2H\x1b[44m", "\x1b[M"},
    {"IL between side margins", "\x1b[?69h\x1b[2;9999s\x1b[2;3H", "\x1b[L"},
    {"DL between side margins", "\x1b[?69h\x1b[2;9999s\x1b[2;3H", "\x1b[M"},
};

double milliseconds(std::chrono::duration<double, std::milli> time) {
  return time.count();
}

/// A screen full of text, some of it wide.
void fill(Draw& draw, ptyd::Size size) {
  ptyd::Scanner scanner;
  for (int row = 1; row <= size.rows; ++row)
    scanner.scan(
        "\x1b[" + std::to_string(row) + "H" + repeated("text \xE4\xB8\x80", size.cols - 8u).substr(0, size.cols - 8u),
        draw);
}

void measure_hostile(const Hostile& hostile, ptyd::EmulatorKind kind, ptyd::Size size) {
  constexpr std::size_t kTurn = 16 << 10, kText = 64;
  constexpr std::chrono::seconds kPatience{1};
  Draw draw(kind, size);
  fill(draw, size);
  ptyd::Scanner scanner;
  scanner.scan(hostile.before, draw);
  const std::string piece = hostile.each.front() == '\x1b' ? std::string(hostile.each) : repeated(hostile.each, kText);
  std::chrono::nanoseconds all{}, longest{};
  std::size_t done = 0;
  for (; done < kTurn && all < kPatience; done += piece.size()) {
    const auto begin = computed();
    scanner.scan(piece, draw);
    const auto one = computed() - begin;
    longest = std::max(longest, one);
    all += one;
  }
  std::printf("  %10.2f (%7.3f)", milliseconds(all) * static_cast<double>(kTurn) / static_cast<double>(done),
              milliseconds(longest));
}

void measure_all_hostile() {
  constexpr ptyd::Size kSizes[]{{80, 24}, {500, 150}, {2000, 1000}};
  for (const auto kind : {ptyd::EmulatorKind::native, ptyd::EmulatorKind::vterm}) {
    std::printf("%s: ms per 16 KiB (and of the longest token, or 64 bytes of text)\n%-28s",
                kind == ptyd::EmulatorKind::native ? "native" : "vterm", "");
    for (const auto size : kSizes) std::printf("  %15dx%-5d", size.cols, size.rows);
    std::puts("");
    for (const Hostile& hostile : kHostile) {
      std::printf("%-28s", hostile.name);
      for (const auto size : kSizes) measure_hostile(hostile, kind, size);
      std::puts("");
    }
  }
}

// --- bars

/// A recording again and again, in one terminal.
std::string recording(const char* path) {
  constexpr std::size_t kBytes = 4 << 20;
  std::ifstream file(path, std::ios::binary);
  const std::string once{std::istreambuf_iterator<char>(file), {}};
  return once.empty() ? once : repeated(once, kBytes);
}

/// MB/s of Scanner and native Screen over all of these, each in a terminal of its own.
double drawn_rate(const std::vector<std::string>& texts, ptyd::Size size) {
  double bytes = 0, seconds = 0;
  for (const std::string& text : texts) {
    bytes += static_cast<double>(text.size());
    seconds += best_of([&] {
      Draw draw(ptyd::EmulatorKind::native, size);
      draw_all(draw, text);
    });
  }
  return seconds > 0 ? bytes / seconds / 1e6 : 0;
}

void print_bars(const std::vector<std::string>& recordings) {
  constexpr ptyd::Size kSize{120, 40}, kRecorded{80, 24};
  std::printf(R"({"log_mb_s": %.1f, "unicode_mb_s": %.1f, "tui_mb_s": %.1f})"
              "\n",
              drawn_rate({ptyd::test::coloured_log(kOrdinary)}, kSize), drawn_rate({unicode_log(kOrdinary)}, kSize),
              drawn_rate(recordings, kRecorded));
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1 && std::string_view(arguments[1]) == "bars") {
    std::vector<std::string> recordings;
    for (int i = 2; i < count; ++i) recordings.push_back(recording(arguments[i]));
    print_bars(recordings);
    return 0;
  }
  if (count == 2 && std::string_view(arguments[1]) == "hostile") {
    measure_all_hostile();
    return 0;
  }
  for (int i = 1; i < count; ++i) measure_screens(arguments[i], output_of(arguments[i]));
  if (count > 1) return 0;
  const std::string log = ptyd::test::coloured_log(64 << 20);
  std::string copy(log.size(), '\0');
  measure("memcpy", log.size(), [&] { std::memcpy(copy.data(), log.data(), log.size()); });
  measure("memchr of what is not there", log.size(), [&] {
    if (std::memchr(log.data(), 1, log.size()) != nullptr) std::puts("?");
  });
  measure_scan("Scanner, coloured log, 4 KB", log);
  measure_scan("Scanner, plain log, 4 KB", plain_log(log.size()));
  measure_ordinary();
}
