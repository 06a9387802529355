// EndlessOutput: what a terminal with endless scrollback shows of an output; what CommandOutput is held against.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "pty/screen/screen.hpp"
#include "server/execute/joined_rows.hpp"
#include "server/execute/kept_tabs.hpp"

namespace ptyd::test {

/// Keeps every row, and reads all of them each time.
class EndlessOutput {
 public:
  explicit EndlessOutput(Size size)
      : screen_({size, Screen::kMaxScrollback, EmulatorKind::native, nullptr, Scrollback::kUnbounded}) {}

  void take(const Token& token) { tabs_.feed(token); }
  /// As CommandOutput::tell().
  std::string tell() {
    auto now = read();
    auto text = since_told(now);
    const auto from = std::min(now.on_screen, now.text.size());
    told_from_ = now.first + from;
    told_.assign(now.text.begin() + static_cast<std::ptrdiff_t>(from), now.text.end());
    told_ended_ = now.ended || now.text.empty();
    return text;
  }

 private:
  struct Lines {
    std::uint64_t first = 0;
    std::size_t on_screen = 0;
    std::vector<std::string> text;
    bool ended = false;

    std::uint64_t end() const { return first + text.size(); }
    const std::string* at(std::uint64_t number) const {
      return number < first || number >= end() ? nullptr : &text[static_cast<std::size_t>(number - first)];
    }
  };

  Lines read() const {
    const Grid& grid = screen_.grid();
    JoinedRows rows(grid);
    std::vector<Cell> space;
    Lines lines;
    bool begins = true;
    const JoinedRows::Give take = [&](std::string_view text, bool ends) {
      if (begins) lines.text.emplace_back();
      lines.text.back() += text;
      begins = ends;
    };
    for (std::size_t index = 0; index < grid.scrollback(); ++index) {
      const auto row = grid.scrollback_line(index, space);
      rows.add(row, take);
      lines.on_screen += row.wrapped ? 0 : 1;
    }
    const auto above = lines.on_screen + (rows.is_in_line() ? 1 : 0);
    lines.first = grid.scrolled_out() - std::min<std::uint64_t>(above, grid.scrolled_out());
    for (int row = 0; row < used_rows(screen_); ++row) rows.add(grid.line(Buffer::primary, row), take);
    rows.end(take);
    for (auto& line : lines.text) line.erase(line.find_last_not_of(" \t") + 1);
    const auto all = lines.text.size();
    while (!lines.text.empty() && lines.text.back().empty()) lines.text.pop_back();
    lines.ended = lines.text.size() < all;
    return lines;
  }

  std::string since_told(const Lines& now) const {
    std::uint64_t next = told_from_ + told_.size();
    std::string text = told_ended_ || next >= now.end() ? "" : "\n";
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const auto number = std::max(told_from_ + i, now.first);
      const auto* line = now.at(number);
      if (number != told_from_ + i || (line && *line == told_[i])) continue;
      next = number;
      text.clear();
      const bool goes_on = line && i + 1 == told_.size() && !told_ended_ && line->starts_with(told_[i]);
      if (!goes_on) break;
      text = line->substr(told_[i].size());
      if (++next < now.end()) text += '\n';
      break;
    }
    next = std::max(next, now.first);
    for (auto number = next; number < now.end(); ++number)
      text.append(number > next ? "\n" : "").append(*now.at(number));
    return text;
  }

  Screen screen_;
  KeptTabs tabs_{screen_};
  std::uint64_t told_from_ = 0;
  std::vector<std::string> told_;
  bool told_ended_ = true;
};

}  // namespace ptyd::test
