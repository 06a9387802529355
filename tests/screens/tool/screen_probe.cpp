// screen_probe native|vterm|late[:PIECE] ROWSxCOLUMNS POSITION...: takes a program's output on standard input and
// tells, one line of JSON for each position, what a Screen shows once it has been fed that many bytes, PIECE at a time.
// Positions ascend. `late`: the native Screen of a Recorder, which draws a flood when it is looked at.
#include <algorithm>
#include <array>
#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pty/screen/screen.hpp"
#include "pty/screen/serialize/snapshot.hpp"
#include "server/session/recording/recorder.hpp"
#include "tests/support/pty/process/fake_pty.hpp"
#include "tests/support/pty/screen/looks.hpp"

namespace ptyd {
namespace {

class Feed : protected TokenSink {
 public:
  virtual ~Feed() = default;
  virtual const Screen& screen() const = 0;

  /// `decided` bytes of the output are in the screen afterwards, which may be fewer than `end`.
  void until(const std::string& output, std::size_t end, std::size_t piece) {
    while (fed_ < end) {
      const auto from = std::exchange(fed_, fed_ + std::min(piece, end - fed_));
      take(std::string_view(output).substr(from, fed_ - from));
      decided += scanner_.scan(std::string_view(output).substr(decided, fed_ - decided), *this);
    }
  }

  std::size_t decided = 0;

 private:
  virtual void take(std::string_view bytes) = 0;

  Scanner scanner_;
  std::size_t fed_ = 0;
};

class FedAtOnce final : public Feed {
 public:
  explicit FedAtOnce(const Screen::Options& options) : screen_(options) {}
  const Screen& screen() const override { return screen_; }

 private:
  void take(std::string_view) override {}
  void on_token(const Token& token) override { screen_.feed(token); }

  Screen screen_;
};

/// By a Recorder, in turns as a session takes them.
class Recorded final : public Feed {
 public:
  explicit Recorded(const Screen::Options& options) : recorder_(*Journal::create({}, "probe"), {options, {}}, {}) {}
  const Screen& screen() const override { return recorder_.screen(); }

 private:
  static constexpr std::size_t kTurn = 16 << 10;

  void take(std::string_view bytes) override {
    child_->say(bytes);
    while (!recorder_.take(pty_, kTurn, {}).drained) {
    }
  }
  void on_token(const Token&) override {}

  struct Deaf final : PtyObserver {
    void on_readable() override {}
    void on_writable() override {}
    void on_exit(ExitStatus) override {}
  };

  Recorder recorder_;
  Deaf observer_;
  boost::asio::io_context context_;
  std::shared_ptr<FakeChild> child_ = std::make_shared<FakeChild>(context_.get_executor(), LaunchSpec{}, observer_, 1);
  FakePty pty_{child_};
};

std::unique_ptr<Feed> make_feed(const std::string& kind, const Screen::Options& options) {
  if (kind == "late") return std::make_unique<Recorded>(options);
  return std::make_unique<FedAtOnce>(options);
}

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
  const auto& screen = feed.screen();
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
    std::cerr << "screen_probe native|vterm|late[:PIECE] ROWSxCOLUMNS POSITION...\n";
    return 2;
  }
  Size size;
  size.rows = static_cast<std::uint16_t>(std::stoi(arguments[2]));
  size.cols = static_cast<std::uint16_t>(std::stoi(arguments[2].substr(arguments[2].find('x') + 1)));
  const auto colon = arguments[1].find(':');
  const auto kind = arguments[1].substr(0, colon);
  const auto feed = make_feed(kind, {.size = size,
                                     .scrollback = Screen::kDefaultScrollback,
                                     .emulator = kind == "vterm" ? EmulatorKind::vterm : EmulatorKind::native});
  const std::size_t piece = colon == std::string::npos ? SIZE_MAX : std::stoul(arguments[1].substr(colon + 1));
  const std::string output{std::istreambuf_iterator<char>(std::cin), {}};
  for (std::size_t at = 3; at < arguments.size(); ++at) {
    feed->until(output, std::min<std::size_t>(std::stoul(arguments[at]), output.size()), piece);
    print(*feed);
  }
}
