#include "server/execute/untold_text.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace ptyd {
namespace {

constexpr std::string_view kBlanks = " \t";

}  // namespace

void UntoldText::begin(std::uint64_t number, bool is_told_above) {
  if (line_ || has_begun_ || is_told_above) append_space("\n", 1);
  line_ = number;
  has_begun_ = true;
  blanks_ = 0;
  ++empty_;
}

void UntoldText::append_space(std::string_view text, std::uint64_t lines) {
  window_.append(text);
  space_bytes_ += text.size();
  space_lines_ += lines;
}

void UntoldText::add(std::string_view text) {
  const auto last = text.find_last_not_of(kBlanks);
  const auto written = last == text.npos ? 0 : last + 1;
  if (written > 0) {
    window_.append(text.substr(0, written));
    space_bytes_ = space_lines_ = blanks_ = empty_ = 0;
  }
  append_space(text.substr(written), 0);
  blanks_ += text.size() - written;
}

void UntoldText::end_line() {
  window_.take_back(blanks_, 0);
  space_bytes_ -= std::exchange(blanks_, 0);
}

void UntoldText::begin_with_empty(std::uint64_t lines) {
  if (lines == 0) return;
  has_begun_ = true;
  empty_ = lines;
  static const std::string kSome(4096, '\n');
  for (auto left = lines - 1; left > 0;) {
    const auto some = std::min<std::uint64_t>(left, kSome.size());
    append_space(std::string_view(kSome).substr(0, static_cast<std::size_t>(some)), some);
    left -= some;
  }
}

TextWindow UntoldText::take() && {
  window_.take_back(space_bytes_, space_lines_);
  return std::move(window_);
}

}  // namespace ptyd
