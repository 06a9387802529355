// UntoldText: lines that were not told yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "server/execute/text_window.hpp"

namespace ptyd {

/// Puts lines behind each other, without blanks at their ends, and empty lines only where others follow.
///
/// Thread  one.
/// Units   lines by their number.
class UntoldText {
 public:
  explicit UntoldText(const TextWindow::Room& room) : window_(room) {}

  /// Line `number`, below the one before it; the first one below what was told before, where that `is_told_above`.
  void begin(std::uint64_t number, bool is_told_above);
  /// Line `number` goes on where what was told of it ended.
  void go_on(std::uint64_t number) { line_ = number; }
  /// The line that has begun, or goes on.
  std::optional<std::uint64_t> line() const { return line_; }
  void add(std::string_view text);
  void end_line();

  /// Empty lines at the end, so far.
  std::uint64_t empty_lines() const { return empty_; }
  /// Begins with so many empty lines.
  void begin_with_empty(std::uint64_t lines);
  /// Without the empty lines at the end.
  TextWindow take() &&;

 private:
  void append_space(std::string_view text, std::uint64_t lines);

  TextWindow window_;
  std::optional<std::uint64_t> line_;
  bool has_begun_ = false;
  std::uint64_t blanks_ = 0;                         // at the end of the line
  std::uint64_t space_bytes_ = 0, space_lines_ = 0;  // at the end of it all
  std::uint64_t empty_ = 0;
};

}  // namespace ptyd
