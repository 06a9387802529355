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
    const auto now = read();
    auto known = told_from_ + told_.size();
    auto text = since_told(now, known);
    const auto above = now.first + now.on_screen;
    // Empty lines above the screen are told with what follows them, but for those that were told before.
    told_from_ = std::max(std::min(above, now.end()), std::min(above, known));
    const auto from = std::min<std::uint64_t>(told_from_ - now.first, now.text.size());
    told_.assign(now.text.begin() + static_cast<std::ptrdiff_t>(from), now.text.end());
    told_ended_ = now.ended || now.text.empty();
    return text;
  }

 private:
  struct Lines {
    std::uint64_t first = 0;
    std::size_t on_screen = 0;
    std::vector<std::string> text;  // without the empty lines at the end
    bool ended = false;

    std::uint64_t end() const { return first + text.size(); }
    /// Nothing for what is empty on the screen and for what is not there.
    const std::string* at(std::uint64_t number) const {
      static const std::string kEmpty;
      if (number < first || number >= std::max(end(), first + on_screen)) return nullptr;
      return number >= end() ? &kEmpty : &text[static_cast<std::size_t>(number - first)];
    }
  };

  Lines read() const {
    const Grid& grid = screen_.grid();
    JoinedRows rows(grid);
    std::vector<Cell> space;
    Lines lines;
    bool begins = true, goes_on = false;
    const JoinedRows::Give take = [&](std::string_view text, bool ends) {
      if (begins) lines.text.emplace_back();
      lines.text.back() += text;
      begins = ends;
    };
    for (std::size_t index = 0; index < grid.scrollback(); ++index) {
      const auto row = grid.scrollback_line(index, space);
      rows.add(row, take);
      lines.on_screen += row.wrapped ? 0 : 1;
      goes_on = row.wrapped;
    }
    const auto above = lines.on_screen + (goes_on ? 1 : 0);
    lines.first = grid.scrolled_out() - std::min<std::uint64_t>(above, grid.scrolled_out());
    for (int row = 0; row < used_rows(screen_); ++row) rows.add(grid.line(Buffer::primary, row), take);
    rows.end(take);
    for (auto& line : lines.text) line.erase(line.find_last_not_of(" \t") + 1);
    const auto all = lines.text.size();
    while (!lines.text.empty() && lines.text.back().empty()) lines.text.pop_back();
    lines.ended = lines.text.size() < all;
    return lines;
  }

  /// `known`: the number of the first line that is not as it was told.
  std::string since_told(const Lines& now, std::uint64_t& known) const {
    std::uint64_t next = told_from_ + told_.size();
    std::string text = told_ended_ || std::max(next, now.first) >= now.end() ? "" : "\n";
    for (std::size_t i = 0; i < told_.size(); ++i) {
      const auto number = std::max(told_from_ + i, now.first);
      const auto* line = now.at(number);
      if (number != told_from_ + i || (line && *line == told_[i])) continue;
      next = known = number;
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
