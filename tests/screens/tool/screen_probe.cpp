// screen_probe native|vterm[:PIECE] ROWSxCOLUMNS POSITION...: takes a program's output on standard input and tells, one
// line of JSON for each position, what a Screen shows once it has been fed that many bytes, PIECE at a time. Positions
// ascend.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "pty/screen/screen.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "tests/support/pty/screen/looks.hpp"

namespace ptyd {
namespace {

class Feed final : private TokenSink {
 public:
  explicit Feed(const Screen::Options& options) : screen(options) {}

  /// `decided` bytes of the output are in the screen afterwards, which may be fewer than `end`.
  void until(const std::string& output, std::size_t end, std::size_t piece) {
    while (fed_ < end) {
      fed_ += std::min(piece, end - fed_);
      decided += scanner_.scan(std::string_view(output).substr(decided, fed_ - decided), *this);
    }
  }

  Screen screen;
  std::size_t decided = 0;

 private:
  void on_token(const Token& token) override { screen.feed(token); }

  Scanner scanner_;
  std::size_t fed_ = 0;
};

std::string quoted(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') json += '\\';
    if (c >= 0 && c < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
      json += escape;
    } else {
      json += c;
    }
  }
  return json + "\"";
}

std::string list(const std::vector<std::string>& texts) {
  std::string json;
  for (const auto& text : texts) json += (json.empty() ? "" : ",") + quoted(text);
  return "[" + json + "]";
}

std::vector<std::string> rows_of(const Grid& grid) {
  std::vector<std::string> rows;
  for (int row = 0; row < grid.size().rows; ++row) {
    rows.push_back(test::line_words(grid, grid.line(grid.active(), row)));
  }
  return rows;
}

std::vector<std::string> sizes_of(const Grid& grid) {
  static constexpr std::array kNames{"single", "double width", "double top", "double bottom"};
  std::vector<std::string> names;
  for (int row = 0; row < grid.size().rows; ++row) {
    names.emplace_back(kNames.at(static_cast<std::size_t>(grid.line(grid.active(), row).size)));
  }
  return names;
}

std::vector<std::string> scrollback_of(const Grid& grid) {
  std::vector<std::string> lines;
  std::vector<Cell> space;
  for (std::size_t line = 0; line < grid.scrollback(); ++line) {
    lines.push_back(test::line_words(grid, grid.scrollback_line(line, space)));
  }
  return lines;
}

void print(const Feed& feed) {
  const auto& screen = feed.screen;
  const auto& caret = screen.state().caret;
  std::cout << "{\"decided\":" << feed.decided << ",\"caret\":[" << caret.row + 1 << "," << caret.column + 1 << ","
            << (caret.pending_wrap ? "true" : "false")
            << "],\"buffer\":" << (screen.grid().active() == Buffer::alternate ? "\"alternate\"" : "\"primary\"")
            << ",\"screen\":" << list(rows_of(screen.grid())) << ",\"sizes\":" << list(sizes_of(screen.grid()))
            << ",\"scrollback\":" << list(scrollback_of(screen.grid())) << ",\"vt\":" << quoted(vt_snapshot(screen, {}))
            << "}\n";
}

}  // namespace
}  // namespace ptyd

int main(int count, char** values) {
  using namespace ptyd;
  const std::vector<std::string> arguments(values, values + count);
  if (arguments.size() < 4) {
    std::cerr << "screen_probe native|vterm[:PIECE] ROWSxCOLUMNS POSITION...\n";
    return 2;
  }
  Size size;
  size.rows = static_cast<std::uint16_t>(std::stoi(arguments[2]));
  size.cols = static_cast<std::uint16_t>(std::stoi(arguments[2].substr(arguments[2].find('x') + 1)));
  Feed feed({.size = size,
             .scrollback = Screen::kDefaultScrollback,
             .emulator = arguments[1].starts_with("vterm") ? EmulatorKind::vterm : EmulatorKind::native});
  const auto colon = arguments[1].find(':');
  const std::size_t piece = colon == std::string::npos ? SIZE_MAX : std::stoul(arguments[1].substr(colon + 1));
  const std::string output{std::istreambuf_iterator<char>(std::cin), {}};
  for (std::size_t at = 3; at < arguments.size(); ++at) {
    feed.until(output, std::min<std::size_t>(std::stoul(arguments[at]), output.size()), piece);
    print(feed);
  }
}
