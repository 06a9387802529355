#include "server/execute/text_window.hpp"

#include <algorithm>

namespace ptyd {
namespace {

bool begins_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) != 0x80;
}

std::uint64_t line_feeds(std::string_view text) {
  return static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Bytes that the first `chars` characters take.
std::size_t bytes_of_first(std::string_view text, std::size_t chars) {
  std::size_t at = 0;
  for (; at < text.size(); ++at)
    if (begins_character(text[at]) && chars-- == 0) break;
  return at;
}

/// Bytes that the last `chars` characters take. One whose first byte is missing does not count.
std::size_t bytes_of_last(std::string_view text, std::size_t chars) {
  std::size_t begin = text.size();
  for (std::size_t at = text.size(); at > 0 && chars > 0; --at)
    if (begins_character(text[at - 1])) {
      begin = at - 1;
      --chars;
    }
  return text.size() - begin;
}

/// Whether a half of the cut is made of whole lines: not where a long one would take more than half of it away.
bool is_worth(std::size_t whole_lines, std::size_t all) {
  return whole_lines > 0 && whole_lines * 2 >= all;
}

/// Of `text` the first `chars` characters, or the whole lines among them.
std::string_view beginning(std::string_view text, std::size_t chars) {
  const auto first = text.substr(0, bytes_of_first(text, chars));
  const auto lines = first.rfind('\n') + 1;
  return is_worth(lines, first.size()) ? first.substr(0, lines) : first;
}

struct Ending {
  std::string_view text;
  bool begins_line = false;
};

/// Of `text` the last `chars` characters, or the whole lines among them. `before` is the byte before `text`.
Ending ending(std::string_view text, std::size_t chars, char before) {
  const auto begin = text.size() - bytes_of_last(text, chars);
  const auto last = text.substr(begin);
  if ((begin > 0 ? text[begin - 1] : before) == '\n') return {last, true};
  const auto line_feed = last.find('\n');
  const auto lines = line_feed == last.npos ? 0 : last.size() - line_feed - 1;
  return is_worth(lines, last.size()) ? Ending{last.substr(last.size() - lines), true} : Ending{last, false};
}

std::string omission(const TextWindow::Cut& cut) {
  return "[... " + std::to_string(cut.omitted_lines) + " lines / " + std::to_string(cut.omitted_bytes) +
         " bytes omitted ...]\n";
}

}  // namespace

void TextWindow::append(std::string_view text) {
  const bool is_in_head = bytes_ == head_.size();
  bytes_ += text.size();
  lines_ += line_feeds(text);
  if (!is_in_head) return append_to_tail(text, 0);
  auto first = std::min(text.size(), room_.head - head_.size());
  while (first > 0 && first < text.size() && !begins_character(text[first])) --first;
  head_.append(text.substr(0, first));
  append_to_tail(text.substr(first), head_.empty() ? '\n' : head_.back());
}

/// `before` is the byte before `text` where the tail is empty.
void TextWindow::append_to_tail(std::string_view text, char before) {
  if (text.empty()) return;
  if (tail_.empty()) before_tail_ = before;
  tail_.append(text);
  if (tail_.size() <= room_.tail + kSlack) return;
  auto old = tail_.size() - room_.tail;
  while (old < tail_.size() && !begins_character(tail_[old])) ++old;
  before_tail_ = tail_[old - 1];
  tail_.erase(0, old);
}

void TextWindow::take_back(std::uint64_t bytes, std::uint64_t lines) {
  bytes_ -= bytes;
  lines_ -= lines;
  tail_.resize(tail_.size() - static_cast<std::size_t>(std::min<std::uint64_t>(bytes, tail_.size())));
  if (bytes_ < head_.size()) head_.resize(static_cast<std::size_t>(bytes_));
}

TextWindow::Cut TextWindow::cut(std::size_t max_chars) const {
  const std::string all = is_whole() ? head_ + tail_ : std::string();
  if (is_whole() && bytes_of_first(all, max_chars) == all.size()) return {all};
  const auto half = max_chars / 2;
  const auto front = beginning(is_whole() ? all : head_, half);
  const auto back = ending(is_whole() ? all : tail_, max_chars - half, before_tail_);
  Cut cut{std::string(front), bytes_ - front.size() - back.text.size(),
          lines_ - line_feeds(front) - line_feeds(back.text) + (back.begins_line ? 0 : 1)};
  if (!front.empty() && !front.ends_with('\n')) cut.text += '\n';
  cut.text.append(omission(cut)).append(back.text);
  return cut;
}

}  // namespace ptyd
